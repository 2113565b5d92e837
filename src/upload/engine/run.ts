import type {Upload} from 'tus-js-client'
import type {UploadTarget} from '../ledger/entry.js'
import type {UploadJob} from '../model/job.js'
import {Blocks} from './blocks.js'
import type {Content} from './content.js'
import type {UploadContext} from './context.js'
import {Digests} from './digests.js'
import {Endpoints} from './endpoints.js'
import {OnTheirWay} from './onTheirWay.js'
import {Service} from './service.js'
import type {Source} from './source.js'

/** What the uploads of one run share. */
export interface Run {
  readonly context: UploadContext
  readonly service: Service
  readonly endpoints: Endpoints
  readonly blocks: Blocks
  readonly digests: Digests
  /** The ids of the uploads that are under way. */
  readonly active: Set<string>
  /** Records of small files. */
  readonly recorded: OnTheirWay
  /** tus-js-client, which is loaded with the first file. */
  readonly library: () => Promise<{readonly Upload: typeof Upload}>
}

export function openRun(context: UploadContext): Run {
  let library: ReturnType<Run['library']> | undefined
  return {
    context,
    service: new Service(),
    endpoints: new Endpoints(context.access),
    blocks: new Blocks(),
    digests: new Digests(context.digestThread),
    active: new Set(),
    recorded: new OnTheirWay(),
    library: () => {
      library ??= import('tus-js-client')
      return library
    },
  }
}

/** What is to be brought to the service: a file that is open, where it goes, and what the ledger calls that. */
export interface Parcel {
  readonly job: UploadJob
  readonly target: UploadTarget
  readonly source: Source
  readonly content: Content
  readonly sample: string
  readonly id: string
}
