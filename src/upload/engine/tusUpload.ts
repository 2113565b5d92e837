import type {HttpRequest, HttpResponse, Upload, UploadOptions} from 'tus-js-client'
import {endpointOf} from './addresses.js'
import {partEnd} from './chunkSize.js'
import {interrupted, type Step, type UploadFailure} from './failures.js'
import {
  askOffset,
  createUpload,
  type FilePart,
  type Headers,
  probeHead,
  RequestFailure,
  type Restart,
  RestartError,
  sendPart,
} from './requests.js'
import type {Transfer} from './uploadState.js'

const steps: Readonly<Record<string, Step>> = {POST: 'create', HEAD: 'head', PATCH: 'patch'}

export type Ending =
  | {readonly kind: 'whole'}
  | {readonly kind: 'failed'; readonly step: Step; readonly failure: UploadFailure}
  | {readonly kind: 'restart'; readonly why: Restart}

/**
 * One upload by tus-js-client, which orders the requests. Its ports are ours: the file reader cuts the parts, the stack sends. The
 * ledger stores, and each `run` begins with HEAD, since the library's own retry cannot wait for a Retry-After.
 */
export class TusUpload {
  readonly #upload: Upload
  #failed: {readonly step: Step; readonly error: unknown} | undefined

  constructor(
    private readonly transfer: Transfer,
    Tus: typeof Upload,
  ) {
    this.#upload = new Tus(Buffer.alloc(0), this.#options())
  }

  /** Continues until the service has the whole file. Throws permanent failures. */
  async run(): Promise<Ending> {
    this.#failed = undefined
    const error = await new Promise<unknown>((resolve) => {
      Object.assign(this.#upload.options, {onSuccess: () => resolve(undefined), onError: resolve})
      this.#upload.start()
    })
    return error === undefined ? {kind: 'whole'} : this.#endingOf(error)
  }

  #endingOf(error: unknown): Ending {
    const {run, item} = this.transfer
    if (run.context.signal.aborted) throw interrupted(item.job)
    if (item.source.failure) throw item.source.failure
    if (item.source.takeUnproven()) return {kind: 'restart', why: 'unproven'}
    const {step, error: cause} = this.#failed ?? {step: 'create', error}
    if (cause instanceof RestartError) return {kind: 'restart', why: cause.why}
    if (!(cause instanceof RequestFailure)) throw cause
    return {kind: 'failed', step, failure: cause.failure}
  }

  #options(): UploadOptions {
    const {run, item, state} = this.transfer
    const {job, source} = item
    return {
      endpoint: endpointOf(run.context.access, job.container).href,
      uploadUrl: state.url?.href ?? null,
      retryDelays: null,
      httpStack: {
        createRequest: (method, url) => portRequest(method, url, (...request) => this.#send(...request)),
        getName: () => 'roomctl',
      },
      fileReader: {
        openFile: async () => ({size: source.size, slice: (from) => this.#cut(from), close: () => undefined}),
      },
      // The ledger stores the state; the library stores nothing.
      fingerprint: async () => '',
    }
  }

  /** Cuts the next part, which may be shorter than requested: the size can change from one to the next. */
  async #cut(from: number): Promise<{value: FilePart; done: boolean}> {
    const {item, chunkSize} = this.transfer
    const {size} = item.source
    await this.#attempt('head', () => this.#probe())
    const to = partEnd(item, from, chunkSize.bytes)
    return {value: {from, to, size: to - from}, done: to === size}
  }

  async #probe(): Promise<void> {
    const {run, state, chunkSize} = this.transfer
    if (run.service.head !== 'unknown' || !chunkSize.dependsOnHead || !state.url) return
    await probeHead(this.transfer, state.url, {'Tus-Resumable': '1.0.0'})
  }

  async #send(method: string, url: URL, headers: Headers, part: FilePart | null): Promise<Headers> {
    const step = steps[method] ?? 'patch'
    return this.#attempt(step, async () => {
      if (part) return sendPart(this.transfer, url, headers, part)
      return step === 'create' ? createUpload(this.transfer, url, headers) : askOffset(this.transfer, url, headers)
    })
  }

  /** tus-js-client wraps and rewords errors; the original is kept here. */
  async #attempt<T>(step: Step, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#failed = {step, error}
      throw error
    }
  }
}

type SendPort = (method: string, url: URL, headers: Headers, part: FilePart | null) => Promise<Headers>

/** A request of tus-js-client. It sees good answers only: after a failing HEAD it would create a new upload, and follow any address. */
function portRequest(method: string, url: string, send: SendPort): HttpRequest {
  const headers: Record<string, string> = {}
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => {
      headers[name] = value
    },
    getHeader: (name) => headers[name],
    setProgressHandler: () => undefined,
    // A body is what the file reader gave: a part, or nothing.
    send: async (body: FilePart | null) => portResponse(await send(method, new URL(url), headers, body ?? null)),
    // Requests end by the signal of the run.
    abort: async () => undefined,
    getUnderlyingObject: () => undefined,
  }
}

function portResponse(headers: Headers): HttpResponse {
  return {
    getStatus: () => 200,
    getHeader: (name) => headers[name.toLowerCase()],
    getBody: () => '',
    getUnderlyingObject: () => undefined,
  }
}
