import {block, restore} from '../../api/contract/attendee.js'
import type {Input} from '../../api/contract/operation.js'
import {delegate, presenter, type RoomDetail, updateRoom} from '../../api/contract/room.js'
import type {InvertibleId} from '../../api/rules/consequences.js'
import {hostOf} from '../../api/rules/room.js'
import type {JournalEntry} from '../../storage/journal/entry.js'
import {describeTargets} from '../../view/tool/history.js'
import {notUndoable} from './notUndoable.js'
import {fieldsBefore, type InHistory, laterChange, movedField, presentNow} from './undoPreconditions.js'

type InverseOperation = typeof restore | typeof block | typeof updateRoom | typeof delegate | typeof presenter

/** The request that undoes a change of a room. */
export interface Inverse {
  readonly operation: InverseOperation
  readonly roomId: string
  readonly input: (requester: string) => Input<InverseOperation>
  /** It asks on every profile. */
  readonly asks?: boolean
  /** What is set, where the words of the operation do not say it. */
  readonly detail?: string
  /** What has changed since, so that nothing is to be sent: a clause without a full stop. */
  readonly moved: (room: RoomDetail) => string | undefined
}

/** How the profile names the requester of an update. */
type RequesterField = 'requester_id' | 'user_id'

/**
 * The inverse of a change of a room; undefined where the operation is none of those that have one. Raises a Failure (state) where it
 * has one, and what was there before is not known.
 */
export function inverseInRoom(history: InHistory, requesterField: RequesterField): Inverse | undefined {
  const {entry} = history
  const {roomId} = entry.targets
  if (typeof roomId !== 'string') return undefined
  if (!Object.hasOwn(inverses, entry.operation)) return undefined
  return inverses[entry.operation as InvertibleId]({...history, roomId, requesterField})
}

interface InverseContext extends InHistory {
  readonly roomId: string
  readonly requesterField: RequesterField
}

/** The inverse of each operation that has one by its consequences. */
const inverses: Readonly<Record<InvertibleId, (context: InverseContext) => Inverse>> = {
  'attendee.block': restoring,
  'attendee.restore': blocking,
  'room.update': updating,
  'room.delegate': delegating,
  'room.presenter': presenting,
}

function restoring({entry, later, roomId}: InverseContext): Inverse {
  const attendees = usersOf(entry)
  return {
    operation: restore,
    roomId,
    input: (requester_id) => ({path: {roomId}, body: {requester_id, attendees}}),
    moved: (room) => laterChange(later(), 'attendee.restore', attendees) ?? presentNow(room, attendees),
  }
}

function blocking({entry, later, roomId}: InverseContext): Inverse {
  const attendees = usersOf(entry)
  return {
    operation: block,
    roomId,
    input: (requester_id) => ({path: {roomId}, body: {requester_id, attendees}}),
    asks: true,
    moved: () => laterChange(later(), 'attendee.block', attendees),
  }
}

function usersOf(entry: JournalEntry): string[] {
  const {attendees} = entry.targets
  if (!Array.isArray(attendees) || attendees.length === 0) throw notUndoable(entry, {why: 'the entry names nobody'})
  return attendees.map(String)
}

function updating({entry, roomId, requesterField}: InverseContext): Inverse {
  const fields = fieldsBefore(entry)
  return {
    operation: updateRoom,
    roomId,
    input: (requester) => ({path: {roomId}, body: {[requesterField]: requester, ...fields}}),
    detail: describeTargets(fields),
    moved: (room) => movedField(entry, room),
  }
}

function delegating({entry, roomId}: InverseContext): Inverse {
  const to = entry.targets.user_id
  const from = entry.before?.host ?? entry.as
  if (typeof to !== 'string' || typeof from !== 'string') {
    throw notUndoable(entry, {why: 'the entry does not say who was host before'})
  }
  return {
    operation: delegate,
    roomId,
    input: (requester_id) => ({path: {roomId}, body: {requester_id, user_id: from}}),
    moved: (room) => {
      const host = hostOf(room)
      return host === to ? undefined : `${host ?? 'nobody'} is host now, not ${to}`
    },
  }
}

function presenting({entry, later, earlierPresenter, roomId}: InverseContext): Inverse {
  const user_id = earlierPresenter?.targets.user_id
  if (typeof user_id !== 'string') {
    throw notUndoable(entry, {
      why: 'the previous presenter is unknown: the service does not show it, and none was set from this machine',
      try: 'roomctl room presenter {roomId} USER',
    })
  }
  return {
    operation: presenter,
    roomId,
    input: (requester_id) => ({path: {roomId}, body: {requester_id, user_id}}),
    moved: () => laterChange(later(), 'room.presenter'),
  }
}
