/** What a service is sent of one file, counted as it arrives, and how much of it was sent before. Sizes are bytes. */
export class Traffic {
  /** Bytes of the file that arrived, those that were sent again among them. */
  received = 0
  /** Uploads that were created: more than one where a client was killed before it could note the first, or began anew. */
  creates = 0
  /** The most that one PATCH announced. */
  largestChunk = 0
  /** What each process sent a second time, in their order. */
  readonly again: number[] = [0]
  /** Up to where the newest PATCH has brought the file. */
  at = 0
  /** What happened, in order, to be shown where it is not what is asked. */
  readonly history: string[] = []
  #end = 0

  /** Another process begins. */
  begin(): void {
    this.again.push(0)
  }

  /** An upload is created. */
  create(): void {
    this.creates += 1
    this.history.push('created')
  }

  /** A PATCH begins at `offset` of the file; gives back what to call when so many bytes more have arrived. */
  patch(offset: number, announced: number): (bytes: number) => void {
    const known = this.#end
    // What a process sent can arrive after it was killed.
    const process = this.again.length - 1
    this.largestChunk = Math.max(this.largestChunk, announced)
    this.history.push(`PATCH at ${offset} of ${announced}`)
    let at = offset
    this.at = at
    return (bytes) => {
      this.#count(process, Math.min(known, at + bytes) - at)
      at += bytes
      this.at = at
      this.received += bytes
      this.#end = Math.max(this.#end, at)
    }
  }

  #count(process: number, again: number): void {
    if (again > 0) this.again[process] = (this.again[process] ?? 0) + again
  }
}
