import type {Worker} from 'node:worker_threads'
import type {Algorithm} from '../model/job.js'
import type {DigestAnswer, DigestRequest} from './digestRequest.js'
import type {Source} from './source.js'

interface Waiting {
  resolve(digest: string): void
  reject(reason: unknown): void
}

/**
 * Digests of large files, computed in one thread beside the sending. The thread is started with the first of them and holds no
 * process up. Its failures are those of the system, or of the thread.
 */
export class Digests {
  readonly #threadFile: string
  readonly #waiting = new Map<number, Waiting>()
  readonly #files = new Map<Source, number>()
  #thread: Promise<Worker> | undefined
  #last = 0

  /** `threadFile`: the built file of digestThread.ts. */
  constructor(threadFile: string) {
    this.#threadFile = threadFile
  }

  /** The digest (base64) of a part of a file. */
  part(source: Source, from: number, to: number, algorithm: Algorithm): Promise<string> {
    return this.#ask({kind: 'part', file: this.#fileOf(source), fd: source.fd, from, to, algorithm})
  }

  /** Begins the sha256 of the whole file; it goes on with the parts that are digested, or as `roll` says. */
  begin(source: Source): void {
    this.#post({kind: 'begin', file: this.#fileOf(source), fd: source.fd})
  }

  roll(source: Source, to: number): void {
    this.#post({kind: 'roll', file: this.#fileOf(source), to})
  }

  /** The sha256 (hex) of a file that was begun. */
  whole(source: Source): Promise<string> {
    return this.#ask({kind: 'whole', file: this.#fileOf(source), to: source.size})
  }

  /** To be waited for before the file is closed: its descriptor may then be another file's. */
  async forget(source: Source): Promise<void> {
    const file = this.#files.get(source)
    if (file === undefined) return
    this.#files.delete(source)
    // A thread that has ended reads nothing any more.
    await this.#ask({kind: 'forget', file}).catch(() => undefined)
  }

  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined)
    await thread?.terminate()
  }

  #fileOf(source: Source): number {
    const known = this.#files.get(source)
    if (known !== undefined) return known
    this.#last += 1
    this.#files.set(source, this.#last)
    return this.#last
  }

  #ask(request: WithoutId<Extract<DigestRequest, {readonly id: number}>>): Promise<string> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject})
      this.#post({...request, id})
    })
  }

  #post(request: DigestRequest): void {
    this.#thread ??= this.#start()
    this.#thread.then(
      (thread) => {
        if (this.#waiting.size > 0) thread.ref()
        thread.postMessage(request)
      },
      (error) => this.#failAll(error),
    )
  }

  async #start(): Promise<Worker> {
    const {Worker: Thread} = await import('node:worker_threads')
    // It hashes through one small block and needs next to no heap.
    const thread = new Thread(this.#threadFile, {
      resourceLimits: {maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2},
    })
    thread.on('message', (answer: DigestAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0) thread.unref()
      if ('failure' in answer)
        waiting?.reject(Object.assign(new Error(answer.failure.message), {code: answer.failure.code}))
      else waiting?.resolve(answer.digest)
    })
    thread.on('error', (error) => this.#failAll(error))
    thread.on('exit', () => this.#failAll(new Error('the thread that computes digests has ended')))
    thread.unref()
    return thread
  }

  #failAll(error: unknown): void {
    for (const {reject} of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** A request before it has its number. Distributes over the kinds. */
type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never
