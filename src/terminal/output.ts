import {constants, fstatSync, openSync, statSync, writeSync} from 'node:fs'
import {devNull} from 'node:os'

/** A stream that may be a terminal, such as stdout and stderr; `fd` where it is one of the process's own. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  readonly fd?: number
}

/** Why a result could not be written; the message is a sentence without a full stop. */
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
export class OutputWriter {
  readonly #target: OutputStream | StandardOutput
  #opened: OutputStream | undefined
  #pipe: number | undefined
  #closed = false
  /** A block that stays at the end of the terminal: what goes out instead of a text that is written above it. */
  above: ((text: string) => string) | undefined
  /** What every text becomes before it leaves. Bytes stay as they are. */
  filter: ((text: string) => string) | undefined

  /** Of stdout and stderr the stream is opened where it is needed: Node takes a twentieth of a short command for it. */
  constructor(target: OutputStream | StandardOutput) {
    this.#target = target
    if (typeof target !== 'number' || isTerminal(target)) this.#open()
  }

  #open(): OutputStream {
    if (this.#opened) return this.#opened
    const stream = typeof this.#target === 'number' ? standardStream(this.#target) : this.#target
    this.#opened = stream
    // Without a listener an error of the stream would end the process; the write's own callback carries it to us.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed ||= isClosedPipe(error) || this.#isGoneTerminal(error)
    })
    return stream
  }

  get #fd(): number | undefined {
    return typeof this.#target === 'number' ? this.#target : this.#target.fd
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
    return this.#opened?.isTTY === true
  }

  /** The width of the terminal now; undefined off a terminal. */
  get columns(): number | undefined {
    return this.isTerminal ? this.#opened?.columns || usualWidth : undefined
  }

  /** The height of the terminal now; undefined where it does not tell. */
  get rows(): number | undefined {
    return this.isTerminal ? this.#opened?.rows || undefined : undefined
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
      const rest = this.#writeNow(content)
      if (rest.length > 0) await writeTo(this.#open(), rest)
    } catch (error) {
      if (isClosedPipe(error) || this.#isGoneTerminal(error)) this.#closed = true
      else if (this.#fd !== stderr) throw outputError(error, this.#fd)
    }
  }

  /** Writes what can be written without the stream, and gives back the rest, for the stream to wait for a slow reader. */
  #writeNow(content: string | Uint8Array): string | Uint8Array {
    const fd = this.#fd
    if (fd === undefined || this.isTerminal) return content
    if (isFile(fd)) return writeWhole(fd, content)
    if (this.#opened) return content
    this.#pipe ??= openPipe(fd)
    return this.#pipe === undefined ? content : writeWhole(this.#pipe, content)
  }
}

const stdout = 1
const stderr = 2

/** The descriptor of stdout or stderr. */
export type StandardOutput = typeof stdout | typeof stderr

function standardStream(fd: StandardOutput): OutputStream {
  return fd === stdout ? process.stdout : process.stderr
}

function writeTo(stream: OutputStream, content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(content, (error?: Error | null) => (error ? reject(error) : resolve()))
  })
}

/** Neither pipe nor socket; asked where it is no terminal. */
function isFile(fd: number): boolean {
  const stat = fstatSync(fd)
  return stat.isFile() || stat.isCharacterDevice()
}

/**
 * Opens the pipe behind a descriptor once more, so that a write that would have to wait is refused (EAGAIN), and a signal is still
 * heard; for whoever shares the pipe its mode stays as it is. Undefined where that is not possible.
 */
function openPipe(fd: number): number | undefined {
  if (process.platform !== 'linux' || !fstatSync(fd).isFIFO()) return undefined
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return undefined // nobody reads, or it is somebody else's: the stream will tell
  }
}

/**
 * Writes to a file, and gives back what a full pipe did not take. Node's own stream to a file takes a write that a full disk cut
 * short for a whole one, and the rest is lost unsaid.
 */
function writeWhole(descriptor: number, content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error
  }
  return bytes.subarray(written)
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would exceed the size limit',
  EIO: 'the device reports an error',
}

function outputError(error: unknown, fd: number | undefined): OutputError {
  const code = codeOf(error)
  const where = fd === stdout ? 'to stdout' : 'the output'
  return new OutputError(`cannot write ${where}: ${reasons[code] ?? `the operating system refused it (${code})`}`, {
    cause: error,
  })
}

function isClosedPipe(error: unknown): boolean {
  return closedCodes.has(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}

/**
 * Ends the process by SIGHUP itself where it ends without the terminal that it began on: Node sets the terminal back at its
 * exit, and aborts with a core dump where it cannot. A shell sees 129 either way. `isHungUp`: SIGHUP has come.
 */
export function endByHangUp(outputs: readonly StandardOutput[], isHungUp: () => boolean): void {
  const terminals = outputs.filter(isTerminal)
  process.on('exit', () => {
    if (terminals.every(isTerminal) && !(isHungUp() && isInputLost())) return
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  })
}

/** Nobody may have asked what stdin is: a device that answers as no terminal does, and is not the one for nothing. */
function isInputLost(): boolean {
  try {
    const stat = fstatSync(0)
    return stat.isCharacterDevice() && !isTerminal(0) && stat.rdev !== statSync(devNull).rdev
  } catch {
    return false
  }
}

/** Node's module for terminals is loaded where there may be one, and then only. */
function isTerminal(descriptor: number): boolean {
  return isDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor)
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
  } catch {
    return process.platform === 'win32' // a console answers no such question there
  }
}

/** A program that shows long output, and what is written to it. */
export interface Pager {
  readonly output: OutputWriter
  /** Ends what is written and waits until the reader has closed the program. */
  close(): Promise<void>
}

/**
 * How `less` is started: it ends by itself where all fits (F), shows colours (R) and leaves what was read on the screen (X); since
 * version 608 it can keep a heading. Undefined where there is no `less`, or one of few options, as BusyBox has it.
 */
export function usualPager(env: Readonly<Record<string, string | undefined>>, hasHeading: boolean): string | undefined {
  const {spawnSync} = process.getBuiltinModule('node:child_process')
  const {stdout} = spawnSync('less', ['--version'], {env, encoding: 'utf8', timeout: 2000})
  const [, version] = /^less (\d+)/u.exec(stdout ?? '') ?? []
  if (version === undefined) return undefined
  return hasHeading && Number(version) >= 608 ? `less -FRX ${keepsHeading}` : 'less -FRX'
}

/** The option of `less` that keeps the first line on the screen. */
export const keepsHeading = '--header=1'

/** For a pager that keeps no heading: the first line comes again at the top of each screen of `rows` lines, one of which is its prompt. */
export function repeatHeading(rows: number): (text: string) => string {
  const body = Math.max(1, rows - 2)
  let heading: string | undefined
  let count = 0
  const placed = (line: string) => {
    if (heading === undefined) {
      heading = line
      return line
    }
    const isFirst = count > 0 && count % body === 0
    count += 1
    return isFirst ? heading + line : line
  }
  return (text) =>
    text
      .split(/(?<=\n)/u)
      .map(placed)
      .join('')
}

/**
 * Starts a pager such as `less -FRX` on the terminal, without a shell; undefined where it cannot be started. `less` is told
 * by LESS, where nothing else is said, to leave a short output on the screen and to show colours. `signal` ends it.
 */
export async function openPager(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Pager | undefined> {
  const {spawn} = process.getBuiltinModule('node:child_process')
  const [file = '', ...args] = command.trim().split(/\s+/u)
  const child = spawn(file, args, {stdio: ['pipe', 'inherit', 'inherit'], env: {LESS: 'FRX', ...env}})
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })
  if (!started) return undefined
  const output = new OutputWriter(child.stdin)
  const end = () => void child.kill()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, {once: true})
  return {
    output,
    close: () => {
      child.stdin.end()
      return ended
    },
  }
}
