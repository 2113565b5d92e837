import type {Content} from './content.js'
import type {Chunk, Ledger} from './entry.js'
import type {Algorithm} from './job.js'

/** Writes into the ledger how far one upload is, with digests that prove to a later run what the bytes were. */
export class Records {
  readonly #ledger: Ledger
  readonly #id: string
  readonly #content: Content
  readonly #algorithm: Algorithm | undefined
  /** Records on their way to the disk. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(ledger: Ledger, id: string, content: Content, algorithm: Algorithm | undefined) {
    this.#ledger = ledger
    this.#id = id
    this.#content = content
    this.#algorithm = algorithm
  }

  /** The part is about to be sent. It is in the ledger when this settles. */
  async sending(from: number, to: number): Promise<void> {
    await this.#ledger.sending(this.#id, await this.#chunk(from, to))
  }

  /** The service has the part. What the ledger makes of it is waited for by `settled` alone. */
  async acked(from: number, to: number): Promise<void> {
    const written = this.#ledger.acked(this.#id, await this.#chunk(from, to))
    this.#written = Promise.all([this.#written, written])
    this.#written.catch(() => undefined)
  }

  /** Waits until everything is in the ledger. Raises its Failure where something is not. */
  async settled(): Promise<void> {
    await this.#written
  }

  async #chunk(from: number, to: number): Promise<Chunk> {
    if (!this.#algorithm) return {from, to}
    return {from, to, digest: await this.#content.digest(from, to, this.#algorithm)}
  }
}
