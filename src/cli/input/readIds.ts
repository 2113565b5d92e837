import {readAll} from '../../terminal/input.js'
import {readInputFile} from '../files/readStream.js'
import {named} from '../prompts/pickers.js'
import type {Session} from '../session/session.js'

/** What is read of a file of ids, or of data for a room, at most. */
const limits = {maxBytes: 16 * 1024 * 1024, most: '16 MiB', idleMs: 30_000}

/** Users from flags and from a file with one id a line (`-`: stdin), each once, in order. */
export async function usersFrom(
  session: Session,
  given: readonly string[],
  from: string | undefined,
): Promise<string[]> {
  const listed = from === undefined ? [] : (await readText(session, from)).split(/\r?\n/u)
  const ids = listed.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  return [...new Set([...given.map((user) => named('USER', user)), ...ids])]
}

/** The text of a file or a pipe, or of stdin for `-`. Raises a Failure (file) that says why it cannot be read. */
export async function readText({runtime}: Session, path: string): Promise<string> {
  return path === '-'
    ? readAll(runtime.stdin, {...limits, signal: runtime.signal})
    : readInputFile(path, {...limits, signal: runtime.signal})
}
