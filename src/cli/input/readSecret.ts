import {isUtf8} from 'node:buffer'
import {TextDecoder} from 'node:util'
import {type Failure, failureWith, fileFailure, wrongUsage} from '../../failure.js'
import {whyUnasked} from '../../terminal/ask.js'
import {readAll} from '../../terminal/input.js'
import {safeText} from '../../text/text.js'
import {readSmallFile} from '../files/readFile.js'
import type {Runtime} from '../runtime/runtime.js'
import type {Session} from '../session/session.js'

const longestSecret = 64 * 1024

/** The sources of a secret: the file or stdin named by flags, then the environment, then a hidden prompt. */
export interface SecretSources {
  /** In words that follow `the`: `password of the certificate`. */
  readonly what: string
  /** The prefix of its flags: `password` for --password-file and --password-stdin. */
  readonly flag: string
  readonly file?: string | undefined
  /** Whether stdin was requested. On a terminal the secret is then typed, hidden. */
  readonly stdin?: boolean | undefined
  /** The environment variable; an empty one counts as not set. */
  readonly env?: string
  readonly prompt: string
  /** A .p12 may have an empty password. */
  readonly mayBeEmpty?: boolean
  /** Whether several lines are returned as well, for a caller with its own message about them. */
  readonly mayBeLines?: boolean
  /** Advice if roomctl cannot ask; default: the flags. */
  readonly advice?: string
}

interface SecretSession extends Pick<Session, 'mayAsk' | 'secrets' | 'warn'> {
  readonly runtime: Pick<Runtime, 'stdin' | 'env' | 'ask' | 'platform' | 'signal'>
}

/**
 * A secret of one line, without its line end; it is masked from then on. Throws Failure: usage if two sources are named,
 * none can be used or it is not one line; file if its file is the cause.
 */
export async function readSecret(session: SecretSession, sources: SecretSources): Promise<string> {
  const secret = await readOneLine(session, sources)
  session.secrets.add(secret)
  if (secret !== '' || sources.mayBeEmpty) return secret
  throw unusableSecret(sources, `the ${sources.what} is empty`, 'the input was empty')
}

async function readOneLine(session: SecretSession, sources: SecretSources): Promise<string> {
  const {flag, file, stdin, env} = sources
  if (file !== undefined && stdin) {
    throw wrongUsage(`--${flag}-file and --${flag}-stdin cannot be used together`)
  }
  if (file !== undefined && file !== '-') return fromFile(session, sources, file)
  if (stdin || file === '-') return session.runtime.stdin.isTTY ? typed(session, sources) : fromStdin(session, sources)
  const held = env === undefined ? '' : (session.runtime.env[env] ?? '')
  return held === '' ? typed(session, sources) : firstLine(held, sources)
}

async function fromFile({runtime, warn}: SecretSession, sources: SecretSources, path: string): Promise<string> {
  const advice = sources.advice ?? `--${sources.flag}-stdin reads the ${sources.what} from a pipe`
  const {bytes, isOpenToOthers} = readSmallFile(path, {maxBytes: longestSecret, most: '64 KiB', advice})
  if (isOpenToOthers && runtime.platform !== 'win32') {
    warn(
      `warning: other users can read ${safeText(path)}, which contains the ${sources.what}: chmod 600 restricts it to you`,
    )
  }
  return firstLine(decodeSecret(bytes, path), {...sources, file: path})
}

async function fromStdin({runtime}: SecretSession, sources: SecretSources): Promise<string> {
  return firstLine(await readAll(runtime.stdin, {maxBytes: longestSecret, idleMs: 30_000, signal: runtime.signal}), {
    ...sources,
    file: undefined,
  })
}

async function typed({runtime, mayAsk}: SecretSession, sources: SecretSources): Promise<string> {
  if (mayAsk) return runtime.ask.secret(sources.prompt)
  const {what, flag, env} = sources
  const held = env === undefined ? '' : `, or set ${env}`
  throw wrongUsage(`cannot ask for the ${what}`, {
    why: whyUnasked(runtime.ask),
    try: sources.advice ?? `pipe it in with --${flag}-stdin, or name a file with --${flag}-file${held}`,
  })
}

function decodeSecret(bytes: Uint8Array, path: string): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  throw fileFailure(`cannot read ${path}`, {why: 'it is not UTF-8 text'})
}

/** Without its last line end, which an editor or `echo` adds. */
function firstLine(text: string, sources: SecretSources): string {
  const line = text.replace(/\r?\n$/u, '')
  if (sources.mayBeLines || !/[\r\n\0]/u.test(line)) return line
  throw unusableSecret(sources, `the ${sources.what} is not one line of text`, 'it contains line breaks or zero bytes')
}

function unusableSecret({file}: SecretSources, what: string, why: string): Failure {
  const isFile = file !== undefined && file !== '-'
  return failureWith(isFile ? 'file' : 'usage', isFile ? `${what}: ${file}` : what, {why})
}
