import type {RoomDetail, RoomSummary} from '../../api/contract/room.js'
import {isPresenceUnclear, presentCount} from '../../api/contract/roomFacts.js'
import {hostOf} from '../../api/rules/room.js'
import {readJournalFacts} from '../../cli/session/journalFacts.js'
import type {Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import {counted, grouped, safeText, shortly, someOf, tally} from '../../text/text.js'
import {type ListView, viewBy} from '../../view/format/columns.js'
import {roomListWithCounts} from '../../view/room/room.js'
import {showTargets} from '../bulk/present.js'
import {isNone, noteCalls, notePresence, readRoom, readRooms} from '../bulk/readRooms.js'
import type {KnownTarget, PreviewedMutation, PreviewedTargets} from '../mutation/mutation.js'
import {refusalOf} from '../mutation/prediction.js'

/** Rooms by their ids; a Failure for one that is missing, or whose id fits no path. */
type KnownRooms = ReadonlyMap<string, RoomDetail | Failure>

function knownRoom(rooms: KnownRooms, id: string): RoomDetail | undefined {
  const room = rooms.get(id)
  return room instanceof Failure ? undefined : room
}

/** Shows the rooms on stderr before the question. Changed ones are only counted. */
export async function previewRooms(
  session: Session,
  ids: readonly string[],
  {operation, input, unfit}: PreviewedMutation,
  concurrency: number,
): Promise<PreviewedTargets> {
  const refusals = new Map<string, string>()
  const fit = new Set<string>()
  const unclear: string[] = []
  const journalFacts = await readJournalFacts(session, new Set(ids))
  noteCalls(session, ids.length)
  const read = async (id: string) => {
    const room = await readRoom(session, id)
    const refusal = refusalOf(session, operation, await input(id), room, journalFacts)
    if (refusal !== undefined) refusals.set(id, refusal)
    if (unfit?.(room, id) === undefined) fit.add(id)
    if (isPresenceUnclear(room)) unclear.push(id)
    // Of the attendees only the host is kept: there may be many rooms.
    const host = hostOf(room)
    const attendees = room.attendees?.filter(({user_id}) => user_id === host)
    return {...room, attendees, attendee_count: {...room.attendee_count, present_count: presentCount(room)}}
  }
  const results = await readRooms(session, ids, read, {concurrency, keeps: isNone})
  const rooms: KnownRooms = new Map(ids.flatMap((id, at) => (results[at] ? [[id, results[at]]] : [])))
  notePresence(session, unclear)
  const left = unfit ? ids.filter((id) => fit.has(id)) : ids
  if (left.length === 0) return {left: 0, rooms}
  const refusalFor = (id: string) => refusals.get(id) ?? (knownRoom(rooms, id) ? undefined : notFound)
  if (session.mayAsk) await showRooms(session, left, rooms, refusalFor)
  const others = ids.length - left.length
  if (others > 0)
    session.warn(`${counted(others, 'room')} ${others === 1 ? 'does' : 'do'} not match and will be skipped`)
  const expected = left.flatMap((id) => refusalFor(id) ?? [])
  return {left: left.length, rooms, refused: describeRefusals(expected)}
}

const notFound = 'not found'

/** `3 will be refused (IDLE)`, `4 will be refused (3 IDLE, 1 not found)`. */
function describeRefusals(words: readonly string[]): string | undefined {
  const kinds = tally(words)
  if (kinds.length === 0) return undefined
  return `${words.length} will be refused (${kinds.length > 1 ? kinds.join(', ') : words[0]})`
}

const previewed = ['room_id', 'name', 'room_status', 'present_count', 'age']

export function roomTable(): ListView<KnownTarget> {
  const columns = previewed.flatMap((wanted) => roomListWithCounts.columns.find(({name}) => name === wanted) ?? [])
  const rowOf = ({id, room}: KnownTarget): RoomSummary => {
    if (!(room instanceof Failure)) return room ? {...room, name: room.name && shortly(room.name)} : {room_id: id}
    return {room_id: id, name: isNone(room) ? `(${notFound})` : '(not read)'}
  }
  return viewBy({...roomListWithCounts, columns}, rowOf)
}

/** More ids make a line unreadable. */
const refusedShown = 10

/** Those that will be refused are last, by their reasons in a line each, unless all will be. */
async function showRooms(
  session: Session,
  ids: readonly string[],
  rooms: KnownRooms,
  refusalFor: (id: string) => string | undefined,
): Promise<void> {
  const accepted = ids.filter((id) => refusalFor(id) === undefined)
  const tabled = accepted.length === 0 ? ids : accepted
  const targets = tabled.map((id) => ({id, room: rooms.get(id)}))
  await showTargets(session, targets, roomTable())
  if (tabled === ids) return
  const refused = grouped(ids, (id) => refusalFor(id) ?? '')
  refused.delete('')
  for (const [reason, those] of refused)
    session.warn(`refused (${safeText(reason)}): ${someOf(those.map(safeText), refusedShown)}`)
}
