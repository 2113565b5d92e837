/** What a service is sent of one file, counted as it arrives, and how much of it was sent before. Sizes are bytes. */
export class Traffic {
  /** Bytes of the file that arrived, those that were sent again among them. */
  received = 0
  /** Uploads that were created: more than one where a client was killed before it could note the first, or began anew. */
  creates = 0
  /** The most that one PATCH announced. */
  largestChunk = 0
  /** What was sent a second time: in all, and at the most after one kill. */
  again = {total: 0, most: 0}
  #end = 0

  /** A PATCH begins at `offset` of the file; gives back what to call when so many bytes more have arrived. */
  patch(offset: number, announced: number): (bytes: number) => void {
    const again = Math.max(0, this.#end - offset)
    this.again = {total: this.again.total + again, most: Math.max(this.again.most, again)}
    this.largestChunk = Math.max(this.largestChunk, announced)
    let at = offset
    return (bytes) => {
      at += bytes
      this.received += bytes
      this.#end = Math.max(this.#end, at)
    }
  }
}
