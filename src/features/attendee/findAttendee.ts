import {listAttendees} from '../../api/contract/attendee.js'
import {type AttendeeRecord, listRooms, type RoomSummary} from '../../api/contract/room.js'
import {presentCount} from '../../api/contract/roomFacts.js'
import type {ProgressKind} from '../../cli/flags/flags.js'
import {readJournalFacts} from '../../cli/session/journalFacts.js'
import type {Session} from '../../cli/session/session.js'
import {type Exit, Failure} from '../../failure.js'
import type {RoomFilter} from '../../selection/roomFilter.js'
import {safeText} from '../../text/text.js'
import type {AttendedRoom} from '../../view/room/attendee.js'
import {readRoom, readRooms} from '../bulk/readRooms.js'
import {BulkCounts} from '../bulk/run.js'
import {admissionTo} from './admission.js'

export interface Search {
  readonly user: string
  readonly present: boolean
  readonly filter?: RoomFilter | undefined
}

const manyCalls = 20

/** Failures of one room alone; any other ends the search. */
const ofOneRoom = new Set<Exit>(['missing', 'temporary', 'network', 'forbidden', 'refused', 'state', 'usage'])

/**
 * Lists the rooms (room §2) and reads the attendees of each possible one (room §5), or its detail for --empty (room §3). A
 * room that is gone is skipped. Throws Failure that is not about one room alone, or that all rooms have.
 */
export async function findAttendee(session: Session, search: Search, progress: ProgressKind) {
  const {bizId, concurrency} = session.resolved.values
  const listed = await session.api.call(listRooms, {query: bizId ? {bizId} : {}})
  const once = new Map(listed.map((room) => [room.room_id, room]))
  const candidates = [...once.values()].filter((room) => mayBeOne(session, search, room))
  if (candidates.length > manyCalls) session.warn(`reading the attendees of ${candidates.length} rooms, one call each`)

  const counts = new BulkCounts(session, candidates.length)
  const look = (room: RoomSummary) =>
    counts.during(() => lookInto(session, search, room)).finally(() => counts.settled('done'))
  const stop = await counts.show(session, progress)
  const keeps = ({facts}: Failure) => ofOneRoom.has(facts.exit)
  const results = await readRooms(session, candidates, look, {concurrency, keeps}).finally(stop)
  const unread = results.flatMap((result, at) =>
    result instanceof Failure ? unreadFailure(session, candidates[at], result) : [],
  )
  if (unread[0] && unread.length === candidates.length) throw unread[0]
  // The user may be in the unread ones too.
  const read = candidates.length - unread.length
  return {rooms: await withAdmission(session, results), read, unread: unread.length}
}

type Found = Pick<AttendedRoom, 'is_host' | 'is_reserved' | 'is_invited' | 'user_id'> & {
  readonly row: RoomSummary
  readonly attendees: AttendeeRecord[]
}

/** By the row of each room and its attendees: the row has what a room's detail says of who may enter it. */
async function withAdmission(session: Session, results: readonly (readonly Found[] | Failure)[]) {
  const rooms = results.flatMap((result) => (result instanceof Failure ? [] : result))
  const journalFacts = await readJournalFacts(session, new Set(rooms.map(({row}) => row.room_id)))
  return rooms.map(({row, attendees, ...record}): AttendedRoom => {
    const admission = admissionTo(session, {...row, attendees}, record.user_id, journalFacts.get(row.room_id))
    return {...row, ...record, ...admission}
  })
}

/** Warns about a room that cannot be read, and returns the reason; undefined for a room that is gone. */
function unreadFailure({warn}: Session, room: RoomSummary | undefined, failure: Failure): Failure[] {
  if (failure.facts.exit === 'missing') {
    warn(`room ${safeText(room?.room_id)} no longer exists`)
    return []
  }
  warn(`warning: ${safeText(failure.message)}`)
  return [failure]
}

/** Whether a room may match, by its row. Users are present only in a MEETING (room, Attendee). */
function mayBeOne({runtime}: Session, {present, filter}: Search, room: RoomSummary): boolean {
  const status = room.room_status ?? undefined
  if (present && (status === 'RESERVED' || status === 'IDLE' || status === 'ENDED')) return false
  return filter?.misfit(room, runtime.now()) === undefined
}

/** The record of the user in the room, if the rest of the search fits. */
async function lookInto(session: Session, search: Search, row: RoomSummary): Promise<Found[]> {
  const {filter, present, user} = search
  const {room_id: roomId} = row
  const read = filter?.needsDetail ? await readRoom(session, roomId) : undefined
  if (read && filter?.misfit(read, session.runtime.now(), presentCount(read) ?? Number.NaN) !== undefined) return []
  const attendees = read?.attendees ?? (await session.api.call(listAttendees, {path: {roomId}}))
  return attendees
    .filter(({user_id, is_present}) => user_id === user && (!present || is_present === true))
    .map(({user_id, is_host, is_reserved, is_invited}) => ({row, user_id, is_host, is_reserved, is_invited, attendees}))
}
