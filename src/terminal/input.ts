import {fstatSync} from 'node:fs'
import type {Interface} from 'node:readline'
import type {Readable} from 'node:stream'
import {TextDecoder} from 'node:util'
import {type Failure, wrongUsage} from '../failure.js'
import {Interrupted} from './questions.js'

export type InputStream = Readable & {readonly isTTY?: boolean}

export interface InputLimits {
  readonly maxBytes: number
  /** The maximum time without data; none on a terminal. */
  readonly idleMs: number
  readonly signal?: AbortSignal
  /** The Failure of input other than stdin. */
  readonly refuse?: (problem: InputProblem) => Failure
}

type InputProblem = 'too-large' | 'idle'

/** All of stdin as UTF-8 text without a byte order mark. Throws as `readBytes`, and Failure (usage) if it is not text. */
export async function readAll(stdin: InputStream, limits: InputLimits): Promise<string> {
  const decoder = textDecoder()
  return decodePart(decoder, await readBytes(stdin, limits)) + decodePart(decoder)
}

/**
 * All bytes of stdin. Only a command with an explicit `-` reads it, so that `while read` loops keep their lines. Throws
 * Failure (usage): too large, idle; and Interrupted on the signal.
 */
export async function readBytes(stdin: InputStream, limits: InputLimits): Promise<Buffer> {
  const {maxBytes, idleMs, signal, refuse = stdinRefusal(limits)} = limits
  const pieces: Buffer[] = []
  let size = 0
  const timer = stdin.isTTY ? undefined : setTimeout(() => stdin.destroy(refuse('idle')), idleMs)
  const release = endingWith(stdin, signal)
  try {
    for await (const piece of piecesOf(stdin)) {
      timer?.refresh()
      const bytes = Buffer.from(piece)
      size += bytes.length
      if (size > maxBytes) throw refuse('too-large')
      pieces.push(bytes)
    }
  } finally {
    clearTimeout(timer)
    release()
  }
  return Buffer.concat(pieces)
}

/** Node reads a folder as stdin like an empty file. */
async function* piecesOf(stdin: InputStream): AsyncGenerator<Uint8Array | string> {
  if ('fd' in stdin && typeof stdin.fd === 'number' && fstatSync(stdin.fd).isDirectory())
    throw wrongUsage('stdin is a folder; nothing was sent', {try: 'give a file or a pipe'})
  yield* stdin
}

const longestLine = 1024 * 1024

/** The lines of stdin without their line breaks (LF, CRLF or CR). Throws as `readAll` does. */
export async function* lines(stdin: InputStream, signal?: AbortSignal): AsyncGenerator<string> {
  const decoder = textDecoder()
  const release = endingWith(stdin, signal)
  let rest = ''
  try {
    for await (const piece of piecesOf(stdin)) {
      const bytes = Buffer.from(piece)
      if (bytes.includes(0)) throw isWide(bytes) ? stdinNotText() : separatedByNul()
      // The last CR may be half of a CRLF.
      const parts = (rest + decodePart(decoder, bytes)).split(/\r\n|\n|\r(?!$)/u)
      rest = parts.pop() ?? ''
      yield* parts
      if (rest.length > longestLine) throw wrongUsage(`a line of stdin is longer than ${longestLine} characters`)
    }
  } finally {
    release()
  }
  const last = rest + decodePart(decoder)
  if (last !== '') yield last.replace(/\r$/, '')
}

/** UTF-16 of ASCII letters is valid UTF-8 with zero bytes: every second one. */
function isWide(bytes: Uint8Array): boolean {
  return bytes[0] === 0 || bytes[1] === 0
}

function separatedByNul(): Failure {
  return wrongUsage('stdin is separated by NUL characters; nothing was sent', {
    why: 'each line is one id',
    try: "pass it through: tr '\\0' '\\n'",
  })
}

function stdinRefusal({maxBytes, idleMs}: InputLimits) {
  return (problem: InputProblem) =>
    wrongUsage(problem === 'idle' ? `no data on stdin for ${idleMs / 1000} s` : `stdin has more than ${maxBytes} bytes`)
}

/** Destroys the stream on the signal; returns a function that removes the listener. */
function endingWith(stdin: InputStream, signal: AbortSignal | undefined): () => void {
  const end = () => stdin.destroy(new Interrupted())
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end, {once: true})
  return () => signal?.removeEventListener('abort', end)
}

function textDecoder(): TextDecoder {
  return new TextDecoder('utf-8', {fatal: true})
}

/** Without bytes, the rest. */
function decodePart(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true})
  } catch {
    throw stdinNotText()
  }
}

/** Spreadsheets often save text in another encoding. */
export const encodingAdvice = 'save it as UTF-8, or convert it with iconv -f CP949 -t UTF-8'

export function stdinNotText(where = 'it', advice = encodingAdvice): Failure {
  const why = `${where} is in another encoding and would be sent damaged`
  return wrongUsage('stdin is not UTF-8 text; nothing was sent', {why, try: advice})
}

/** How long a lone Esc waits for the rest of an escape sequence, in milliseconds; Node's default of 500 feels broken. */
const escapeCodeTimeout = 50

/** Calls back when Esc or Ctrl-D is pressed. Returns a function that stops it. */
export async function onEscape(stdin: NodeJS.ReadStream, call: () => void): Promise<() => void> {
  const {emitKeypressEvents} = await import('node:readline')
  // The first caller sets the timeout, which is all that is read of this interface.
  emitKeypressEvents(stdin, {escapeCodeTimeout} as unknown as Interface)
  const onKey = (_text: unknown, {name, ctrl}: {readonly name?: string; readonly ctrl?: boolean}) => {
    if (name === 'escape' || (name === 'd' && ctrl === true)) call()
  }
  stdin.on('keypress', onKey)
  return () => void stdin.off('keypress', onKey)
}
