import type {Interface} from 'node:readline'
import type {Readable} from 'node:stream'
import {TextDecoder} from 'node:util'
import {Interrupted} from './questions.js'

/** Why stdin could not be used. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly reason: 'too-large' | 'idle' | 'not-text'

  constructor(reason: InputError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export type InputStream = Readable & {readonly isTTY?: boolean}

export interface InputLimits {
  readonly maxBytes: number
  /** How long to wait for the next piece; somebody who types at a terminal is waited for without end. */
  readonly idleMs: number
  /** Ends the waiting: Ctrl-C. */
  readonly signal?: AbortSignal
}

/** Everything that stdin holds, as UTF-8 text without a byte order mark. Raises as `readBytes` does, and InputError: not text. */
export async function readAll(stdin: InputStream, limits: InputLimits): Promise<string> {
  const decoder = textDecoder()
  return decodePart(decoder, await readBytes(stdin, limits)) + decodePart(decoder)
}

/**
 * The bytes that stdin holds. Only for a command whose `-` asked for it: no other reads stdin, so that `while read` keeps its
 * lines. Raises InputError: too large, silent for too long; and Interrupted if the signal ends it.
 */
export async function readBytes(stdin: InputStream, {maxBytes, idleMs, signal}: InputLimits): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  const timer = stdin.isTTY ? undefined : idleTimer(stdin, idleMs)
  const release = endingWith(stdin, signal)
  try {
    for await (const piece of stdin) {
      timer?.refresh()
      const bytes = Buffer.from(piece)
      size += bytes.length
      if (size > maxBytes) throw new InputError('too-large', `stdin has more than ${maxBytes} bytes`)
      pieces.push(bytes)
    }
  } finally {
    clearTimeout(timer)
    release()
  }
  return Buffer.concat(pieces)
}

/** The longest line that is taken for one. */
const longestLine = 1024 * 1024

/** The lines of stdin as they come, without their line breaks (LF or CRLF). Raises errors as `readAll` does. */
export async function* lines(stdin: InputStream, signal?: AbortSignal): AsyncGenerator<string> {
  const decoder = textDecoder()
  const release = endingWith(stdin, signal)
  let rest = ''
  try {
    for await (const piece of stdin) {
      const bytes = Buffer.from(piece)
      // ASCII letters in UTF-16 are valid UTF-8 with zero bytes, which no text has.
      if (bytes.includes(0)) throw notText()
      const parts = (rest + decodePart(decoder, bytes)).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) yield line.replace(/\r$/, '')
      if (rest.length > longestLine)
        throw new InputError('too-large', `a line of stdin is longer than ${longestLine} characters`)
    }
  } finally {
    release()
  }
  const last = rest + decodePart(decoder)
  if (last !== '') yield last.replace(/\r$/, '')
}

/** Ends the stream with an error when nothing came for a while; `refresh` restarts the wait. */
function idleTimer(stdin: InputStream, idleMs: number): NodeJS.Timeout {
  const error = new InputError('idle', `no data on stdin for ${idleMs / 1000} s`)
  return setTimeout(() => stdin.destroy(error), idleMs)
}

/** Ends the stream when the signal comes; gives back what lets go of the signal. */
function endingWith(stdin: InputStream, signal: AbortSignal | undefined): () => void {
  const end = () => stdin.destroy(new Interrupted())
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end, {once: true})
  return () => signal?.removeEventListener('abort', end)
}

function textDecoder(): TextDecoder {
  return new TextDecoder('utf-8', {fatal: true})
}

/** The text of the next bytes; without bytes, the end of what was held back. */
function decodePart(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true})
  } catch {
    throw notText()
  }
}

function notText(): InputError {
  return new InputError('not-text', 'stdin is not UTF-8 text')
}

/** How long a lone Esc waits for the rest of an arrow key, in milliseconds; half a second, Node's own, feels broken. */
const escapeCodeTimeout = 50

/** Calls back when Esc or Ctrl-D is pressed, where keys are read one by one. Gives back what ends it. */
export async function onEscape(stdin: NodeJS.ReadStream, call: (key: 'escape' | 'end') => void): Promise<() => void> {
  const {emitKeypressEvents} = await import('node:readline')
  // The first to ask for keys sets the time; the interface stands for nothing else.
  emitKeypressEvents(stdin, {escapeCodeTimeout} as unknown as Interface)
  const onKey = (_text: unknown, {name, ctrl}: {readonly name?: string; readonly ctrl?: boolean}) => {
    if (name === 'escape') call('escape')
    if (name === 'd' && ctrl === true) call('end')
  }
  stdin.on('keypress', onKey)
  return () => void stdin.off('keypress', onKey)
}
