/** A stream that may be a terminal, such as stdout and stderr. */
export type OutputStream = NodeJS.WritableStream & {readonly isTTY?: boolean; readonly columns?: number}

/** What a terminal is taken for when it does not tell its width. */
const usualWidth = 80

/** How a reader that went away is reported: on Linux and macOS, on Windows, and by a stream that already knows. */
const closedCodes = new Set(['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])

/**
 * Text to a stream, at the speed of its reader. When the reader closes the pipe (`| head`), `closed` becomes true, and
 * that and every later write is taken and forgotten: the program can end quietly (product §2). Any other error, such as
 * a full disk, is raised by the write that met it.
 */
export class Output {
  readonly #stream: OutputStream
  #closed = false

  constructor(stream: OutputStream) {
    this.#stream = stream
    // Without a listener an error of the stream would end the process; the write's own callback carries it to us.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed ||= isClosedPipe(error)
    })
  }

  /** True once the reader is gone. */
  get closed(): boolean {
    return this.#closed
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true
  }

  /** The width of the terminal now; undefined off a terminal. */
  get columns(): number | undefined {
    return this.isTerminal ? this.#stream.columns || usualWidth : undefined
  }

  /** Writes text and waits until the stream has handed it on, so that a slow reader slows the writer and loses nothing. */
  write(text: string): Promise<void> {
    if (this.#closed || text === '') return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#stream.write(text, (error?: NodeJS.ErrnoException | null) => {
        if (error && !isClosedPipe(error)) return reject(error)
        if (error) this.#closed = true
        resolve()
      })
    })
  }
}

function isClosedPipe(error: NodeJS.ErrnoException): boolean {
  return closedCodes.has(error.code ?? '')
}
