import {readSync} from 'node:fs'
import {TextDecoder} from 'node:util'

/** One change, as the journal keeps it (product §5). Never a credential, never the data that was sent. */
export interface JournalEntry {
  /** What `undo` takes; lines of older versions have none. */
  readonly id?: string | undefined
  /** RFC 3339, UTC. */
  readonly at: string
  readonly profile: string
  /** Who did it, `user@machine`, in a journal that several share. */
  readonly by?: string | undefined
  readonly operation: string
  /** What it was done to, by the documents' names: `{roomId, attendees}`. */
  readonly targets: Readonly<Record<string, unknown>>
  /** The requester it was done as, where the operation has one. */
  readonly as?: string | undefined
  /** What was there before, where that was read: the fields of an update, the host of a delegation. */
  readonly before?: Readonly<Record<string, unknown>> | undefined
  /** Why, in the words of whoever did it (`--reason`). */
  readonly reason?: string | undefined
  /** The id of the entry that this one undoes. */
  readonly undoes?: string | undefined
  readonly outcome: 'done' | 'failed' | 'unknown'
  readonly code?: string | undefined
}

/** No line that the tool writes comes near it; what is longer is not held in memory. */
export const longestLine = 1024 * 1024

/**
 * Whether an open file is a journal by its content: its first line is an entry. A file of any other program is neither appended to,
 * renamed nor removed. Raises the system's error.
 */
export function beginsWithEntry(descriptor: number): boolean {
  let read = Buffer.alloc(0)
  for (let size = 4096; read.length < longestLine; size *= 4) {
    const chunk = Buffer.alloc(size)
    const count = readSync(descriptor, chunk, 0, size, read.length)
    read = Buffer.concat([read, chunk.subarray(0, count)])
    const end = read.indexOf(0x0a)
    if (end !== -1 || count === 0)
      return entryOf(read.subarray(0, end === -1 ? read.length : end), new TextDecoder()) !== undefined
  }
  return false
}

/** The entry that a line holds; undefined for any other text. */
export function entryOf(line: Buffer, decoder: TextDecoder): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(line))
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}

const outcomes: readonly unknown[] = ['done', 'failed', 'unknown'] satisfies JournalEntry['outcome'][]

function isEntry(value: unknown): value is JournalEntry {
  if (!isObject(value)) return false
  const {id, at, profile, by, operation, targets, as, before, reason, undoes, outcome, code} = value
  return (
    isText(at) &&
    !Number.isNaN(Date.parse(at)) &&
    isText(profile) &&
    isText(operation) &&
    isObject(targets) &&
    [id, by, as, reason, undoes, code].every((text) => text === undefined || isText(text)) &&
    (before === undefined || isObject(before)) &&
    outcomes.includes(outcome)
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
