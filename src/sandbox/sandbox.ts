import {randomBytes} from 'node:crypto'
import type {Transport} from '../api/http/wire/transport.js'
import {assetPrefix} from './asset/operations.js'
import {assetDataService, assetService, withTusVersion} from './asset/service.js'
import {pushPrefix} from './push/operations.js'
import {pushService} from './push/service.js'
import {mediaPrefix} from './room/operations.js'
import {roomService} from './room/service.js'
import {abortError, waitLatency} from './wire/fault.js'
import type {SandboxService, ServiceOptions} from './wire/service.js'
import {fileStore, uploadsFolder, type WorldStore} from './world/store.js'
import {sandboxToken} from './world/world.js'

export interface SandboxOptions extends Omit<ServiceOptions, 'random'> {
  readonly random?: ServiceOptions['random']
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Accepted by every service; default: the world's own. */
  readonly token?: string
}

/** The services in one; the room service refuses unknown prefixes. Rejects with a Failure of the store, and a WireError. */
export function createSandbox(options: SandboxOptions): Transport {
  const {store, token, random = Math.random, sleep = waitLatency} = options
  const shared: ServiceOptions = {...options, random}
  const room = roomService(shared)
  const byPrefix: Readonly<Record<string, SandboxService>> = {
    [assetPrefix.service]: assetService(shared),
    [assetPrefix.data]: assetDataService(shared),
    [pushPrefix]: pushService(shared),
  }

  return async (request) => {
    if (request.signal?.aborted) throw abortError(request.signal, 'no')
    const world = await store.read((current) => (token === undefined ? current : {...current, applicationToken: token}))
    const {latencyMs} = world.choices
    if (latencyMs > 0) await sleep(latencyMs, request.signal)
    const [, prefix = ''] = /^(\/[^/]*)\//.exec(request.url.pathname) ?? []
    const service = byPrefix[prefix] ?? room
    const answer = await service.handle(request, world)
    return prefix === assetPrefix.service ? withTusVersion(answer, request) : answer
  }
}

/** The token of a sandbox that is served on a port, drawn at random once: with a known one, any web page could use the server. */
export function servedToken(store: WorldStore): Promise<string> {
  return store.change((world) => {
    if (world.applicationToken === sandboxToken) world.applicationToken = randomBytes(24).toString('base64url')
    return world.applicationToken
  })
}

/** The sandbox of `-p sandbox` (docs/sandbox.md), with its world in `dir`. */
export function embeddedSandbox({dir, now}: {readonly dir: string; readonly now: () => Date}) {
  return {
    transport: createSandbox({store: fileStore(dir), now, token: sandboxToken, files: uploadsFolder(dir)}),
    // Nothing listens there: the transport answers.
    addresses: {
      room: `http://sandbox.localhost${mediaPrefix}`,
      asset: `http://sandbox.localhost${assetPrefix.service}`,
      push: `http://sandbox.localhost${pushPrefix}`,
    },
    token: sandboxToken,
  }
}
