import type {RoomDetail} from '../../api/contract/room.js'
import {safeText, shortly} from '../../text/text.js'

/** `room r-1 "Standup"`; without the name where the room was not read. */
export function nameRoom(id: string, room: RoomDetail | undefined): string {
  return room?.name ? `room ${safeText(id)} "${safeText(shortly(room.name))}"` : `room ${safeText(id)}`
}

/** `room r-1 "Standup" (MEETING, 3 present: ann, ben, 김민준)`, what a question shows before an answer is given. */
export function describeRoom(id: string, room: RoomDetail | undefined): string {
  if (!room) return nameRoom(id, room)
  const present = (room.attendees ?? []).filter(({is_present: here}) => here === true)
  const shown = present.slice(0, 10).map(({user_id: user}) => safeText(shortly(user)))
  const more = present.length > shown.length ? ` and ${present.length - shown.length} more` : ''
  const people = present.length === 0 ? 'nobody present' : `${present.length} present: ${shown.join(', ')}${more}`
  return `${nameRoom(id, room)} (${safeText(shortly(room.room_status ?? ''))}, ${people})`
}

/** Nobody types more than this to confirm something. */
const longestTyped = 100

/** What is typed to confirm something about a room: its name, or its id where a name is missing, cannot be typed or is too long. */
export function typedName(id: string, room: RoomDetail | undefined): string {
  const plain = room?.name?.trim() ?? ''
  return plain !== '' && plain.length <= longestTyped && safeText(plain) === plain ? plain : safeText(id)
}
