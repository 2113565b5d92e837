import {Failure} from '../../api/contract/failure.js'
import {fillRoute} from '../../api/http/route/route.js'
import {readAll} from '../../terminal/input.js'
import {readInputFile} from '../files/readFile.js'
import type {Session} from '../session/session.js'

/** What is read of a file of ids, or of data for a room, at most. */
const limits = {maxBytes: 16 * 1024 * 1024, most: '16 MiB', idleMs: 30_000}

/** Users from flags and from a file with one id a line (`-`: stdin), each once, in order. */
export async function readUsers(
  session: Session,
  given: readonly string[],
  from: string | undefined,
): Promise<string[]> {
  const listed = from === undefined ? [] : (await readTextInput(session, from)).split(/\r?\n/u)
  const ids = listed.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  return [...new Set([...given.map((user) => requireId('USER', user)), ...ids])]
}

/** The text of a file or a pipe, or of stdin for `-`. Raises a Failure (file) that says why it cannot be read. */
export async function readTextInput({runtime}: Session, path: string): Promise<string> {
  return path === '-'
    ? readAll(runtime.stdin, {...limits, signal: runtime.signal})
    : readInputFile(path, {...limits, signal: runtime.signal})
}

/**
 * An id as it was given. Raises a Failure (usage) when it is empty, as an unset shell variable leaves it, and a RouteError
 * for a room's that no path can carry: all of a command's ids are known to be sound before the first request.
 */
export function requireId(what: 'ROOM' | 'USER' | 'UUID' | 'ENTRY', given: string): string {
  if (given.trim() === '') {
    throw new Failure({
      exit: 'usage',
      message: `${what} is empty`,
      why: 'an empty id names nothing; is a shell variable unset?',
    })
  }
  if (what === 'ROOM') fillRoute('/{ROOM}', {ROOM: given})
  return given
}
