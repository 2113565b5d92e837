import {readFileSync} from 'node:fs'
import {Failure} from '../contract/failure.js'
import {readAll} from '../terminal/input.js'
import {named} from './pick.js'
import type {Session} from './session.js'

/** What is read of a file of ids, or of data for a room, at most. */
const maxBytes = 16 * 1024 * 1024

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

/** The text of a file, or of stdin for `-`. Raises a Failure (file) that says why it cannot be read. */
export async function readText({runtime}: Session, path: string): Promise<string> {
  return path === '-' ? readAll(runtime.stdin, {maxBytes, idleMs: 30_000}) : readTextFile(path)
}

/** The text of a file. Raises a Failure (file) that says why it cannot be read, and what to do where that is known. */
export function readTextFile(path: string, advice?: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    const why = reasons[code ?? ''] ?? code
    throw new Failure({exit: 'file', message: `cannot read ${path}`, why, try: advice}, {cause: error})
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
}
