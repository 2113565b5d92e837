import {runAll} from '../bulk/pool.js'
import {Failure} from '../contract/failure.js'
import type {Operation} from '../contract/operation.js'
import type {RoomDetail, RoomSummary} from '../contract/room.js'
import {type ChangeResult, changeResults} from '../view/change.js'
import {drawList} from '../view/output.js'
import {roomListWithCounts} from '../view/room.js'
import {actAs, hostOf, readRoom} from './acting.js'
import type {BulkSettings} from './bulkFlags.js'
import {presentBulk} from './bulkPresent.js'
import {assertGoesOn, type Came, runBulk} from './bulkRun.js'
import {carryOut} from './change.js'
import {type Answers, askChange, doingOf, mustAsk} from './confirm.js'
import type {RoomChange} from './roomChange.js'
import type {Session} from './session.js'

type KnownRooms = ReadonlyMap<string, RoomDetail>

/** A room that is to be changed, and whom the change is made as; null where no requester is named. */
interface Made {
  readonly requester: string | null
}

/** Makes a change to several rooms, several at a time, and presents one result for each, in their order. */
export async function changeSeveral<O extends Operation>(
  session: Session,
  flags: Answers,
  settings: BulkSettings,
  ids: readonly string[],
  change: RoomChange<O>,
): Promise<void> {
  const known = ids.length === 0 ? new Map() : await confirmRooms(session, flags, settings, ids, change)
  const make = (id: string, run: Session) => changeRoom(session, run, id, known.get(id), change)
  const {came, picture} = await runBulk(session, settings, ids, {id: (id) => id, make})
  await presentBulk(session, settings, {
    rows: ids.map((id, at) => resultOf(id, came[at], change)),
    picture,
    view: changeResults,
    past: change.past,
  })
}

async function changeRoom<O extends Operation>(
  session: Session,
  run: Session,
  id: string,
  known: RoomDetail | undefined,
  {operation, input, who}: RoomChange<O>,
): Promise<Made> {
  if (who === 'nobody') {
    await carryOut(run, operation, input(id, ''))
    return {requester: null}
  }
  const doing = doingOf(operation, input(id, ''))
  const creatorWillDo = who === 'host or creator'
  const {requester_id} = await actAs(run, id, {doing, creatorWillDo, ...(known ? {known} : {})})
  assertGoesOn(session)
  await carryOut(run, operation, input(id, requester_id))
  return {requester: requester_id}
}

/** What came of a room, as it is shown. */
export function resultOf(id: string, came: Came<Made> | undefined, {attendees}: RoomChange): ChangeResult {
  const about = attendees ? {attendees} : {}
  if (came?.outcome === 'done') {
    return {room_id: id, outcome: 'done', requester_id: came.made.requester, ...about}
  }
  const why = came?.outcome === 'failed' ? {error: came.error} : {reason: came?.reason ?? 'not tried'}
  return {room_id: id, outcome: came?.outcome ?? 'skipped', requester_id: null, ...about, ...why}
}

/** Shows what is about to be changed and asks for the count; gives back the rooms that were read for it. */
async function confirmRooms(
  session: Session,
  flags: Answers,
  settings: BulkSettings,
  ids: readonly string[],
  {verb}: RoomChange,
): Promise<KnownRooms> {
  const count = ids.length === 1 ? '1 room' : `${ids.length} rooms`
  if (!mustAsk(session, flags, `${verb.charAt(0).toLowerCase()}${verb.slice(1)} ${count}`, true)) return new Map()
  const rooms = await readRooms(session, settings, ids)
  await preview(
    session,
    ids.map((id) => rooms.get(id) ?? {room_id: id, name: '(not found)'}),
  )
  await askChange(session, {text: `${verb} ${count}?`, expected: String(ids.length)})
  return rooms
}

/**
 * Reads rooms, several at a time, and says first how many calls that takes. One that is not there, or whose id no path can
 * carry, is left out. Of the attendees only the host is kept: there may be many rooms.
 */
export async function readRooms(
  session: Session,
  {concurrency}: Pick<BulkSettings, 'concurrency'>,
  ids: readonly string[],
): Promise<Map<string, RoomDetail>> {
  if (ids.length > concurrency) session.note(`reading ${ids.length} rooms, one call each`)
  const rooms = new Map<string, RoomDetail>()
  const read = async (id: string) => {
    try {
      const room = await readRoom(session, id)
      const host = hostOf(room)
      rooms.set(id, {...room, attendees: room.attendees?.filter(({user_id}) => user_id === host)})
    } catch (error) {
      if (!(error instanceof Failure && (error.facts.exit === 'missing' || error.facts.exit === 'usage'))) throw error
    }
  }
  await runAll(ids, read, {concurrency, stopped: () => undefined, untried: () => undefined})
  return rooms
}

const previewed = ['room_id', 'name', 'room_status', 'present_count', 'age']

/** Shows rooms on stderr, before the question. */
export async function preview(session: Session, rows: readonly RoomSummary[]): Promise<void> {
  const {stderr} = session.runtime
  const view = {...session.view, style: session.style, columns: stderr.columns}
  const options = {format: 'table', header: true, columns: previewed} as const
  for await (const chunk of drawList(rows, roomListWithCounts, options, view)) await stderr.write(chunk)
}
