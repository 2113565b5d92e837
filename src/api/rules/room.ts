import type {RoomDetail} from '../contract/room.js'

/** The user who is host: the one who carries the role, else the creator of a RESERVED room under CREATOR. */
export function hostOf(room: RoomDetail): string | undefined {
  const host = room.attendees?.find(({is_host}) => is_host === true)?.user_id
  if (host !== undefined) return host
  const creatorWillBe = room.room_status === 'RESERVED' && room.host_selection_type === 'CREATOR'
  return creatorWillBe ? (room.created_by ?? undefined) : undefined
}
