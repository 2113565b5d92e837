import {Failure} from '../../api/contract/failure.js'
import {readTextInput, requireId} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'

/** Whom a push goes to: each user once, in the order of their first mention. */
export interface Recipients {
  readonly ids: readonly string[]
  /** How many mentions of somebody who was mentioned before were dropped. */
  readonly repeated: number
}

/** Names that a sentence or a preview spells out; the rest is counted. */
const namesShown = 5

/**
 * The recipients that arguments and the file `from` name. `-`, as an argument or as the file, is stdin: one id a line; blank
 * lines and those that begin with # are dropped. Raises a Failure: usage where nobody is named, an id is empty or the text is
 * not UTF-8; file where it cannot be read.
 */
export async function readRecipients(
  session: Session,
  given: readonly string[],
  from: string | undefined,
): Promise<Recipients> {
  const lists: string[][] = []
  for (const word of given) lists.push(word === '-' ? await listedIn(session, word) : [requireId('USER', word)])
  if (from !== undefined) lists.push(await listedIn(session, from))
  const mentioned = lists.flat()
  const ids = [...new Set(mentioned)]
  if (ids.length > 0) return {ids, repeated: mentioned.length - ids.length}
  throw nobody(given, from)
}

function nobody(given: readonly string[], from: string | undefined): Failure {
  if (given.length > 0 || from !== undefined) {
    return new Failure({exit: 'usage', message: `${sourceWords(from ?? '-')} names no user, nothing was sent`})
  }
  const advice = 'name users, - for stdin, or --recipients-from FILE'
  return new Failure({exit: 'usage', message: 'USER is missing', try: advice})
}

async function listedIn(session: Session, source: string): Promise<string[]> {
  const text = await readTextInput(session, source)
  // What cannot be decoded, and then would go to other people than it was meant for; no id holds it.
  if (text.includes('\ufffd') || text.includes('\0')) throw notText(source)
  const lines = text.split(/\r?\n/u).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

function notText(source: string): Failure {
  return new Failure({
    exit: 'usage',
    message: `${sourceWords(source)} is not UTF-8 text, nothing was sent`,
    why: 'a list that a spreadsheet saved is often in another encoding, and ids would be sent damaged',
    try: 'save it as UTF-8, or iconv -f CP949 -t UTF-8 FILE with the encoding that it has',
  })
}

function sourceWords(source: string): string {
  return source === '-' ? 'stdin' : source
}

/** The ids in lists of at most `size`, in their order. */
export function inBatches(ids: readonly string[], size: number): string[][] {
  const count = Math.ceil(ids.length / size)
  return Array.from({length: count}, (_, at) => ids.slice(at * size, (at + 1) * size))
}

/** `1 user`, `1201 users`. */
export function usersCounted(count: number): string {
  return count === 1 ? '1 user' : `${count} users`
}

/** The first few of a list of users, and how many there are beside: `ann, ben and 499 more`. The ids as they are. */
export function firstOf(ids: readonly string[]): string {
  const more = ids.length - namesShown
  return more > 0 ? `${ids.slice(0, namesShown).join(', ')} and ${more} more` : ids.join(', ')
}
