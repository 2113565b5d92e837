import type {Advice} from '../../advice.js'
import {listAttendees} from '../../api/contract/attendee.js'
import type {Service} from '../../api/contract/operation.js'
import type {OperationId} from '../../api/contract/operations.js'
import {type AttendeeRecord, listRooms, type RoomSummary} from '../../api/contract/room.js'
import {predict, predictAs} from '../../api/rules/predict.js'
import {type Failure, failureWith, wrongUsage} from '../../failure.js'
import {unasked} from '../../terminal/ask.js'
import type {Choice} from '../../terminal/questions.js'
import {safeText, shortly} from '../../text/text.js'
import {cut, displayWidth, pad} from '../../text/width.js'
import {ageOf} from '../../view/room/room.js'
import {type IdList, readIds, requireId} from '../input/readIds.js'
import type {Session} from '../session/session.js'
import {questionOn} from './confirm.js'

/**
 * The given room, or one picked on a terminal; rooms in which `operation` would be refused are not offered. Throws Failure
 * (usage) without a terminal.
 */
export async function pickRoom(session: Session, roomId: string | undefined, operation?: OperationId): Promise<string> {
  if (roomId !== undefined) return requireId('ROOM', roomId)
  const choices = await roomChoices(session, operation)
  return session.runtime.ask.choose(questionOn(session, 'room', 'Which room?'), choices)
}

function tenantRooms({api, resolved}: Session): Promise<readonly RoomSummary[]> {
  const {bizId} = resolved.values
  return api.call(listRooms, {query: bizId ? {bizId} : {}})
}

export async function pickRooms(session: Session, operation?: OperationId): Promise<string[]> {
  const choices = await roomChoices(session, operation)
  return session.runtime.ask.chooseSeveral(questionOn(session, 'room', 'Which rooms?'), choices)
}

export async function pickUser(
  session: Session,
  roomId: string,
  user: string | undefined,
  operation: OperationId,
): Promise<string> {
  if (user !== undefined) return requireId('USER', user)
  const choices = await userChoices(session, roomId, operation)
  return session.runtime.ask.choose(questionOn(session, 'room', 'Which user?'), choices)
}

/** The same with users who are not on the list of the room, whose names are typed. */
export async function pickAnyUser(session: Session, roomId: string, user: string | undefined): Promise<string> {
  if (user !== undefined) return requireId('USER', user)
  const {ask} = session.runtime
  const listed = (await attendeesToOffer(session, roomId)).map(attendeeChoice)
  const other: Choice<string | {readonly typed: string} | undefined> = {
    name: 'somebody who is not on the list',
    value: undefined,
    always: true,
    fromFilter: (typed) => ({typed: typed.trim()}),
  }
  const question = questionOn(session, 'room', 'Which user?')
  const chosen = listed.length === 0 ? undefined : await ask.choose(question, [...listed, other])
  if (typeof chosen === 'string') return chosen
  const initial = chosen?.typed ? {initial: chosen.typed} : {}
  return requireId('USER', (await ask.text(questionOn(session, 'room', 'User (id):'), initial)).trim())
}

export async function pickUsers(session: Session, roomId: string, operation: OperationId): Promise<string[]> {
  const choices = await userChoices(session, roomId, operation)
  return session.runtime.ask.chooseSeveral(questionOn(session, 'room', 'Which users?'), choices)
}

/**
 * The users that arguments and the file `from` name, at least one; asked for on a terminal. `advice`: what to do if none is
 * given. Throws Failure as `readIds` does.
 */
export async function readUsers(
  session: Session,
  typed: readonly string[],
  {
    advice,
    from,
    service = 'room',
  }: {readonly advice: Advice; readonly from?: string | undefined; readonly service?: Service},
): Promise<IdList> {
  const users = await readIds(session, 'USER', typed, from)
  if (users.ids.length > 0) return users
  if (typed.length === 0 && from === undefined) {
    const asked = session.mayAsk ? await askForUsers(session, service) : []
    if (asked.length > 0) return readIds(session, 'USER', asked)
    throw unasked(session.runtime, wrongUsage('USER is missing', {try: advice}))
  }
  throw wrongUsage(`${from === undefined || from === '-' ? 'stdin' : from} contains no user; nothing was sent`)
}

async function askForUsers(session: Session, service: Service): Promise<string[]> {
  const text = await session.runtime.ask.text(questionOn(session, service, 'Users (ids, separated by spaces):'))
  return text.split(/[\s,]+/u).filter((word) => word !== '' && word !== '-')
}

/** Rooms in a meeting first: they are what one looks for at 3am. */
const statesInOrder = ['MEETING', 'IDLE', 'RESERVED', 'ENDED']

async function roomChoices(session: Session, operation: OperationId | undefined) {
  if (!session.mayAsk) throw missingArg(session, 'ROOM', 'id of a room', {command: ['room list']})
  const listed = await tenantRooms(session)
  const role = session.resolved.values.requester ?? 'host'
  const rooms = listed.filter((room) => operation === undefined || predictAs(operation, room, role).allowed !== 'no')
  const left = listed.length - rooms.length
  if (rooms.length === 0) {
    if (left === 0) throw nothingToPick('no rooms to choose from', 'add a room with room create')
    throw nothingToPick(`none of ${left} rooms allows ${nameOfOperation(operation)} now`, {command: ['room list']})
  }
  if (left > 0)
    session.warn(`${left} of ${listed.length} rooms do not allow ${nameOfOperation(operation)} and are not shown`)
  return roomLines(session, inOrder(rooms))
}

function inOrder(rooms: readonly RoomSummary[]): RoomSummary[] {
  const rank = ({room_status: state}: RoomSummary) => (statesInOrder.indexOf(state ?? '') + 5) % 5
  return rooms.toSorted((room, other) => rank(room) - rank(other))
}

function nameOfOperation(operation = ''): string {
  return operation.replace('.', ' ')
}

function attendeesToOffer(session: Session, roomId: string): Promise<AttendeeRecord[]> {
  if (session.mayAsk) return session.api.call(listAttendees, {path: {roomId}})
  throw missingArg(session, 'USER', 'id of a user', {command: ['attendee list', roomId]})
}

async function userChoices(session: Session, roomId: string, operation: OperationId) {
  const attendees = await attendeesToOffer(session, roomId)
  const room = {room_id: roomId, attendees}
  const offered = attendees.filter(({user_id}) => {
    const values = {roomId, user_id, userId: user_id, attendees: [user_id]}
    return predict(operation, room, {values}).allowed !== 'no'
  })
  if (offered.length === 0) {
    throw nothingToPick(`room ${roomId} has no attendee to choose from`, {command: ['attendee list', roomId]})
  }
  return offered.map(attendeeChoice)
}

/** Of an argument that is asked for on a terminal. */
export function missingArg({runtime}: Session, what: string, takes: string, advice: Advice): Failure {
  return unasked(runtime, wrongUsage(`${what} is missing`, {why: `it takes the ${takes}`, try: advice}))
}

function nothingToPick(message: string, advice: Advice): Failure {
  return failureWith('missing', message, {code: 'nothing-to-choose', try: advice})
}

const longestName = 24

/** Aligned columns of name, state, age and id. */
function roomLines({view}: Session, rooms: readonly RoomSummary[]): Choice<string>[] {
  const rows = rooms.map((room) => ({
    cells: [
      cut(room.name ? safeText(room.name) : '(no name)', view.plain ? Number.POSITIVE_INFINITY : longestName),
      safeText(shortly(room.room_status ?? '')),
      ageOf(room, view.now),
      safeText(shortly(room.room_id)),
    ],
    value: room.room_id,
  }))
  const widest = (column: number) => Math.max(...rows.map(({cells}) => displayWidth(cells[column] ?? '')))
  const widths = view.plain ? [] : [0, 1, 2, 3].map(widest)
  return rows.map(({cells, value}) => {
    const shown = cells.map((cell, column) => pad(cell, widths[column] ?? 0)).filter((cell) => cell !== '')
    return {name: shown.join('  ').trimEnd(), short: `${cells[0]} (${cells[3]})`, value}
  })
}

function attendeeChoice({user_id: user, is_host: host, is_present: present}: AttendeeRecord): Choice<string> {
  const marks = [host === true ? 'host' : '', present === true ? 'present' : ''].filter((mark) => mark !== '')
  return {name: [safeText(shortly(user)), ...marks].join('  '), short: safeText(shortly(user)), value: user}
}
