import {add, block, listAttendees, restore} from '../../api/contract/attendee.js'
import type {OperationId} from '../../api/contract/operations.js'
import {stop} from '../../api/contract/record.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {type delegate, end, type presenter, remove} from '../../api/contract/roomChanges.js'
import {presentCount} from '../../api/contract/roomFacts.js'
import {stateRule} from '../../api/contract/stateRules.js'
import {roomStates} from '../../api/contract/states.js'
import {fixHeapSize} from '../../api/http/transports/heapSize.js'
import {presentIn} from '../../api/rules/room.js'
import {readIds} from '../../cli/input/readIds.js'
import {pickRoom, pickRooms, pickUser, pickUsers, readUsers} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'
import {failureWith, wrongUsage} from '../../failure.js'
import type {RoomFilter} from '../../selection/roomFilter.js'
import {counted, grouped, safeText, shortly, someOf} from '../../text/text.js'
import {type ChangeResult, changeResults} from '../../view/room/changes.js'
import {assertStdinOnce, type BulkFlags, readRunFlags, type Targets} from '../bulk/flags.js'
import {type MutationFlags, mutate, mutateTargets} from '../mutation/mutate.js'
import type {BulkMutation, Mutation, MutationResult} from '../mutation/mutation.js'
import {describeRequester, namesRequester, type Requester} from '../mutation/requester.js'
import {readListedRooms} from './listRooms.js'
import {previewRooms, roomTable} from './previewRooms.js'
import {assertNamedOrChosen, type RoomSelection, readSelection, selectionFlag} from './roomFlags.js'

interface RoomResult {
  /** The result for people: `made ben host of room r-1`; ` as USER` is added. */
  readonly done: (room: string) => string
  /** Members of the result beside `room_id` and `requester_id`. */
  readonly value: Readonly<Record<string, unknown>>
}

interface MadeInRoom {
  readonly input: {readonly path: {readonly roomId: string}}
  readonly requester: Requester | undefined
}

/** The result of a change to one room, for `Mutation`. `namesNobody`: the operation names no requester. */
export function roomResult({done, value}: RoomResult, {namesNobody = false} = {}) {
  return {
    members: ['room_id', ...(namesNobody ? [] : ['requester_id']), ...Object.keys(value)],
    result: ({input: {path}, requester}: MadeInRoom): MutationResult => ({
      value: {room_id: path.roomId, ...(namesNobody ? {} : {requester_id: requester?.requester_id ?? null}), ...value},
      id: path.roomId,
      sentence: `${done(`room ${safeText(path.roomId)}`)}${requester ? ` as ${safeText(describeRequester(requester))}` : ''}`,
    }),
  }
}

/** Gives a role in a room to a user, who is picked if not given. */
export async function giveRole(
  session: Session,
  flags: MutationFlags,
  {room, user}: Readonly<Record<'room' | 'user', string | undefined>>,
  operation: typeof delegate | typeof presenter,
  role: 'host' | 'presenter',
): Promise<void> {
  const roomId = await pickRoom(session, room, operation.id)
  const user_id = await pickUser(session, roomId, user, operation.id)
  await mutate(session, flags, {
    operation,
    input: () => ({path: {roomId}, body: {user_id}}),
    ...roomResult({done: (roomId) => `made ${safeText(user_id)} ${role} of ${roomId}`, value: {[role]: user_id}}),
  })
}

type RoomOperation = typeof end | typeof remove | typeof stop | typeof block | typeof restore | typeof add

export interface RoomMutation extends BulkMutation<RoomOperation, ChangeResult> {
  /** The users, the same in every room. */
  readonly users?: readonly string[]
}

function toRooms(change: Omit<RoomMutation, 'noun' | 'view' | 'row' | 'preview' | 'table'>): RoomMutation {
  const {users} = change
  return {
    ...change,
    noun: 'room',
    view: changeResults,
    row: (id, {outcome, ...why}, requester_id) => {
      return {room_id: id, outcome, requester_id, ...(users ? {attendees: users} : {}), ...why}
    },
    preview: previewRooms,
    table: roomTable,
  }
}

/** A change by a requester alone, of which one result is a row of the list (docs/decisions/0004). */
function endsRoom(
  operation: typeof end | typeof remove,
  {verb, past, confirmation}: Pick<RoomMutation, 'verb' | 'past' | 'confirmation'>,
  question: NonNullable<Mutation<RoomOperation>['question']>,
): RoomMutation {
  return toRooms({
    operation,
    input: (roomId) => ({path: {roomId}, body: {}}),
    verb,
    past,
    confirmation,
    question,
    result: ({id, room, requester, asked}) => {
      const name = nameRoom(id, asked ? room : undefined)
      return {value: {}, id, sentence: `${past} ${name} as ${safeText(requester && describeRequester(requester))}`}
    },
  })
}

export const endRooms = endsRoom(end, {verb: 'End', past: 'ended', confirmation: 'yes'}, ({id, room}) => ({
  text: `End ${describeRoom(id, room)}?`,
}))

export const deleteRooms = endsRoom(remove, {verb: 'Delete', past: 'deleted', confirmation: 'typed'}, ({id, room}) => ({
  text: `Delete ${describeRoom(id, room)}?`,
  expected: [...new Set([typedName(id, room), safeText(id)])],
}))

export const stopRecordings = toRooms({
  operation: stop,
  input: (roomId) => ({path: {roomId}, body: {}}),
  verb: 'Stop recording',
  past: 'stopped',
  ...roomResult({done: (room) => `stopped recording ${room}`, value: {recording: false}}),
})

/** A change to users, the same in every room: `Block ann in`, `blocked ann in room r-1`. */
function toUsers(
  operation: typeof block | typeof restore | typeof add,
  users: readonly string[],
  {verb, past, place}: {readonly verb: string; readonly past: string; readonly place: 'in' | 'to'},
  asking: Pick<RoomMutation, 'confirmation' | 'question'> = {},
): RoomMutation {
  const done = (room: string) => `${past} ${names(users)} ${place} ${room}`
  return toRooms({
    operation,
    input: (roomId) => ({path: {roomId}, body: {attendees: [...users]}}),
    verb: `${verb} ${names(users, usersShown)} ${place}`,
    past: 'changed',
    users,
    ...asking,
    ...roomResult({done, value: {[past]: users}}, {namesNobody: !namesRequester(operation)}),
  })
}

export function blockIn(users: readonly string[]): RoomMutation {
  const isTyped = users.length > 1
  return toUsers(
    block,
    users,
    {verb: 'Block', past: 'blocked', place: 'in'},
    {
      confirmation: isTyped ? 'typed' : 'yes',
      question: ({id, room}) => ({
        text: `Block ${names(users)} in ${describeRoom(id, room)}?`,
        ...(isTyped ? {expected: [String(users.length)]} : {}),
      }),
    },
  )
}

export function restoreIn(users: readonly string[]): RoomMutation {
  return toUsers(restore, users, {verb: 'Restore', past: 'restored', place: 'in'})
}

export function addTo(users: readonly string[]): RoomMutation {
  return toUsers(add, users, {verb: 'Add', past: 'added', place: 'to'})
}

/** Above this many names a question is too long to read. */
const usersShown = 5

function names(users: readonly string[], most = Number.POSITIVE_INFINITY): string {
  return someOf(users.map(safeText), most)
}

export function nameRoom(id: string, room: RoomDetail | undefined): string {
  return room?.name ? `room ${safeText(id)} "${safeText(shortly(room.name))}"` : `room ${safeText(id)}`
}

/** `room r-1 "Standup" (MEETING, 3 present: ann, ben, 김민준)`, for a question. */
export function describeRoom(id: string, room: RoomDetail | undefined): string {
  if (!room) return nameRoom(id, room)
  const users = presentIn(room).map((user) => safeText(shortly(user)))
  const count = presentCount(room) ?? 0
  const names = users.length === 0 ? '' : `: ${someOf(users, 10)}`
  const people = count === 0 ? 'nobody present' : `${count} present${names}`
  return `${nameRoom(id, room)} (${safeText(shortly(room.room_status ?? ''))}, ${people})`
}

/** Too long a name to type as a confirmation. */
const longestTyped = 100

/** The text that confirms a change of a room: its name, or its id if the name is missing, too long or cannot be typed. */
export function typedName(id: string, room: RoomDetail | undefined): string {
  const plain = room?.name?.trim() ?? ''
  return plain !== '' && plain.length <= longestTyped && safeText(plain) === plain ? plain : safeText(id)
}

/** Changes the rooms that are given, chosen by flags or picked on a terminal. Throws Failure. */
export async function mutateRooms(
  session: Session,
  flags: BulkFlags,
  rooms: readonly string[] | undefined,
  mutation: RoomMutation,
): Promise<void> {
  const settings = readRunFlags(session, flags)
  const {ids, single, unfit} = await roomTargets(session, rooms, flags, mutation.operation.id)
  await mutateTargets(session, flags, unfit ? {...mutation, unfit} : mutation, {ids, single}, settings)
}

/** The journal of a few rooms is read in half the time while the heap may grow. */
const manyRooms = 1000

/**
 * Arguments in their order, `-` replaced by the lines of stdin, each id once; else chosen by flags or picked. `unfit`: of flags that
 * choose rooms, or filter those of stdin. Throws Failure (usage).
 */
async function roomTargets(
  session: Session,
  rooms: readonly string[] = [],
  flags: RoomSelection,
  operation: OperationId,
): Promise<Targets & {readonly unfit?: RoomMutation['unfit'] | undefined}> {
  const filter = readSelection(flags)
  assertNamedOrChosen(
    rooms.filter((word) => word !== '-'),
    flags,
  )
  const unfit = filter && unfitBy(session, filter, rooms.length === 0)
  if (filter && rooms.length === 0) return {ids: await selectRooms(session, filter, operation), single: false, unfit}
  if (rooms.length === 0) {
    const picked = await pickRooms(session, operation)
    return {ids: picked, single: picked.length === 1}
  }
  const {ids} = await readIds(session, 'ROOM', rooms)
  if (ids.length > manyRooms) await fixHeapSize()
  return {ids, single: ids.length === 1 && !rooms.includes('-'), unfit}
}

/** The flag that a room does not match when it is read to be changed. `wasChosen`: by the same flags, from the list. */
function unfitBy({runtime}: Session, filter: RoomFilter, wasChosen: boolean): NonNullable<RoomMutation['unfit']> {
  return (room) => {
    const flag = filter.misfit(room, runtime.now(), presentCount(room) ?? Number.NaN)
    return flag === undefined
      ? undefined
      : failureWith('state', `it ${wasChosen ? 'no longer matches' : 'does not match'} ${shortly(flag)}`)
  }
}

/**
 * `ROOM USER…`, the room picked if missing; if flags choose the rooms, all are users, but for a `-` before them, whose rooms the flags
 * filter. `from`: a file of more. Throws Failure (usage), also for stdin named twice.
 */
export async function roomAndUsers(
  session: Session,
  operation: OperationId,
  typed: readonly string[] = [],
  flags: RoomSelection & {readonly 'from-file'?: string | undefined},
): Promise<{readonly rooms: readonly string[] | undefined; readonly users: readonly string[]}> {
  assertStdinOnce([...typed, flags['from-file']], {
    why: 'stdin can be read once: for rooms or for users',
    try: 'name the others, or choose the rooms with flags such as --match',
  })
  const [room, ...users] = typed
  const isFiltered = room === '-' && (users.length > 0 || flags['from-file'] !== undefined)
  if (selectionFlag(flags) !== undefined && !isFiltered) return {rooms: undefined, users: typed}
  return {rooms: [await pickRoom(session, room, operation)], users}
}

/** Users to block: the named ones, all present ones except the host and `except`, or one picked (room §8). */
export async function blockTargets(
  session: Session,
  roomId: string | undefined,
  users: readonly string[],
  except: readonly string[] | undefined,
): Promise<readonly string[]> {
  // Who is present differs from room to room, so in several rooms users are named.
  const other = roomId === undefined ? 'a flag that chooses rooms' : users.length > 0 ? 'USER' : undefined
  if (except !== undefined && other !== undefined)
    throw wrongUsage(`${other} and --all-except cannot be given together`)
  if (roomId === undefined) return (await readUsers(session, users, {advice: 'name the users to block'})).ids
  if (except !== undefined) return everybodyBut(session, roomId, except)
  if (users.length === 0) return pickUsers(session, roomId, 'attendee.block')
  return (await readUsers(session, users, {advice: {command: ['attendee list', roomId, '--present']}})).ids
}

async function everybodyBut(session: Session, roomId: string, except: readonly string[]): Promise<readonly string[]> {
  const attendees = await session.api.call(listAttendees, {path: {roomId}})
  const others = attendees.filter(
    ({user_id, is_host, is_present}) => is_present === true && is_host !== true && !except.includes(user_id),
  )
  if (others.length > 0) return others.map(({user_id}) => user_id)
  throw failureWith('state', `nobody else is present in room ${roomId}; nothing was sent`, {
    code: 'nobody',
    why: 'only users who are present can be blocked, and never the host',
    try: {command: ['attendee list', roomId, '--present']},
  })
}

/** The ids of the rooms that the filter chooses, in the order of the list, without those whose state refuses the operation. */
async function selectRooms(session: Session, filter: RoomFilter, operation: OperationId): Promise<string[]> {
  // There may be any number.
  await fixHeapSize()
  const ids = new Set<string>()
  const {rooms} = await readListedRooms(session, {filter, ascending: false, counts: false})
  const refused = new Map<string, string>()
  for (const {room_id: id, room_status: status} of rooms) {
    const state = roomStates.find((known) => known === status)
    if (state && stateRule(operation)?.in[state].allowed === 'no') refused.set(id, state)
    else ids.add(id)
  }
  const states = grouped([...refused], ([, state]) => state)
  const counts = Array.from(states, ([state, rooms]) => counted(rooms.length, `${state} room`))
  if (refused.size > 0) session.warn(`skipped ${counts.join(', ')}`)
  return [...ids]
}
