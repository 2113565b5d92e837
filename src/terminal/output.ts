import {constants, fstatSync, openSync, statSync, writeSync} from 'node:fs'
import {devNull} from 'node:os'
import {type Failure, fileFailure} from '../failure.js'

/** `fd` is set on the streams of the process. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  readonly fd?: number
}

/** Lines at the end of a terminal: `above` transforms text to appear above them. */
interface LiveLines {
  above(text: string): string
  end(): void
}

const usualWidth = 80

/** The errors of a closed pipe: on Linux and macOS, on Windows, and of a destroyed stream. */
const closedCodes = new Set(['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])

/**
 * Writes to a stream with backpressure. After the reader closed the pipe (`| head`) `closed` is true, and writes are dropped,
 * so that the program can end quietly. Other errors are thrown by the write that meets them.
 */
export class OutputWriter {
  #opened: OutputStream | undefined
  #pipe: number | undefined
  #closed = false
  /** Lines that are kept at the end of the terminal (live.ts). */
  live: LiveLines | undefined
  /** Called before text or bytes are written. */
  before: (() => void) | undefined
  /** The number of writes, except of lines at the end. */
  writes = 0
  /** Applied to all text in their order; not to bytes. */
  readonly masks: ((text: string) => string)[] = []
  /** Applied last, also to text that is masked already. */
  guard = (text: string): string => text

  /** stdout and stderr are opened on first use: opening takes Node a twentieth of a short command. */
  constructor(private readonly target: OutputStream | StandardOutput) {
    if (typeof target !== 'number' || isTerminal(target)) this.#open()
  }

  #open(): OutputStream {
    if (this.#opened) return this.#opened
    const stream = typeof this.target === 'number' ? standardStream(this.target) : this.target
    this.#opened = stream
    // Without a listener the error would end the process; the callback of the write reports it.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed ||= isClosedPipe(error) || this.#isGoneTerminal(error)
    })
    return stream
  }

  get #fd(): number | undefined {
    return typeof this.target === 'number' ? this.target : this.target.fd
  }

  /** A terminal whose window was closed. */
  #isGoneTerminal(error: unknown): boolean {
    return this.isTerminal && codeOf(error) === 'EIO'
  }

  get closed(): boolean {
    return this.#closed
  }

  get isTerminal(): boolean {
    return this.#opened?.isTTY === true
  }

  get columns(): number | undefined {
    return this.isTerminal ? this.#opened?.columns || usualWidth : undefined
  }

  get rows(): number | undefined {
    return this.isTerminal ? this.#opened?.rows || undefined : undefined
  }

  /** Writes text or bytes and waits for the stream, so that a slow reader slows the writer. */
  async write(content: string | Uint8Array, isMasked = false): Promise<void> {
    if (content.length === 0) return
    this.writes += 1
    this.before?.()
    await this.paint(this.live && typeof content === 'string' ? this.live.above(content) : content, isMasked)
  }

  /** As `write`, but over the lines at the end of the terminal. */
  async paint(chunk: string | Uint8Array, isMasked = false): Promise<void> {
    if (this.#closed) return
    const content = typeof chunk === 'string' ? this.guard(isMasked ? chunk : this.masked(chunk)) : chunk
    try {
      const rest = this.#writeNow(content)
      if (rest.length > 0) await writeTo(this.#open(), rest)
    } catch (error) {
      if (isClosedPipe(error) || this.#isGoneTerminal(error)) this.#closed = true
      else if (this.#fd !== stderr) throw outputError(error, this.#fd)
    }
  }

  masked(text: string): string {
    return this.masks.reduce((masked, mask) => mask(masked), text)
  }

  /** Writes synchronously what it can and returns the rest for the stream. */
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

export type StandardOutput = typeof stdout | typeof stderr

function writeTo(stream: OutputStream, content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(content, (error?: Error | null) => (error ? reject(error) : resolve()))
  })
}

function standardStream(fd: StandardOutput): OutputStream {
  return fd === stdout ? process.stdout : process.stderr
}

/** Neither pipe nor socket. */
function isFile(fd: number): boolean {
  const stat = fstatSync(fd)
  return stat.isFile() || stat.isCharacterDevice()
}

/**
 * Opens the pipe again in non-blocking mode, so that signals are handled while the reader is slow; the mode of the shared pipe
 * is unchanged. Undefined if that is not possible.
 */
function openPipe(fd: number): number | undefined {
  if (process.platform !== 'linux' || !fstatSync(fd).isFIFO()) return undefined
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return undefined // no reader, or another user's pipe
  }
}

/**
 * Writes to a file and returns what a full pipe did not take. Node's stream to a file ignores a write that a full disk cut
 * short.
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

function outputError(error: unknown, fd: number | undefined): Failure {
  const code = codeOf(error)
  const where = fd === stdout ? 'to stdout' : 'the output'
  const why = reasons[code] ?? `the operating system refused it (${code})`
  return fileFailure(`cannot write ${where}: ${why}`, {code: 'output'}, {cause: error})
}

function isClosedPipe(error: unknown): boolean {
  return closedCodes.has(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}

/**
 * Ends the process with SIGHUP if its terminal is gone: at exit Node restores the terminal, and aborts with a core dump if it
 * cannot. A shell sees 129 either way. `isHungUp`: SIGHUP was received.
 */
export function endByHangUp(outputs: readonly StandardOutput[], isHungUp: () => boolean): void {
  const terminals = outputs.filter(isTerminal)
  process.on('exit', () => {
    if (terminals.every(isTerminal) && !(isHungUp() && isInputLost())) return
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  })
}

/** Whether stdin is a character device that is neither a terminal nor /dev/null. */
function isInputLost(): boolean {
  try {
    const stat = fstatSync(0)
    return stat.isCharacterDevice() && !isTerminal(0) && stat.rdev !== statSync(devNull).rdev
  } catch {
    return false
  }
}

/** Imports node:tty only for a device. */
function isTerminal(descriptor: number): boolean {
  return isDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor)
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
  } catch {
    return process.platform === 'win32' // consoles of Windows refuse fstat
  }
}

interface ColorOptions {
  readonly flag?: 'auto' | 'always' | 'never' | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Whether a stream has colour. The first one set wins: `--color`, NO_COLOR (not empty), FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR=0,
 * TERM=dumb, and then whether the stream is a terminal (docs/output.md).
 */
export function hasColor({isTTY}: {readonly isTTY?: boolean | undefined}, {flag, env}: ColorOptions): boolean {
  if (flag === 'never' || flag === 'always') return flag === 'always'
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return isOn(env.FORCE_COLOR)
  if (isOn(env.CLICOLOR_FORCE)) return true
  return env.CLICOLOR !== '0' && env.TERM !== 'dumb' && isTTY === true
}

/** Whether a variable switches something on: not if it is empty, `0` or `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:|0|false)$/iu.test(value)
}

type Env = Readonly<Record<string, string | undefined>>

/** For a screen reader (ACCESSIBLE=1): no repainting, no truncation, words instead of symbols. */
export function isAccessible({ACCESSIBLE: value}: Env): boolean {
  return isOn(value)
}

/** Whether nothing may be repainted: for a screen reader, and without cursor control. */
export function isPlain(env: Env): boolean {
  return env.TERM === 'dumb' || isAccessible(env)
}
