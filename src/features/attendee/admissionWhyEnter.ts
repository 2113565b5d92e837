import {list as listAttendees} from '../../api/contract/attendee.js'
import type {Session} from '../../cli/session/session.js'
import type {Admission} from '../../view/room/why.js'
import {readRoom} from '../bulk/readRooms.js'
import {reasonLeft, reasonsOf, verdictOf} from './admissionReasons.js'
import {recordOf} from './admissionRules.js'
import {type BlockTrace, readBlockTrace} from './lastBlock.js'

/**
 * Whether a user can enter a room, and why, from the room (room §3), its attendees (room §5) where the room does not hold them,
 * and the journal. Nothing is changed: a token is not requested to find out. Raises the Failure of a read.
 */
export async function admissionOf(session: Session, roomId: string, user: string): Promise<Admission> {
  const read = await readRoom(session, roomId)
  const attendees = read.attendees ?? (await session.api.call(listAttendees, {path: {roomId}}))
  const room = {...read, attendees}
  const trace = await readBlockTrace(session, roomId, user)
  const present = recordOf({attendees, user})?.is_present === true
  const entrance = {room, attendees, user, now: session.runtime.now(), trace}
  const reasons = reasonsOf(entrance)
  const verdict = verdictOf(reasons)
  return {
    room_id: room.room_id,
    name: room.name ?? null,
    room_status: room.room_status ?? null,
    user_id: user,
    can_enter: verdict,
    is_present: present,
    blocked: present ? 'no' : blockedAsKnown(trace),
    reasons,
    if_refused: reasonLeft(entrance, verdict),
  }
}

function blockedAsKnown(trace: BlockTrace | undefined): Admission['blocked'] {
  return trace === undefined || trace.blocked === 'maybe' ? 'unknown' : trace.blocked
}
