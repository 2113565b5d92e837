import {type RoomDetail, updatable} from '../../api/contract/room.js'
import type {JournalEntry} from '../../storage/journal/entry.js'
import {exactJson} from '../../text/json.js'
import {moment} from '../../text/time.js'
import {notUndoable} from './notUndoable.js'

/** The changes of the profile, the oldest first, with one of them. */
export interface InHistory {
  readonly entry: JournalEntry
  readonly all: readonly JournalEntry[]
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

/** What the journal says was done after an entry to the same room, and to one of the users where some are named. */
export function laterChange({entry, all}: InHistory, operation: string, users?: readonly string[]): string | undefined {
  const later = all
    .slice(all.indexOf(entry) + 1)
    .find((other) => isDone(other, operation, entry) && (users === undefined || touches(other, users)))
  return later && `it was changed again by ${operation} ${later.id ?? ''}`
}

/** Who was made presenter before the entry, as far as the journal tells. */
export function earlierPresenter({entry, all}: InHistory): string | undefined {
  const earlier = all.slice(0, all.indexOf(entry)).findLast((other) => isDone(other, 'room.presenter', entry))
  const user = earlier?.targets.user_id
  return typeof user === 'string' ? user : undefined
}

function isDone(other: JournalEntry, operation: string, {targets}: JournalEntry): boolean {
  return other.operation === operation && other.outcome !== 'failed' && other.targets.roomId === targets.roomId
}

function touches({targets: {attendees}}: JournalEntry, users: readonly string[]): boolean {
  return Array.isArray(attendees) && attendees.some((user) => users.includes(String(user)))
}

/** The first of the users who is in the room, and so cannot be blocked any more. */
export function presentNow({attendees}: RoomDetail, users: readonly string[]): string | undefined {
  const back = attendees?.find(({user_id: user, is_present}) => is_present === true && users.includes(user))
  return back && `${back.user_id} is in the room, so no longer blocked`
}
