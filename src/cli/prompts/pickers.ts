import {listAttendees} from '../../api/contract/attendee.js'
import {Failure} from '../../api/contract/failure.js'
import {type AttendeeRecord, listRooms, type RoomSummary} from '../../api/contract/room.js'
import {safeText, shortly} from '../../text/text.js'
import {cut, displayWidth, loadWidths, pad} from '../../text/width.js'
import {requireId} from '../input/readIds.js'
import type {Session} from '../session/session.js'
import {questionOn} from './confirm.js'

/** The room that was named, or the one picked on a terminal. Raises a Failure (usage) where nobody can be asked. */
export async function pickRoom(
  session: Session,
  given: string | undefined,
  wanted: (room: RoomSummary) => boolean = () => true,
): Promise<string> {
  if (given !== undefined) return requireId('ROOM', given)
  if (!session.mayAsk) throw missing('ROOM', 'id of a room; roomctl room list shows them')
  const {bizId} = session.resolved.values
  const rooms = (await session.api.call(listRooms, {query: bizId ? {bizId} : {}})).filter(wanted)
  if (rooms.length === 0) throw nothingToPick('there is no room to choose from', 'roomctl room list')
  await loadWidths()
  const {plain} = session.view
  const names = rooms.map((room) => nameOf(room, plain ? Number.POSITIVE_INFINITY : longestName))
  const widest = plain ? 0 : Math.max(...names.map(displayWidth))
  return session.runtime.ask.choose(
    questionOn(session, 'room', 'Which room?'),
    rooms.map((room, at) => roomChoice(room, pad(names[at] ?? '', widest))),
  )
}

/** The user who was named, or the one picked among the room's attendees on a terminal. */
export async function pickUser(
  session: Session,
  roomId: string,
  given: string | undefined,
  wanted: (attendee: AttendeeRecord) => boolean = () => true,
): Promise<string> {
  if (given !== undefined) return requireId('USER', given)
  const show = `roomctl attendee list ${roomId}`
  if (!session.mayAsk) throw missing('USER', `id of a user; ${show} shows them`)
  const attendees = (await session.api.call(listAttendees, {path: {roomId}})).filter(wanted)
  if (attendees.length === 0) throw nothingToPick(`room ${roomId} has no attendee to choose from`, show)
  return session.runtime.ask.choose(questionOn(session, 'room', 'Which user?'), attendees.map(attendeeChoice))
}

function missing(what: string, takes: string): Failure {
  return new Failure({exit: 'usage', message: `${what} is missing`, why: `it takes the ${takes}`})
}

function nothingToPick(message: string, advice: string): Failure {
  return new Failure({exit: 'missing', code: 'nothing-to-choose', message, try: advice})
}

/** Columns of a name in a list of choices. */
const longestName = 30

function nameOf({name}: RoomSummary, longest: number): string {
  return cut(name ? safeText(name) : '(no name)', longest)
}

/** The names one below the other, then the states, then the ids. */
function roomChoice(room: RoomSummary, name: string) {
  const state = safeText(shortly(room.room_status ?? '')).padEnd('RESERVED'.length)
  return {name: `${name}  ${state}  ${safeText(shortly(room.room_id))}`, value: room.room_id}
}

function attendeeChoice({user_id: user, is_host: host, is_present: present}: AttendeeRecord) {
  const marks = [host === true ? 'host' : '', present === true ? 'present' : ''].filter((mark) => mark !== '')
  return {name: [safeText(shortly(user)), ...marks].join('  '), value: user}
}
