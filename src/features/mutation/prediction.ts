import type {Operation} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {stateRule} from '../../api/contract/stateRules.js'
import {type Prediction, predictAs} from '../../api/rules/predict.js'
import {stateOf} from '../../api/rules/room.js'
import type {JournalFacts} from '../../api/rules/rule.js'
import {readJournalFacts} from '../../cli/session/journalFacts.js'
import type {Session} from '../../cli/session/session.js'
import {type Exit, Failure, onFailure} from '../../failure.js'
import {safeText} from '../../text/text.js'
import {readRoom} from '../bulk/readRooms.js'
import type {Parts} from './mutation.js'
import {requestedRole} from './requester.js'

/** Facts that were read already: the room, or why it could not be read. */
export interface Known {
  readonly room?: RoomDetail | Failure | undefined
  readonly journalFacts?: ReadonlyMap<string, JournalFacts> | undefined
}

/** Reads a room for a prediction. What is wrong with the command itself is thrown; a room that cannot be read predicts nothing. */
export function readForPreview(session: Session, roomId: string): Promise<RoomDetail | Failure> {
  const kept = onFailure(
    ({facts}) => unread.has(facts.exit),
    (failure) => failure,
  )
  return readRoom(session, roomId).catch(kept)
}

/** Exits of a read that found no room. */
const unread = new Set<Exit>(['unauthenticated', 'forbidden', 'missing', 'refused', 'temporary', 'network'])

/** The prediction for a request; undefined if it does not depend on a room's state. */
export async function expectation(
  session: Session,
  operation: Operation,
  input: Parts,
  {room, journalFacts}: Known,
): Promise<Prediction | undefined> {
  const roomId = input.path?.roomId
  if (!stateRule(operation.id) || typeof roomId !== 'string') return undefined
  const known = room ?? (await readForPreview(session, roomId))
  if (known instanceof Failure) return afterFailure(known)
  const journal = journalFacts ?? (await readJournalFacts(session, roomId))
  const {requester: _, isVacant: __, ...prediction} = predicted(session, operation, input, known, journal)
  return prediction
}

/** The prediction for a request to a room, for dry runs and questions. */
function predicted(
  session: Session,
  {id}: Operation,
  {path, body}: Parts,
  room: RoomDetail,
  journalFacts: ReadonlyMap<string, JournalFacts>,
) {
  const values = {...path, ...body}
  return predictAs(id, room, requestedRole(session), {values, journalFacts: journalFacts.get(String(path?.roomId))})
}

/** Why a change to a room will be refused, in a word: its state, `no host`, or a code. */
export function refusalOf(
  session: Session,
  operation: Operation,
  input: Parts,
  room: RoomDetail,
  journalFacts: ReadonlyMap<string, JournalFacts>,
): string | undefined {
  const {allowed, code, isVacant} = predicted(session, operation, input, room, journalFacts)
  if (allowed !== 'no') return undefined
  const state = stateOf(room)
  if (state && stateRule(operation.id)?.in[state].allowed === 'no') return state
  return isVacant ? 'no host' : (code ?? 'refused')
}

/** `It would be refused: it is IDLE …`, if the room was read. */
export async function expectedRefusal(
  session: Session,
  operation: Operation,
  {id, input, room}: {readonly id: string; readonly input: Parts; readonly room: RoomDetail | undefined},
): Promise<string | undefined> {
  if (room === undefined) return undefined
  const prediction = predicted(session, operation, input, room, await readJournalFacts(session, id))
  return prediction.allowed === 'no' ? `It ${verdict(prediction)}` : undefined
}

export function afterFailure({facts: {exit, message, code}}: Failure): Prediction {
  return {allowed: unread.has(exit) ? 'unknown' : 'no', why: message, documented: true, ...(code ? {code} : {})}
}

/** The answer that a request would have, as a sentence. */
export function verdict({allowed, why, code, documented}: Prediction): string {
  const answer = {yes: 'would be accepted', no: 'would be refused', unknown: 'the service decides'}[allowed]
  // What is not documented says so with its code.
  const isOfService = code !== undefined && /^[A-Z]/u.test(code) && documented
  return `${answer}: ${safeText(why)}${isOfService ? ` (${safeText(code)})` : ''}`
}
