import {add, block, restore} from '../../api/contract/attendee.js'
import type {Input, Operation} from '../../api/contract/operation.js'
import {stop} from '../../api/contract/record.js'
import {end, type RoomDetail, remove} from '../../api/contract/room.js'
import type {ConfirmFlags} from '../../cli/prompts/confirm.js'
import type {PlannedOperation} from '../../selection/plan.js'
import {safeText} from '../../text/text.js'
import type {RunFlags} from '../bulk/flags.js'

/** An operation that bulk commands and plans carry out. */
export type BulkOperation = Operation & {readonly id: PlannedOperation}

/** A change that is made to rooms, one request for each. */
export interface RoomChange<O extends Operation = Operation> {
  readonly operation: O
  readonly input: (roomId: string, requester: string) => Input<O>
  /** `End` and `ended`, for questions about several rooms and for results. */
  readonly verb: string
  readonly past: string
  /** Who may make it (room §4 to §15): with nobody, no requester is named. */
  readonly who: 'host' | 'host or creator' | 'nobody'
  /** The users it is about, in every room the same. */
  readonly attendees?: readonly string[]
}

/** What a plan decided about the rooms. */
export interface Decided {
  /** Whom to act as: `host`, `creator` or a user. */
  readonly wish: string | undefined
  /** What has changed about a room since, so that it is to be skipped: a clause without a stop. */
  readonly moved: (id: string, room: RoomDetail) => string | undefined
}

export interface ChangeRoomsFlags extends ConfirmFlags, RunFlags {
  readonly 'dry-run'?: boolean
  readonly where?: string | undefined
  readonly 'plan-out'?: string | undefined
  readonly force?: boolean
}

const byRequester = (roomId: string, requester_id: string) => ({path: {roomId}, body: {requester_id}})

export const endRooms: RoomChange<typeof end> = {
  operation: end,
  input: byRequester,
  verb: 'End',
  past: 'ended',
  who: 'host',
}

export const deleteRooms: RoomChange<typeof remove> = {
  operation: remove,
  input: byRequester,
  verb: 'Delete',
  past: 'deleted',
  who: 'host',
}

export const stopRecordings: RoomChange<typeof stop> = {
  operation: stop,
  input: byRequester,
  verb: 'Stop recording',
  past: 'stopped',
  who: 'host',
}

export function blockIn(users: readonly string[]): RoomChange<typeof block> {
  return {
    operation: block,
    input: (roomId, requester_id) => ({path: {roomId}, body: {requester_id, attendees: [...users]}}),
    verb: `Block ${names(users)} in`,
    past: 'changed',
    who: 'host or creator',
    attendees: users,
  }
}

export function restoreIn(users: readonly string[]): RoomChange<typeof restore> {
  return {
    operation: restore,
    input: (roomId, requester_id) => ({path: {roomId}, body: {requester_id, attendees: [...users]}}),
    verb: `Restore ${names(users)} in`,
    past: 'changed',
    who: 'host',
    attendees: users,
  }
}

export function addTo(users: readonly string[]): RoomChange<typeof add> {
  return {
    operation: add,
    input: (roomId) => ({path: {roomId}, body: {attendees: [...users]}}),
    verb: `Add ${names(users)} to`,
    past: 'changed',
    who: 'nobody',
    attendees: users,
  }
}

/** The change that a plan names, handed to `use`. */
export function plannedChange<T>(
  operation: PlannedOperation,
  users: readonly string[],
  use: <O extends BulkOperation>(change: RoomChange<O>) => T,
): T {
  switch (operation) {
    case 'room.end':
      return use(endRooms)
    case 'room.delete':
      return use(deleteRooms)
    case 'record.stop':
      return use(stopRecordings)
    case 'attendee.block':
      return use(blockIn(users))
    case 'attendee.restore':
      return use(restoreIn(users))
    case 'attendee.add':
      return use(addTo(users))
  }
}

/** More names than this make a question that nobody reads. */
const namesShown = 5

function names(users: readonly string[]): string {
  const more = users.length - namesShown
  const shown = (more > 1 ? users.slice(0, namesShown) : users).map((user) => safeText(user)).join(', ')
  return more > 1 ? `${shown} and ${more} more` : shown
}
