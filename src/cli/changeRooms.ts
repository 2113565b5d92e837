import {Failure, failureJson} from '../contract/failure.js'
import type {Input, Operation} from '../contract/operation.js'
import type {RoomDetail} from '../contract/room.js'
import {get} from '../contract/room.js'
import {type ChangeResult, changeResults} from '../view/change.js'
import {failureText} from '../view/failure.js'
import {drawList} from '../view/output.js'
import {roomList} from '../view/room.js'
import {safeText} from '../view/text.js'
import {type Acting, actAs, actingWords} from './acting.js'
import {carryOut} from './change.js'
import {assertWritable, confirmChange, type Question} from './confirm.js'
import {toFailure} from './door.js'
import {planOf, presentPlans} from './dryRun.js'
import {presentList, presentText} from './present.js'
import {describeRoom, nameRoom} from './roomWords.js'
import type {Session} from './session.js'
import type {Targets} from './targets.js'

/** A change that is made to rooms, one request for each. */
export interface RoomChange<O extends Operation> {
  readonly operation: O
  readonly input: (roomId: string, requester: string) => Input<O>
  /** `end` and `ended`, for questions and results. */
  readonly verb: string
  readonly past: string
  /** How much confirmation one target takes; several take the typed count. */
  readonly weight: Question['weight']
}

interface Flags {
  readonly yes?: boolean
  readonly confirm?: string | undefined
  readonly 'dry-run'?: boolean
  readonly 'fail-fast'?: boolean
}

/**
 * Makes a change to each room in turn: settles whom to act as, asks by weight, sends, journals and presents one result
 * for each target. A single target fails with its own exit code; of several, some failing ends with `partial`.
 */
export async function changeRooms<O extends Operation>(
  session: Session,
  flags: Flags,
  {ids, single}: Targets,
  change: RoomChange<O>,
): Promise<void> {
  if (flags['dry-run']) return showPlans(session, ids, change)
  assertWritable(session)
  const rooms = await ask(session, flags, ids, change)
  if (single) return changeOne(session, ids[0] ?? '', rooms, change)

  const results: ChangeResult[] = []
  for (const id of ids) {
    results.push(await attempt(session, id, rooms, change))
    if (session.runtime.signal.aborted) break
    if (flags['fail-fast'] && results.at(-1)?.outcome === 'failed') break
  }
  for (const id of ids.slice(results.length)) results.push({room_id: id, outcome: 'skipped', requester_id: null})
  await presentList(session, results, changeResults)
  if (session.runtime.signal.aborted) session.endWith('interrupted')
  else if (results.some(({outcome}) => outcome !== 'done')) session.endWith('partial')
}

type KnownRooms = ReadonlyMap<string, RoomDetail>

async function changeOne<O extends Operation>(
  session: Session,
  id: string,
  rooms: KnownRooms,
  change: RoomChange<O>,
): Promise<void> {
  const acting = await make(session, id, rooms, change)
  const result: ChangeResult = {room_id: id, outcome: 'done', requester_id: acting.requester_id}
  if (session.output.format !== 'table') return presentList(session, [result], changeResults)
  await presentText(session, `${change.past} ${nameRoom(id, rooms.get(id))} as ${safeText(actingWords(acting))}`)
}

async function make<O extends Operation>(
  session: Session,
  id: string,
  rooms: KnownRooms,
  {operation, input}: RoomChange<O>,
): Promise<Acting> {
  const known = rooms.get(id)
  const acting = await actAs(session, id, known ? {known} : {})
  await carryOut(session, operation, input(id, acting.requester_id))
  return acting
}

async function attempt<O extends Operation>(
  session: Session,
  id: string,
  rooms: KnownRooms,
  change: RoomChange<O>,
): Promise<ChangeResult> {
  try {
    const {requester_id} = await make(session, id, rooms, change)
    return {room_id: id, outcome: 'done', requester_id}
  } catch (error) {
    const failure = toFailure(error)
    if (session.output.format === 'table') session.note(failureText(failure, session.style).trimEnd())
    return {room_id: id, outcome: 'failed', requester_id: null, error: failureJson(failure)}
  }
}

/** Shows what is about to be changed and asks; gives back the rooms that were read for it. */
async function ask<O extends Operation>(
  session: Session,
  flags: Flags,
  ids: readonly string[],
  {verb, weight}: RoomChange<O>,
): Promise<KnownRooms> {
  const asks = session.resolved.values.protected || !flags.yes
  if (!asks) return new Map()
  const rooms = await readRooms(session, ids)
  if (ids.length > 1) {
    if (session.mayAsk) await preview(session, ids, rooms)
    const question = {
      text: `${capital(verb)} these ${ids.length} rooms?`,
      weight: 'type',
      expected: String(ids.length),
    } as const
    await confirmChange(session, flags, question)
    return rooms
  }
  const [id = ''] = ids
  const room = rooms.get(id)
  const question = {text: `${capital(verb)} ${describeRoom(id, room)}?`, weight, expected: room?.name || id}
  await confirmChange(session, flags, question)
  return rooms
}

/** Reads the rooms for the question. One that cannot be read is left out, and fails when its turn comes. */
async function readRooms(session: Session, ids: readonly string[]): Promise<KnownRooms> {
  const rooms = new Map<string, RoomDetail>()
  for (const id of ids) {
    try {
      rooms.set(id, await session.api.call(get, {path: {roomId: id}}))
    } catch (error) {
      const passing = error instanceof Failure && ids.length > 1 && error.facts.exit === 'missing'
      if (!passing) throw error
    }
  }
  return rooms
}

async function preview(session: Session, ids: readonly string[], rooms: KnownRooms): Promise<void> {
  const rows = ids.map((id) => rooms.get(id) ?? {room_id: id, name: '(not found)'})
  const view = {...session.view, columns: session.runtime.stderr.columns, note: session.note}
  for await (const chunk of drawList(rows, roomList, {format: 'table', header: true}, view)) {
    await session.runtime.stderr.write(chunk)
  }
}

async function showPlans<O extends Operation>(
  session: Session,
  ids: readonly string[],
  {operation, input}: RoomChange<O>,
): Promise<void> {
  const plans = []
  for (const id of ids) {
    const room = await session.api.call(get, {path: {roomId: id}})
    const {requester_id: requester} = await actAs(session, id, {known: room})
    plans.push(await planOf(session, operation, input(id, requester), {room, requester}))
  }
  await presentPlans(session, plans)
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
