import type {Input} from '../../api/contract/operation.js'
import type {adminUpdate, update} from '../../api/contract/room.js'
import {fixedOnceMet} from '../../api/contract/states.js'
import {refuse} from '../wire/refusal.js'
import type {Room} from '../world/world.js'
import {attendeeOf, seatsTaken} from './people.js'
import {checkSeats, isHost, knownRequester, refuseEnded, requireHost} from './rules.js'
import {checkReservation, moment} from './time.js'

type Update = Input<typeof update>['body']
export type Changes = Input<typeof adminUpdate>['body'] & {max_attendee_count?: number | undefined}

/**
 * Splits an update into who asks and what changes. The field table names the requester requester_id, the example body
 * user_id (room §4 rule 1): both are taken. Refuses with CE001 two different ones.
 */
export function readUpdate(body: Update): {requester: string | undefined; changes: Changes} {
  const {requester_id: requester, user_id: other, ...changes} = body
  if (requester !== undefined && other !== undefined && requester !== other) {
    refuse('CE001', 'user_id: differs from requester_id; the requester is named by either, not by both')
  }
  return {requester: requester ?? other, changes}
}

/** Only the host may update (room §4), except that the creator may change is_joinable too (room §1 rule 7). */
export function requireUpdater(room: Room, requester: string | undefined, changes: Changes): void {
  const user = knownRequester(room, requester)
  const onlyJoinable = Object.keys(changes).join() === 'is_joinable'
  if (onlyJoinable && user === room.createdBy && !isHost(room, user)) return
  requireHost(room, user)
}

/** Refuses with U001 what the room's state forbids to change (room, Operation validity by state). */
function checkState(room: Room, changes: Changes): void {
  refuseEnded(room, 'U001')
  if (room.status === 'RESERVED') return
  for (const field of fixedOnceMet) {
    if (changes[field] !== undefined) refuse('U001', `${field} cannot change: room ${room.id} is ${room.status}`)
  }
}

function checkValues(room: Room, {name, max_attendee_count: seats, is_public: isPublic}: Changes): void {
  if (name === '') refuse('CE001', 'name: must not be empty')
  if (seats !== undefined) {
    checkSeats('max_attendee_count', seats)
    const taken = seatsTaken(room.attendees)
    // Rule 3 says "must not be lower", the error text "must be greater": an equal number passes.
    if (seats < taken)
      refuse('CE001', `max_attendee_count: ${seats} is lower than the current attendee count, ${taken}`)
  }
  if (isPublic === false && attendeeOf(room, room.createdBy) === undefined) {
    refuse('CE001', `is_public: a private room needs its creator ${room.createdBy} among the attendees`)
  }
}

/** Changes the fields that were sent. Refuses with U001 for the state and CE001 for a value (room §4). */
export function changeRoom(room: Room, changes: Changes): void {
  checkState(room, changes)
  checkValues(room, changes)
  const {reserved_start_time: start, reserved_end_time: end} = changes
  if (start !== undefined) room.reservedStart = moment('reserved_start_time', start)
  if (end !== undefined) room.reservedEnd = moment('reserved_end_time', end)
  checkReservation(room.reservedStart, room.reservedEnd)
  room.name = changes.name ?? room.name
  room.description = changes.description ?? room.description
  room.maxAttendees = changes.max_attendee_count ?? room.maxAttendees
  room.isPublic = changes.is_public ?? room.isPublic
  room.isJoinable = changes.is_joinable ?? room.isJoinable
}
