import type {RoomDetail, RoomSummary} from '../../api/contract/room.js'
import {isPresenceUnclear, presentCount} from '../../api/contract/roomFacts.js'
import {hostOf} from '../../api/rules/room.js'
import {readJournalFacts} from '../../cli/session/journalFacts.js'
import type {Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import {counted, grouped, safeText, shortly, tally} from '../../text/text.js'
import {type ListView, viewBy} from '../../view/format/columns.js'
import {roomListWithCounts} from '../../view/room/room.js'
import {showTargets} from '../bulk/present.js'
import {isNone, noteCalls, notePresence, readRoom, readRooms} from '../bulk/readRooms.js'
import type {KnownTarget, PreviewedMutation, PreviewedTargets} from '../mutation/mutation.js'
import {isState, refusalOf} from '../mutation/prediction.js'

/** Rooms by their ids; a Failure for one that is missing, or whose id fits no path. */
type KnownRooms = ReadonlyMap<string, RoomDetail | Failure>

function knownRoom(rooms: KnownRooms, id: string): RoomDetail | undefined {
  const room = rooms.get(id)
  return room instanceof Failure ? undefined : room
}

/** Shows the rooms on stderr before the question, many with totals per state. Changed ones are only counted. */
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

/** `3 are IDLE and will be refused`, `4 will be refused (3 IDLE, 1 not found)`. */
function describeRefusals(words: readonly string[]): string | undefined {
  const [first] = words
  const kinds = tally(words)
  if (first === undefined) return undefined
  if (kinds.length > 1 || !isState(first))
    return `${words.length} will be refused (${kinds.length > 1 ? kinds.join(', ') : first})`
  return `${words.length} ${words.length === 1 ? 'is' : 'are'} ${first} and will be refused`
}

/** Above this, show totals per state. */
const manyRooms = 20

const previewed = ['room_id', 'name', 'room_status', 'present_count', 'age']

export function roomTable(): ListView<KnownTarget> {
  const columns = previewed.flatMap((wanted) => roomListWithCounts.columns.find(({name}) => name === wanted) ?? [])
  const rowOf = ({id, room}: KnownTarget): RoomSummary => {
    if (!(room instanceof Failure)) return room ? {...room, name: room.name && shortly(room.name)} : {room_id: id}
    return {room_id: id, name: isNone(room) ? `(${notFound})` : '(not read)'}
  }
  return viewBy({...roomListWithCounts, columns}, rowOf)
}

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
  const shown = await showTargets(session, targets, roomTable())
  if (tabled === accepted) {
    const refused = grouped(ids, (id) => refusalFor(id) ?? '')
    refused.delete('')
    for (const [reason, those] of refused) session.warn(foldedLine(session, reason, those))
  }
  if (shown === tabled.length && ids.length <= manyRooms) return
  const states = ids.map((id) => {
    const room = knownRoom(rooms, id)
    return room ? safeText(room.room_status ?? 'unknown state') : notFound
  })
  session.warn(`${ids.length} rooms: ${tally(states).join(', ')}`)
}

/** `refused (IDLE): r-1, r-2 and 38 more`, as many as fit. */
function foldedLine({runtime}: Session, reason: string, ids: readonly string[]): string {
  const room = (runtime.stderr.columns ?? 80) - ' and 1000 more'.length
  const line = (count: number) => `refused (${safeText(reason)}): ${ids.slice(0, count).map(safeText).join(', ')}`
  let count = ids.length
  while (count > 1 && line(count).length > room) count -= 1
  return `${line(count)}${count < ids.length ? ` and ${ids.length - count} more` : ''}`
}
