import type {Service} from '../api/contract/operation.js'
import type {Transport} from '../api/http/wire/transport.js'
import {filesIn} from './asset/files.js'
import {assetPrefix} from './asset/routing.js'
import {pushPrefix} from './push/routing.js'
import {mediaPrefix} from './room/routing.js'
import {createSandbox} from './service.js'
import {fileStore} from './world/store.js'
import {sandboxToken} from './world/world.js'

/** A sandbox inside the process, and what a profile says of a service. */
export interface EmbeddedSandbox {
  readonly transport: Transport
  /** Base addresses. Nothing listens there: the transport answers. */
  readonly addresses: Readonly<Record<Service, string>>
  readonly token: string
}

/** The sandbox behind `-p sandbox` (product §8); its world is kept in `dir` from one command to the next. */
export function embeddedSandbox(options: {readonly dir: string; readonly now: () => Date}): EmbeddedSandbox {
  return {
    transport: createSandbox({store: fileStore(options.dir), now: options.now, files: filesIn(options.dir)}),
    addresses: {
      room: `http://sandbox.localhost${mediaPrefix}`,
      asset: `http://sandbox.localhost${assetPrefix.service}`,
      push: `http://sandbox.localhost${pushPrefix}`,
    },
    token: sandboxToken,
  }
}
