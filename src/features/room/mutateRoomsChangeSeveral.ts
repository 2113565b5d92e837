import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {askChange, type ConfirmFlags, describeChange, mustAsk} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {type ChangeResult, changeResults} from '../../view/room/change.js'
import type {BulkSettings} from '../bulk/flags.js'
import {presentBulk} from '../bulk/present.js'
import {assertNotInterrupted, type BulkResult, runBulk, Skipped} from '../bulk/run.js'
import {sendJournaled} from '../mutation/journal.js'
import {readRoom, requestedRole, resolveRequester} from '../mutation/requester.js'
import {type KnownRooms, knownRoom, previewRooms, readRooms} from './readRooms.js'
import type {Decided, RoomChange} from './roomMutations.js'

/** A change to several rooms. */
export interface SeveralRooms<O extends Operation> {
  readonly ids: readonly string[]
  readonly change: RoomChange<O>
  readonly decided?: Decided
}

/** Whom a change was made as; null where no requester is named. */
type Requester = string | null

/** Makes a change to several rooms, several at a time, and presents one result for each, in their order. */
export async function changeSeveral<O extends Operation>(
  session: Session,
  flags: ConfirmFlags,
  settings: BulkSettings,
  several: SeveralRooms<O>,
): Promise<void> {
  const {ids, change} = several
  const known = ids.length === 0 ? new Map() : await confirmRooms(session, flags, settings, several)
  const make = (id: string, run: Session) => changeRoom({session, run, known: knownRoom(known, id)}, id, several)
  const {came, picture} = await runBulk(session, settings, ids, {id: (id) => id, make})
  await presentBulk(session, settings, {
    rows: ids.map((id, at) => resultOf(id, came[at], change.attendees)),
    picture,
    view: changeResults,
    past: change.past,
  })
}

interface Circumstances {
  readonly session: Session
  /** The session whose calls come to their end. */
  readonly run: Session
  /** The room, where it was read for the question. */
  readonly known: RoomDetail | undefined
}

async function changeRoom<O extends Operation>(
  {session, run, known}: Circumstances,
  id: string,
  {change: {operation, input, who}, decided}: SeveralRooms<O>,
): Promise<Requester> {
  // For the failure of a read; most runs that name whom to act as make none.
  const doing = decided || isRole(requestedRole(session)) ? describeChange(operation, input(id, '')) : undefined
  const room = decided ? await unmovedRoom(run, id, known, doing, decided) : known
  if (who === 'nobody') {
    assertNotInterrupted(session)
    await sendJournaled(run, operation, input(id, ''))
    return null
  }
  const {requester_id} = await resolveRequester(run, id, {
    creatorWillDo: who === 'host or creator',
    ...(doing === undefined ? {} : {doing}),
    ...(room ? {known: room} : {}),
    ...(decided?.wish === undefined ? {} : {wish: decided.wish}),
  })
  assertNotInterrupted(session)
  await sendJournaled(run, operation, input(id, requester_id))
  return requester_id
}

function isRole(wish: string): boolean {
  return wish === 'host' || wish === 'creator'
}

/** The room as it is now. Raises Skipped where it is gone, or not what it was when the plan was made. */
async function unmovedRoom(
  run: Session,
  id: string,
  known: RoomDetail | undefined,
  doing: string | undefined,
  {moved}: Decided,
): Promise<RoomDetail> {
  const room = known ?? (await readRoom(run, id, doing).catch(skipMissing))
  const why = moved(id, room)
  if (why !== undefined) throw new Skipped(why)
  return room
}

function skipMissing(error: unknown): never {
  throw error instanceof Failure && error.facts.exit === 'missing' ? new Skipped('it is gone') : error
}

/** What came of a room, as it is shown. */
function resultOf(
  id: string,
  came: BulkResult<Requester> | undefined,
  users: readonly string[] | undefined,
): ChangeResult {
  const about = users ? {attendees: users} : {}
  if (came?.outcome === 'done') return {room_id: id, outcome: 'done', requester_id: came.made, ...about}
  const why = came?.outcome === 'failed' ? {error: came.error} : {reason: came?.reason ?? 'not tried'}
  return {room_id: id, outcome: came?.outcome ?? 'skipped', requester_id: null, ...about, ...why}
}

/** Shows what is about to be changed and asks for the count; gives back the rooms that were read for it. */
async function confirmRooms<O extends Operation>(
  session: Session,
  flags: ConfirmFlags,
  settings: BulkSettings,
  {ids, change: {verb}, decided}: SeveralRooms<O>,
): Promise<KnownRooms> {
  if (!mustAsk(session, flags, `${verb.charAt(0).toLowerCase()}${verb.slice(1)} ${counted(ids.length)}`, true)) {
    return new Map()
  }
  const rooms = await readRooms(session, settings, ids)
  const left = decided ? ids.filter((id) => isUnmoved(id, rooms, decided)) : ids
  if (left.length === 0) return rooms
  await previewRooms(session, left, rooms)
  if (left.length < ids.length) session.warn(`skipped, since they have changed: ${ids.length - left.length}`)
  const acting = decided?.wish === undefined || decided.wish === 'host' ? '' : ` as ${decided.wish}`
  await askChange(session, {text: `${verb} ${counted(left.length)}${acting}?`, expected: String(left.length)})
  return rooms
}

function isUnmoved(id: string, rooms: KnownRooms, {moved}: Decided): boolean {
  const room = knownRoom(rooms, id)
  return room !== undefined && moved(id, room) === undefined
}

function counted(rooms: number): string {
  return rooms === 1 ? '1 room' : `${rooms} rooms`
}
