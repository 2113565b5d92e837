import {decodeText, readSmallFile} from '../../cli/files/readFile.js'
import type {OutputFile} from '../../cli/output/outputFile.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, fileFailure} from '../../failure.js'
import {type LockLine, lockStart, lockText, parseLock} from '../../upload/sync/lock.js'
import {escapePath} from './paths.js'

export const lockKind = {what: 'lock', starts: [lockStart], readers: 'umask'} as const

/** Message and advice if the lock would be too large. */
type LockLimit = Readonly<Record<'done' | 'advice', string>>

/** Writes the lock of a run, whole, if all of its files are in the container: undefined for one that is not. Throws Failure (file). */
export async function writeLock(
  {secrets}: Session,
  file: OutputFile,
  container: string,
  lines: readonly (LockLine | undefined)[],
  limit: LockLimit = {done: 'the files were uploaded', advice: lockLimits.ifLarger},
): Promise<void> {
  const known = lines.filter((line) => line !== undefined)
  const repeating = known.find(({uuid}) => secrets.maskKnown(uuid) !== uuid)
  if (repeating) {
    const why = `the service repeats a secret in the uuid of ${repeating.path}, and a lock is committed`
    throw fileFailure(`the lock was not written; ${limit.done}`, {code: 'lock', why})
  }
  if (known.length === lines.length) await file.write(lockOf(container, known, limit))
}

function lockOf(container: string, lines: readonly LockLine[], {done, advice}: LockLimit): string {
  const text = lockText(escapePath(container), lines)
  if (Buffer.byteLength(text) <= lockLimits.maxBytes) return text
  const message = `the lock of these files would be larger than ${lockLimits.most}; ${done}`
  throw fileFailure(message, {try: advice})
}

/** A lock of this size has 125,000 lines. */
const lockLimits = {maxBytes: 16 * 1024 * 1024, most: '16 MiB', ifLarger: 'use a lock for each shard: --shard I/N'}

/** The lines of one lock, or of one per shard. Throws Failure (file) for a file that is no lock of this container. */
export function readLocks(files: readonly string[], container: string): ReadonlyMap<string, LockLine> {
  const all = new Map<string, LockLine>()
  for (const file of files) {
    const text = decodeText(readSmallFile(file, lockLimits).bytes, file)
    for (const [path, line] of parseLock(text, file, escapePath(container))) {
      const other = all.get(path)
      if (other !== undefined && other.uuid !== line.uuid) throw contradiction(file, path)
      all.set(path, line)
    }
  }
  return all
}

function contradiction(file: string, path: string): Failure {
  return fileFailure(`cannot use the lock ${file}: another lock names another uuid for ${path}`, {
    code: 'lock',
    try: 'name the locks of one run, one for each shard',
  })
}
