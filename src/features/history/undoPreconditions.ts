import {type RoomDetail, updatable} from '../../api/contract/room.js'
import type {JournalEntry} from '../../storage/journal/entry.js'
import {exactJson} from '../../text/json.js'
import {moment} from '../../text/time.js'
import {notUndoable} from './notUndoable.js'

/** A change of the profile, and what was done to the same room. */
export interface InHistory {
  readonly entry: JournalEntry
  /** After it, the newest first. */
  readonly later: () => readonly JournalEntry[]
  /** The newest before it by which somebody became presenter; sought for a change of the presenter alone. */
  readonly earlierPresenter?: JournalEntry | undefined
}

/** The values that an update took the place of. Raises a Failure (state) where they are not known, or cannot be set again. */
export function fieldsBefore(entry: JournalEntry): Readonly<Record<string, unknown>> {
  const {before, targets} = entry
  const names = updatable.filter((name) => name in targets)
  if (before === undefined || names.length === 0) {
    throw notUndoable(entry, {
      why: 'the previous values are unknown: with --as USER the room is not read before a change',
      try: 'roomctl room update {roomId} with the right values',
    })
  }
  const changed = names.filter((name) => !isSame(before[name], targets[name]))
  if (changed.length === 0) throw notUndoable(entry, {why: 'it changed nothing'})
  return Object.fromEntries(changed.map((name) => [name, settable(entry, name)]))
}

function settable(entry: JournalEntry, name: string): unknown {
  const value = entry.before?.[name]
  if (value !== null && value !== undefined) return value
  // Its default is an empty text (room, Room).
  if (value === null && name === 'description') return ''
  const why =
    value === null
      ? `${name} had no value before, and the service cannot remove one`
      : `${name} is too long for the journal`
  throw notUndoable(entry, {why})
}

/** The field that is not as the update left it, in words; undefined where all are. */
export function movedField({targets}: JournalEntry, room: RoomDetail): string | undefined {
  const name = updatable.find((field) => field in targets && !isSame(room[field], targets[field]))
  return name && `${name} is ${shown(room[name])} now, but was set to ${shown(targets[name])}`
}

/** Services write the same moment in other ways. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  const [first, second] = [moment(one), moment(other)]
  return first !== undefined && second !== undefined && first.getTime() === second.getTime()
}

function shown(value: unknown): string {
  return value === undefined || value === null ? 'not set' : exactJson(value)
}

/** The first of the changes of a room, given the newest first, that was made by the operation, to one of the users where some are named. */
export function laterChange(
  later: readonly JournalEntry[],
  operation: string,
  users?: readonly string[],
): string | undefined {
  const change = later.findLast(
    (other) => mayHaveBeen(other, operation) && (users === undefined || touches(other, users)),
  )
  return change && `it was changed again by ${operation} ${change.id ?? ''}`
}

/** Whether an entry is of an operation that was carried out, as far as anybody knows. */
export function mayHaveBeen(entry: JournalEntry, operation: string): boolean {
  return entry.operation === operation && entry.outcome !== 'failed'
}

function touches({targets: {attendees}}: JournalEntry, users: readonly string[]): boolean {
  return Array.isArray(attendees) && attendees.some((user) => users.includes(String(user)))
}

/** The first of the users who is in the room, and so cannot be blocked any more. */
export function presentNow({attendees}: RoomDetail, users: readonly string[]): string | undefined {
  const back = attendees?.find(({user_id: user, is_present}) => is_present === true && users.includes(user))
  return back && `${back.user_id} is in the room, so no longer blocked`
}
