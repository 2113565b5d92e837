import {accessSync, constants, lstatSync, openSync, readSync} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {fileFailure, wrongUsage} from '../../failure.js'
import {reasonOf, systemCode, thenClose} from '../../storage/disk/privateFile.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'
import type {Session} from '../session/session.js'

export interface OutputKind {
  /** For people: `lock`. */
  readonly what: string
  readonly starts: readonly RegExp[]
  /** Who may read it if not only its user. */
  readonly readers?: 'umask'
}

/** More than the beginning of any kind, which may contain a path. */
const startBytes = 16 * 1024

interface OutputOptions {
  readonly flag: string
  readonly kind: OutputKind
  readonly overwrite: boolean
  /** For a dry run: the file is only checked. */
  readonly preview?: boolean | undefined
}

/** A file named by a flag, or stdout, which then has no other output. */
export interface OutputFile {
  readonly path: string
  readonly isStdout: boolean
  /** Writes a text, or one in pieces of whole lines. Throws Failure (file). */
  readonly write: (text: string | Iterable<string>) => Promise<void>
}

export const stdoutName = '-'

/**
 * Checks before anything is sent whether a file named by a flag may be written (product, Files): a new or empty one, an
 * earlier one of its kind, or any file with `overwrite`; never a link. `-` and `/dev/stdout` are stdout. Throws Failure:
 * file, or usage if two flags name the same.
 */
export function outputFile(session: Session, name: string, options: OutputOptions): OutputFile {
  const {flag, kind, preview} = options
  if (name === '') throw wrongUsage(`${flag} names no file`, {try: `name a file after ${flag}`})
  const isStdout = isStdoutName(name)
  const place = isStdout ? stdoutName : resolve(name)
  const other = session.outputs.get(place)
  if (other !== undefined) {
    throw wrongUsage(`${other} and ${flag} name the same output: ${isStdout ? 'stdout' : name}`)
  }
  if (!isStdout) assertOutput(name, options, '; nothing was sent')
  if (!preview) session.outputs.set(place, flag)
  const write = async (text: string | Iterable<string>) => {
    const pieces = typeof text === 'string' ? [text] : text
    if (isStdout) {
      for (const piece of pieces) await session.runtime.stdout.write(piece)
      return
    }
    assertOutput(name, options)
    writeWhole(name, maskedBytes(session, pieces), kind.readers ?? 'user')
  }
  return {path: name, isStdout, write}
}

export function isStdoutName(name: string): boolean {
  return name === stdoutName || name === '/dev/stdout'
}

/** Throws Failure (file) if `outputFile` would refuse it. Without a `kind` no existing file counts as an earlier one. */
export function assertOutput(path: string, {kind, overwrite}: Partial<OutputOptions>, consequence = ''): void {
  const hindrance = obstacle(path, kind, overwrite === true)
  if (hindrance === undefined) return
  const advice = hindrance.isReplaceable ? 'add --overwrite to replace it, or name another file' : 'name another file'
  throw fileFailure(`cannot write ${path}${consequence}`, {why: hindrance.why, try: advice})
}

interface Obstacle {
  readonly why: string
  readonly isReplaceable?: boolean
}

function obstacle(path: string, kind: OutputKind | undefined, overwrite: boolean): Obstacle | undefined {
  try {
    const there = lstatSync(path, {throwIfNoEntry: false})
    if (there?.isSymbolicLink()) return {why: 'it is a symbolic link'}
    if (there && !there.isFile()) return {why: 'it is not a file'}
    accessSync(dirname(path), constants.W_OK)
    if (!there || there.size === 0 || overwrite) return undefined
    if (kind === undefined) return {why: 'it already exists', isReplaceable: true}
    const head = startOf(path)
    const isEarlier = kind.starts.some((start) => start.test(head))
    return isEarlier ? undefined : {why: `it exists and is not a ${kind.what} of roomctl`, isReplaceable: true}
  } catch (error) {
    return {why: whyNot(path, error)}
  }
}

function startOf(path: string): string {
  const buffer = Buffer.alloc(startBytes)
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const length = thenClose(file, () => readSync(file, buffer))
  return buffer.toString('utf8', 0, length)
}

function* maskedBytes({secrets}: Session, pieces: Iterable<string>): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(secrets.maskResult(piece))
}

function writeWhole(path: string, bytes: Iterable<Uint8Array>, readers: 'user' | 'umask'): void {
  try {
    replaceFile(path, bytes, readers)
  } catch (error) {
    const facts = {why: whyNot(path, error), try: 'fix that, or name another file'}
    throw fileFailure(`cannot write ${path}`, facts, {cause: error})
  }
}

function whyNot(path: string, error: unknown): string {
  return systemCode(error) === 'ENOENT'
    ? `no such folder: ${dirname(path)}`
    : (reasonOf(error) ?? 'the operating system refused it')
}
