/** Received bytes of files, and how many of each were received before. Sizes are bytes. */
export class Traffic {
  /** Bytes of the files that arrived, those that were sent again among them. */
  received = 0
  /** Uploads that were created: more than one of a file where a client was killed before it could note the first, or started over. */
  creates = 0
  /** The most that one PATCH announced. */
  largestChunk = 0
  /** Bytes of the files that arrived at least once. */
  known = 0
  /** The events in order, to be shown on a failure. */
  readonly history: string[] = []
  /** Called after each change. */
  onChange: () => void = () => {}
  /** Bytes of a file that each process sent again, in their order. */
  readonly #again: Map<string, number>[] = [new Map()]
  /** The received part of a file. */
  readonly #ends = new Map<string, number>()

  /** Another process begins. */
  begin(): void {
    this.#again.push(new Map())
  }

  /** An upload is created. */
  create(): void {
    this.creates += 1
    this.history.push('created')
    this.onChange()
  }

  /** The most that one process sent again of one file. */
  get mostAgain(): number {
    return Math.max(0, ...this.#again.flatMap((files) => [...files.values()]))
  }

  /** A PATCH begins at `offset` of the file; returns what to call when `bytes` more have arrived. */
  patch(file: string, offset: number, announced: number): (bytes: number) => void {
    const before = this.#ends.get(file) ?? 0
    // What a process sent can arrive after it was killed.
    const again = this.#again.at(-1) ?? new Map<string, number>()
    this.largestChunk = Math.max(this.largestChunk, announced)
    this.history.push(`PATCH of ${file} at ${offset} of ${announced}`)
    let at = offset
    return (bytes) => {
      const twice = Math.min(before, at + bytes) - at
      if (twice > 0) again.set(file, (again.get(file) ?? 0) + twice)
      at += bytes
      this.received += bytes
      const end = this.#ends.get(file) ?? 0
      this.known += Math.max(0, at - end)
      this.#ends.set(file, Math.max(end, at))
      this.onChange()
    }
  }
}
