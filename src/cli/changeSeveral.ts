import {Failure} from '../contract/failure.js'
import type {Operation} from '../contract/operation.js'
import type {RoomDetail} from '../contract/room.js'
import {type ChangeResult, changeResults} from '../view/change.js'
import {failureText} from '../view/failure.js'
import {drawList} from '../view/output.js'
import {roomList} from '../view/room.js'
import {actAs, readRoom} from './acting.js'
import {carryOut} from './change.js'
import {askChange, doingOf, mustAsk} from './confirm.js'
import {isMachineFormat, toFailure} from './door.js'
import {errorJson} from './errorJson.js'
import {afterChange, presentList} from './present.js'
import type {ChangeRoomsFlags, RoomChange} from './roomChange.js'
import type {Session} from './session.js'

type KnownRooms = ReadonlyMap<string, RoomDetail>

/** Makes a change to several rooms, one after the other, and presents one result for each. */
export async function changeSeveral<O extends Operation>(
  session: Session,
  flags: ChangeRoomsFlags,
  ids: readonly string[],
  change: RoomChange<O>,
): Promise<void> {
  const {signal} = session.runtime
  const rooms = ids.length === 0 ? new Map() : await confirmAll(session, flags, ids, change)
  const results: ChangeResult[] = []
  for (const id of ids) {
    if (signal.aborted) break
    results.push(await attempt(session, id, rooms, change))
    if (flags['fail-fast'] && results.at(-1)?.outcome === 'failed') break
  }
  for (const id of ids.slice(results.length)) results.push(skipped(id))
  if (signal.aborted) session.endWith('interrupted')
  else if (results.some(({outcome}) => outcome !== 'done')) session.endWith('partial')
  // With -q the next command of a pipe gets what was done, not what failed.
  const shown = session.output.format === 'ids' ? results.filter(({outcome}) => outcome === 'done') : results
  await afterChange(() => presentList(session, shown, changeResults))
}

async function attempt<O extends Operation>(
  session: Session,
  id: string,
  rooms: KnownRooms,
  {operation, input}: RoomChange<O>,
): Promise<ChangeResult> {
  try {
    const known = rooms.get(id)
    const doing = doingOf(operation, input(id, ''))
    const {requester_id} = await actAs(session, id, {doing, ...(known ? {known} : {})})
    await carryOut(session, operation, input(id, requester_id))
    return {room_id: id, outcome: 'done', requester_id}
  } catch (error) {
    const failure = toFailure(error)
    if (failure.facts.exit === 'interrupted' && failure.facts.outcome !== 'unknown') return skipped(id)
    if (!isMachineFormat(session.output.format)) session.note(failureText(failure, session.style).trimEnd())
    return {room_id: id, outcome: 'failed', requester_id: null, error: errorJson(session, failure)}
  }
}

function skipped(id: string): ChangeResult {
  return {room_id: id, outcome: 'skipped', requester_id: null}
}

/** Shows what is about to be changed and asks for the count; gives back the rooms that were read for it. */
async function confirmAll<O extends Operation>(
  session: Session,
  flags: ChangeRoomsFlags,
  ids: readonly string[],
  {verb}: RoomChange<O>,
): Promise<KnownRooms> {
  const count = ids.length === 1 ? '1 room' : `${ids.length} rooms`
  if (!mustAsk(session, flags, `${verb.toLowerCase()} ${count}`, true)) return new Map()
  const rooms = await readRooms(session, ids)
  await preview(session, ids, rooms)
  await askChange(session, {text: `${verb} ${count}?`, expected: String(ids.length)})
  return rooms
}

/** Reads the rooms for the question. One that is not there is left out, and fails when its turn comes. */
async function readRooms(session: Session, ids: readonly string[]): Promise<KnownRooms> {
  const rooms = new Map<string, RoomDetail>()
  for (const id of ids) {
    try {
      rooms.set(id, await readRoom(session, id))
    } catch (error) {
      if (!(error instanceof Failure && error.facts.exit === 'missing')) throw error
    }
  }
  return rooms
}

async function preview(session: Session, ids: readonly string[], rooms: KnownRooms): Promise<void> {
  const {stderr} = session.runtime
  const rows = ids.map((id) => rooms.get(id) ?? {room_id: id, name: '(not found)'})
  const view = {...session.view, style: session.style, columns: stderr.columns}
  for await (const chunk of drawList(rows, roomList, {format: 'table', header: true}, view)) await stderr.write(chunk)
}
