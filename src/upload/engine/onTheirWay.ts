/** Records on their way to the disk. */
export class OnTheirWay {
  #all: Promise<unknown> = Promise.resolve()

  add(written: Promise<void>): void {
    this.#all = Promise.all([this.#all, written])
    this.#all.catch(() => undefined)
  }

  /** Waits until all of them are there. Raises the ledger's Failure where one is not. */
  async settled(): Promise<void> {
    await this.#all
  }
}
