import type {Upload, UploadOptions} from 'tus-js-client'
import {SetbackError} from './ask.js'
import {headMatters} from './chunkSize.js'
import {create} from './create.js'
import type {Earlier} from './earlier.js'
import {interrupted} from './failures.js'
import {BeginAnewError, type Headers, type Means, type Part} from './means.js'
import {askOffset, probeHead} from './offset.js'
import {sendPart} from './patch.js'
import type {Setback, Step} from './policy.js'
import {httpStack} from './stack.js'

const steps: Readonly<Record<string, Step>> = {POST: 'create', HEAD: 'head', PATCH: 'patch'}

/** How a run of tus-js-client over an upload ended. */
export type Ending =
  | {readonly kind: 'whole'}
  | {readonly kind: 'setback'; readonly step: Step; readonly setback: Setback; readonly headers: Headers}
  | {readonly kind: 'anew'; readonly why: string}

/**
 * One upload in the hands of tus-js-client, which keeps the order of its requests: POST or HEAD, then PATCH after PATCH. Its ports are
 * ours: the file reader cuts the parts, the stack sends, the storage and the fingerprint are the ledger's. It retries
 * nothing: its own retry cannot wait for a Retry-After, and each `go` begins with HEAD.
 */
export class Flight {
  readonly #means: Means
  readonly #upload: Upload
  #failed: {readonly step: Step; readonly error: unknown} | undefined

  private constructor(means: Means, Tus: typeof Upload) {
    this.#means = means
    // The file reader knows which file it is.
    this.#upload = new Tus(Buffer.alloc(0), this.#options())
  }

  static async prepare(means: Means, earlier: Earlier | undefined): Promise<Flight> {
    const {Upload: Tus} = await means.run.library()
    const flight = new Flight(means, Tus)
    const [previous] = earlier ? await flight.#upload.findPreviousUploads() : []
    if (previous) flight.#upload.resumeFromPreviousUpload(previous)
    return flight
  }

  /** Goes on until the service has the file whole, or something comes between. Raises a Failure that nothing can be done about. */
  async go(): Promise<Ending> {
    this.#failed = undefined
    const error = await new Promise<unknown>((resolve) => {
      Object.assign(this.#upload.options, {onSuccess: () => resolve(undefined), onError: resolve})
      this.#upload.start()
    })
    return error === undefined ? {kind: 'whole'} : this.#endingOf(error)
  }

  #endingOf(error: unknown): Ending {
    const {run, parcel} = this.#means
    if (run.context.signal.aborted) throw interrupted(parcel.job)
    // Whatever the wire made of it, it was the file.
    if (parcel.source.failure) throw parcel.source.failure
    const {step, error: cause} = this.#failed ?? {step: 'create', error}
    if (cause instanceof BeginAnewError) return {kind: 'anew', why: cause.message}
    if (!(cause instanceof SetbackError)) throw cause
    return {kind: 'setback', step, setback: cause.setback, headers: cause.headers}
  }

  #options(): UploadOptions {
    const {run, parcel, standing} = this.#means
    const {id, job, source} = parcel
    return {
      endpoint: run.endpoints.of(job.container),
      retryDelays: null,
      httpStack: httpStack((...request) => this.#send(...request)),
      fileReader: {
        openFile: async () => ({size: source.size, slice: (from) => this.#cut(from), close: () => undefined}),
      },
      fingerprint: async () => id,
      urlStorage: {
        findAllUploads: async () => [],
        findUploadsByFingerprint: async () => [
          {
            size: source.size,
            metadata: {},
            creationTime: '',
            urlStorageKey: id,
            uploadUrl: standing.url?.href ?? null,
            parallelUploadUrls: null,
          },
        ],
        // What is to be kept is in the ledger when a request has been answered; a failure here would be lost.
        addUpload: async () => id,
        removeUpload: async () => undefined,
      },
    }
  }

  /** Cuts the next part. It may be shorter than was asked for: how long parts are can change from one to the next. */
  async #cut(from: number): Promise<{value: Part; done: boolean}> {
    const {parcel, chunkSize} = this.#means
    const {size} = parcel.source
    await this.#attempt('head', () => this.#probe())
    const to = Math.min(size, from + chunkSize.bytes)
    return {value: {from, to, size: to - from}, done: to === size}
  }

  async #probe(): Promise<void> {
    const {run, parcel, standing} = this.#means
    const {service, context} = run
    const settled = service.head !== 'unknown' || context.settings.chunkBytes !== undefined
    if (settled || parcel.source.size <= headMatters || !standing.url) return
    service.probing ??= probeHead(this.#means, standing.url, {'Tus-Resumable': '1.0.0'}).finally(() => {
      service.probing = undefined
    })
    await service.probing
  }

  async #send(method: string, url: URL, headers: Headers, part: Part | null): Promise<Headers> {
    const step = steps[method] ?? 'patch'
    return this.#attempt(step, async () => {
      const {run, parcel} = this.#means
      const {key} = parcel.job
      await run.service.pass((ms, why) => run.context.emit({kind: 'waiting', key, ms, why}))
      if (part) return sendPart(this.#means, url, headers, part)
      return step === 'create' ? create(this.#means, url, headers) : askOffset(this.#means, url, headers)
    })
  }

  /** tus-js-client wraps and rewords what it is told of; what it was is remembered here. */
  async #attempt<T>(step: Step, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#failed = {step, error}
      throw error
    }
  }
}
