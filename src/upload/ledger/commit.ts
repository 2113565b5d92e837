interface Waiting<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Syncs that come one right after the other cost more than they are worth, so a later one waits this long for more. */
const pauseMs = 25

/**
 * Writes for many at once. What comes in one turn of the event loop shares a write, so that a process that is killed right after it
 * loses none; what is written while the disk is busy, or shortly after, shares the next sync.
 */
export class GroupCommit<Item> {
  readonly #write: (items: readonly Item[]) => void
  readonly #sync: () => Promise<void>
  #waiting: Waiting<Item>[] = []
  #written: Waiting<Item>[] = []
  #syncing: Promise<void> | undefined
  #syncedAt = Number.NEGATIVE_INFINITY
  #isUrgent = false
  #endPause = () => {}

  /** `write` gives items to the system, `sync` settles when all that was written is on the disk. */
  constructor(write: (items: readonly Item[]) => void, sync: () => Promise<void>) {
    this.#write = write
    this.#sync = sync
  }

  /** Settles when the item is on the disk, or raises what `write` or `sync` raised. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.give())
      this.#waiting.push({item, resolve, reject})
    })
  }

  /** Gives what was added to the system now, and not at the end of the turn. */
  give(): void {
    const batch = this.#waiting
    if (batch.length === 0) return
    this.#waiting = []
    try {
      this.#write(batch.map(({item}) => item))
    } catch (error) {
      for (const {reject} of batch) reject(error)
      return
    }
    this.#written.push(...batch)
    this.#syncing ??= this.#syncAll()
  }

  /** What was added is waited for: the next sync comes without a pause. */
  hurry(): void {
    this.give()
    this.#isUrgent = true
    this.#endPause()
  }

  /** Settles when nothing is left to be written, well or not. */
  async drained(): Promise<void> {
    this.hurry()
    await this.#syncing
  }

  async #syncAll(): Promise<void> {
    while (this.#written.length > 0) {
      await this.#pause()
      this.#isUrgent = false
      const batch = this.#written
      this.#written = []
      try {
        await this.#sync()
        for (const {resolve} of batch) resolve()
      } catch (error) {
        for (const {reject} of batch) reject(error)
      }
      this.#syncedAt = performance.now()
    }
    this.#syncing = undefined
  }

  async #pause(): Promise<void> {
    const ms = this.#syncedAt + pauseMs - performance.now()
    if (this.#isUrgent || ms <= 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
