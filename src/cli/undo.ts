import {Failure} from '../contract/failure.js'
import type {Input, Operation} from '../contract/operation.js'
import {operationById} from '../contract/operations.js'
import {cancel} from '../contract/push.js'
import type {RoomDetail} from '../contract/room.js'
import type {JournalEntry} from '../journal/journal.js'
import {safeText} from '../view/text.js'
import {actAs, readRoom} from './acting.js'
import {carryOut} from './change.js'
import {type Answers, askChange, doingOf, mustAsk} from './confirm.js'
import {planOf, presentPlans} from './dryRun.js'
import {type Inverse, inverseInRoom} from './inverse.js'
import {irreversible, movedOn} from './irreversible.js'
import {predict} from './predict.js'
import {presentDone, resultView} from './present.js'
import {scheduledRequests} from './scheduledRequests.js'
import type {Session} from './session.js'
import {changesOfProfile, entryNamed, newestUndoable} from './undoEntry.js'

type UndoFlags = Answers & {readonly 'dry-run'?: boolean}

/** What is undone, and whether it was chosen here, so that it is asked about in any case. */
interface Chosen {
  readonly entry: JournalEntry
  readonly unasked: boolean
}

const members = ['undone', 'operation', 'room_id', 'requester_id', 'application_id', 'request_uuid'] as const

/**
 * Makes the inverse of a change: of the entry named, else of the newest that has one. The state is read first. Raises a Failure
 * where there is none or where the state has moved on (state), and the failures of the inverse itself.
 */
export async function undo(session: Session, flags: UndoFlags, given: string | undefined): Promise<void> {
  const all = await changesOfProfile(session)
  // What cannot be read of the journal was said already.
  const {runtime, places, resolved} = session
  const scheduled = await scheduledRequests({runtime, places, resolved, note: () => undefined})
  const open = new Set(scheduled.map(({request_uuid: uuid}) => uuid))
  const {updateRequesterField} = resolved.values
  const hasInverse = (entry: JournalEntry) => {
    try {
      return isOpenRequest(entry, open) || inverseInRoom({entry, all}, updateRequesterField, () => true) === true
    } catch (error) {
      if (error instanceof Failure) return false
      throw error
    }
  }
  const chosen = given === undefined ? choose() : {entry: entryNamed(all, given, resolved.name), unasked: false}
  const {entry} = chosen
  if (isOpenRequest(entry, open)) return undoRequest(session, flags, chosen)
  const undone = inverseInRoom({entry, all}, updateRequesterField, (inverse) =>
    undoInRoom(session, flags, chosen, inverse),
  )
  if (undone === undefined) throw noInverse(entry)
  await undone

  function choose(): Chosen {
    const {entry: newest, passed} = newestUndoable(session, all, hasInverse)
    const [first] = passed
    const more = passed.length > 1 ? ` and ${passed.length - 1} more` : ''
    if (first) session.note(`passed over, since it cannot be undone: ${entryWords(session, first)}${more}`)
    return {entry: newest, unasked: true}
  }
}

/** Whether the entry requested a push that is still to be sent. */
function isOpenRequest({operation, targets}: JournalEntry, open: ReadonlySet<string>): boolean {
  return operation === 'push.broadcast' && typeof targets.request_uuid === 'string' && open.has(targets.request_uuid)
}

function noInverse(entry: JournalEntry): Failure {
  const isScheduled = entry.operation === 'push.broadcast' && entry.targets.dispatch_date !== undefined
  if (!isScheduled) return irreversible(entry)
  return movedOn(entry, 'its request is sent, cancelled or to be sent at once by now', 'roomctl push records')
}

async function undoInRoom<O extends Operation>(
  session: Session,
  flags: UndoFlags,
  chosen: Chosen,
  {operation, roomId, input, creatorWillDo = false, asks = false, moved}: Inverse<O>,
): Promise<void> {
  const {entry} = chosen
  const view = await resultView(session, members)
  const doing = doingOf(operation, input(''))
  const mustBeAsked = !flags['dry-run'] && mustAsk(session, flags, doing, asks || chosen.unasked)
  const room = await readRoom(session, roomId, doing)
  const {requester_id: requester} = await actAs(session, roomId, {creatorWillDo, known: room, doing})
  const request = input(requester)
  const since = moved(room) ?? refusal(operation, room, requester, request)
  if (since !== undefined) throw movedOn(entry, since)
  if (flags['dry-run']) return presentPlans(session, [await planOf(session, operation, request, {room, requester})])
  if (mustBeAsked) await askChange(session, {text: question(session, entry, doing)})
  await carryOut(session, operation, request, {room, ...undoing(entry)})
  const sentence = `undid ${entryWords(session, entry)}: ${doing} as ${safeText(requester)}`
  const result = {undone: entry.id, operation: operation.id, room_id: roomId, requester_id: requester}
  await presentDone(session, view, result, entry.id ?? [], sentence)
}

/** Why the document lets expect a refusal; undefined where it does not. */
function refusal(
  {id}: Operation,
  room: RoomDetail,
  requester: string,
  {path, body}: Readonly<Partial<Record<'path' | 'body', Readonly<Record<string, unknown>>>>>,
): string | undefined {
  const {allowed, why} = predict(id, room, requester, {...path, ...body})
  return allowed === 'no' ? why : undefined
}

async function undoRequest(session: Session, flags: UndoFlags, chosen: Chosen): Promise<void> {
  const {entry} = chosen
  const {request_uuid: uuid, application_id: application} = entry.targets
  const view = await resultView(session, members)
  const input: Input<typeof cancel> = {
    query: {application_id: String(application)},
    body: {request_uuids: [String(uuid)]},
  }
  if (flags['dry-run']) return presentPlans(session, [await planOf(session, cancel, input)])
  const doing = doingOf(cancel, input)
  if (mustAsk(session, flags, doing, true)) await askChange(session, {text: question(session, entry, doing)})
  await carryOut(session, cancel, input, undoing(entry))
  const result = {undone: entry.id, operation: cancel.id, application_id: application, request_uuid: uuid}
  await presentDone(session, view, result, entry.id ?? [], `undid ${entryWords(session, entry)}: ${doing}`)
}

function undoing({id}: JournalEntry): {readonly undoes?: string} {
  return id === undefined ? {} : {undoes: id}
}

function question(session: Session, entry: JournalEntry, doing: string): string {
  return `Undo ${entryWords(session, entry)}: ${doing}?`
}

/** `1m8rqkqg0mg1 (block ben in room r-1, 2026-12-01T12:00:00.000Z)`. */
function entryWords({view}: Session, {id, at, operation, targets}: JournalEntry): string {
  const known = operationById(operation)
  const what = known ? doingOf(known, {body: targets}) : operation
  return `${safeText(id)} (${what}, ${view.time(at)})`
}
