import {block, restore} from '../../api/contract/attendee.js'
import {fillAdvice, type NotUndoable} from '../../api/contract/operation.js'
import {type InvertibleChange, operationById} from '../../api/contract/operations.js'
import {delegate, presenter, type RoomDetail, updatable, updateRoom} from '../../api/contract/room.js'
import {hostOf, presentIn} from '../../api/rules/room.js'
import {type Failure, failureWith} from '../../failure.js'
import type {JournalEntry} from '../../storage/journal.js'
import {exactJson} from '../../text/json.js'
import {isSameValue} from '../../text/time.js'
import {describeTargets} from '../../view/system/history.js'
import type {UnpreparedInput} from '../mutation/mutation.js'

type InverseOperation = typeof restore | typeof block | typeof updateRoom | typeof delegate | typeof presenter

export interface Inverse {
  readonly operation: InverseOperation
  readonly input: UnpreparedInput<InverseOperation>
  /** It asks on every profile. */
  readonly asks?: boolean
  /** The object of the change, if the operation's words lack it. */
  readonly detail?: string
  /** A change since then, which makes the undo wrong; a phrase. */
  readonly moved: (room: RoomDetail) => string | undefined
}

/** Undefined if the operation has no inverse. Throws Failure (state) if it has one, and what was there before is not known. */
export function inverseInRoom(history: InHistory): Inverse | undefined {
  const {entry} = history
  const {roomId} = entry.targets
  if (typeof roomId !== 'string') return undefined
  if (!Object.hasOwn(inverses, entry.operation)) return undefined
  return inverses[entry.operation as InvertibleChange]({...history, roomId})
}

interface InverseContext extends InHistory {
  readonly roomId: string
}

const inverses: Readonly<Record<InvertibleChange, (context: InverseContext) => Inverse>> = {
  'attendee.block': ({entry, later, roomId}) => {
    const attendees = usersOf(entry)
    return {
      operation: restore,
      input: {path: {roomId}, body: {attendees}},
      moved: (room) => laterChange(later(), 'attendee.restore', attendees) ?? presentNow(room, attendees),
    }
  },
  'attendee.restore': ({entry, later, roomId}) => {
    const attendees = usersOf(entry)
    return {
      operation: block,
      input: {path: {roomId}, body: {attendees}},
      asks: true,
      moved: () => laterChange(later(), 'attendee.block', attendees),
    }
  },
  'room.update': ({entry, roomId}) => {
    const fields = fieldsBefore(entry)
    return {
      operation: updateRoom,
      input: {path: {roomId}, body: fields},
      detail: describeTargets(fields),
      moved: (room) => movedField(entry, room),
    }
  },
  'room.delegate': ({entry, roomId}) => {
    const to = entry.targets.user_id
    const from = entry.before?.host ?? entry.as
    if (typeof to !== 'string' || typeof from !== 'string') {
      throw notUndoable(entry, {why: 'the entry does not say who was host before'})
    }
    return {
      operation: delegate,
      input: {path: {roomId}, body: {user_id: from}},
      moved: (room) => {
        const host = hostOf(room)
        return host === to ? undefined : `${host ?? 'nobody'} is host now, not ${to}`
      },
    }
  },
  'room.presenter': ({entry, later, earlierPresenter, roomId}) => {
    const user_id = earlierPresenter?.targets.user_id
    if (typeof user_id !== 'string') {
      throw notUndoable(entry, {
        why: 'the previous presenter is unknown: the service does not show it, and none was set from this machine',
        try: 'roomctl room presenter {roomId} USER',
      })
    }
    return {
      operation: presenter,
      input: {path: {roomId}, body: {user_id}},
      moved: () => laterChange(later(), 'room.presenter'),
    }
  },
}

function usersOf(entry: JournalEntry): string[] {
  const {attendees} = entry.targets
  if (!Array.isArray(attendees) || attendees.length === 0) throw notUndoable(entry, {why: 'the entry names no user'})
  return attendees.map(String)
}

/** The failure that says why there is no inverse, with what can be done instead. */
export function notUndoable(entry: JournalEntry, because?: NotUndoable): Failure {
  const undo = because ?? operationById(entry.operation)?.change?.undo
  const {why, try: advice}: NotUndoable =
    undo === undefined || undo === 'inverse' ? {why: 'there is no known way to undo it'} : undo
  const filled = advice && fillAdvice(advice, entry.targets)
  return failureWith('state', `cannot undo ${describeEntryId(entry)}`, {code: 'no-inverse', why, try: filled})
}

/** The Failure after a later change. `what`: a phrase. */
export function stateChanged(entry: JournalEntry, what: string, advice?: string): Failure {
  const message = `cannot undo ${describeEntryId(entry)}: ${what}`
  const why = 'the state has changed since; nothing was sent'
  return failureWith('state', message, {code: 'moved-on', why, try: advice})
}

/** The failure that says why the service would not accept the inverse now, so that it is not sent. */
export function notAccepted(entry: JournalEntry, doing: string, obstacle: string): Failure {
  const message = `cannot undo ${describeEntryId(entry)}: ${obstacle}`
  const why = `the service would refuse to ${doing}; nothing was sent`
  const advice = fillAdvice('to see what it allows: roomctl room can {roomId}', entry.targets)
  return failureWith('state', message, {code: 'not-accepted', why, try: advice})
}

function describeEntryId({operation, id}: JournalEntry): string {
  return id === undefined ? operation : `${operation} ${id}`
}

/** A change of the profile, and what was done to the same room. */
export interface InHistory {
  readonly entry: JournalEntry
  /** After it, the newest first. */
  readonly later: () => readonly JournalEntry[]
  /** The newest earlier change of the presenter; only for a change of the presenter. */
  readonly earlierPresenter?: JournalEntry | undefined
}

/** The values that an update took the place of. Throws Failure (state) if they are not known, or cannot be set again. */
function fieldsBefore(entry: JournalEntry): Readonly<Record<string, unknown>> {
  const {before, targets} = entry
  const names = updatable.filter((name) => name in targets)
  if (before === undefined || names.length === 0) {
    throw notUndoable(entry, {
      why: 'the previous values are unknown: with --as USER the room is not read before a change',
      try: 'with the right values: roomctl room update {roomId} --name NAME',
    })
  }
  const changed = names.filter((name) => !isSameValue(before[name], targets[name]))
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

/** The field that is not as the update left it, in words; undefined if all are. */
function movedField({targets}: JournalEntry, room: RoomDetail): string | undefined {
  const name = updatable.find((field) => field in targets && !isSameValue(room[field], targets[field]))
  return name && `${name} is ${shown(room[name])} now, but was set to ${shown(targets[name])}`
}

function shown(value: unknown): string {
  return value === undefined || value === null ? 'not set' : exactJson(value)
}

/** The first of the changes of a room, given the newest first, that was made by the operation, to one of the users where some are named. */
function laterChange(later: readonly JournalEntry[], operation: string, users?: readonly string[]): string | undefined {
  const change = later.findLast((other) => {
    const {attendees} = other.targets
    const isAboutThem = Array.isArray(attendees) && attendees.some((user) => users?.includes(String(user)))
    return mayHaveBeen(other, operation) && (users === undefined || isAboutThem)
  })
  return change && `it was changed again by ${operation} ${change.id ?? ''}`
}

/** Whether an entry is a change that was made, or may have been. */
export function mayHaveBeen(entry: JournalEntry, operation: string): boolean {
  return entry.operation === operation && entry.outcome !== 'failed'
}

function presentNow(room: RoomDetail, users: readonly string[]): string | undefined {
  const back = presentIn(room).find((user) => users.includes(user))
  return back === undefined ? undefined : `${back} is in the room, so no longer blocked`
}
