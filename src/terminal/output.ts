import {fstatSync, writeSync} from 'node:fs'

/** A stream that may be a terminal, such as stdout and stderr; `fd` where it is one of the process's own. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  readonly fd?: number
}

/** Why a result could not be written; the message is a sentence without a stop. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

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
  /** A block that stays at the end of the terminal: what goes out instead of a text that is written above it. */
  above: ((text: string) => string) | undefined
  /** What every text becomes before it leaves. Bytes stay as they are. */
  filter: ((text: string) => string) | undefined

  constructor(stream: OutputStream) {
    this.#stream = stream
    // Without a listener an error of the stream would end the process; the write's own callback carries it to us.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed ||= isClosedPipe(error) || this.#isGoneTerminal(error)
    })
  }

  /** How a terminal whose window was closed answers. */
  #isGoneTerminal(error: unknown): boolean {
    return this.isTerminal && codeOf(error) === 'EIO'
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

  /** The height of the terminal now; undefined where it does not tell. */
  get rows(): number | undefined {
    return this.isTerminal ? this.#stream.rows || undefined : undefined
  }

  /**
   * Writes text, or the bytes of a file, and waits until the stream has handed it on, so that a slow reader slows the
   * writer and loses nothing.
   */
  async write(content: string | Uint8Array): Promise<void> {
    if (content.length === 0) return
    await this.paint(this.above && typeof content === 'string' ? this.above(content) : content)
  }

  /** Writes as `write` does, over a block that is kept at the end of the terminal. */
  async paint(given: string | Uint8Array): Promise<void> {
    if (this.#closed) return
    const content = this.filter && typeof given === 'string' ? this.filter(given) : given
    try {
      const file = fileBehind(this.#stream)
      if (file === undefined) await writeTo(this.#stream, content)
      else writeWhole(file, content)
    } catch (error) {
      if (isClosedPipe(error) || this.#isGoneTerminal(error)) this.#closed = true
      else if (this.#stream.fd !== stderr) throw outputError(error, this.#stream)
    }
  }
}

const stdout = 1
const stderr = 2

function writeTo(stream: OutputStream, content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(content, (error?: Error | null) => (error ? reject(error) : resolve()))
  })
}

/** The descriptor of a stream that is a file: neither terminal nor pipe nor socket. */
function fileBehind({fd, isTTY}: OutputStream): number | undefined {
  if (fd === undefined || isTTY) return undefined
  const stat = fstatSync(fd)
  return stat.isFile() || stat.isCharacterDevice() ? fd : undefined
}

/** Node's own stream to a file takes a write that a full disk cut short for a whole one, and the rest is lost unsaid. */
function writeWhole(descriptor: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than is allowed here',
  EIO: 'the device reports an error',
}

function outputError(error: unknown, {fd}: OutputStream): OutputError {
  const code = codeOf(error)
  const where = fd === stdout ? 'to stdout' : 'the output'
  return new OutputError(`cannot write ${where}: ${reasons[code] ?? `the system refused it (${code})`}`, {cause: error})
}

function isClosedPipe(error: unknown): boolean {
  return closedCodes.has(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
