interface Waiting {
  readonly line: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes lines for many at once. Those of one turn of the event loop share a write, so that a process that is killed right
 * after it loses none; those that are written while the disk is busy share the next sync.
 */
export class GroupCommit {
  readonly #write: (lines: string) => void
  readonly #sync: () => Promise<void>
  #waiting: Waiting[] = []
  #written: Waiting[] = []
  #syncing: Promise<void> | undefined

  /** `write` gives lines to the system, `sync` settles when all that was written is on the disk. */
  constructor(write: (lines: string) => void, sync: () => Promise<void>) {
    this.#write = write
    this.#sync = sync
  }

  /** Settles when the line is on the disk, or raises what `write` or `sync` raised. */
  add(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush())
      this.#waiting.push({line, resolve, reject})
    })
  }

  /** Settles when nothing is left to be written, well or not. */
  async drained(): Promise<void> {
    this.#flush()
    await this.#syncing
  }

  #flush(): void {
    const batch = this.#waiting
    if (batch.length === 0) return
    this.#waiting = []
    try {
      this.#write(batch.map(({line}) => line).join(''))
    } catch (error) {
      for (const {reject} of batch) reject(error)
      return
    }
    this.#written.push(...batch)
    this.#syncing ??= this.#syncAll()
  }

  async #syncAll(): Promise<void> {
    while (this.#written.length > 0) {
      const batch = this.#written
      this.#written = []
      try {
        await this.#sync()
        for (const {resolve} of batch) resolve()
      } catch (error) {
        for (const {reject} of batch) reject(error)
      }
    }
    this.#syncing = undefined
  }
}
