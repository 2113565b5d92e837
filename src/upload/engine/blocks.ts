const mebibyte = 1024 * 1024

/** The smallest piece of a file that is read and sent at a time: what a slow link takes of it still shows as progress. */
export const smallestBlock = mebibyte / 16
/** Larger blocks are no faster. */
const largestBlock = 2 * mebibyte
/** The memory of all blocks that are in use at a time. Each file that is read has two. */
const budget = 8 * mebibyte

/** The memory through which files are read: blocks that are used again and again, by several files at a time. */
export class Blocks {
  readonly #free: Buffer[] = []
  #readers = 0

  /** How many bytes of a block a file may use, so that those of all files together stay within bounds. */
  get largest(): number {
    let bytes = largestBlock
    while (bytes > smallestBlock && 2 * bytes * this.#readers > budget) bytes /= 2
    return bytes
  }

  /** Counts one more file among those that are read, until the returned function is called. */
  enter(): () => void {
    this.#readers += 1
    return () => {
      this.#readers -= 1
    }
  }

  /** A block of 2 MiB, with whatever is in it. The system gives it memory only where it is written. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(largestBlock)
  }

  /** Gives back a block of which nobody reads or writes any more. */
  give(block: Buffer): void {
    this.#free.push(block)
  }
}
