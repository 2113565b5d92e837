import {Failure} from '../../api/contract/failure.js'
import {operationById} from '../../api/contract/operations.js'
import {cancel} from '../../api/contract/push.js'
import {predict} from '../../api/rules/predict.js'
import {requireId} from '../../cli/input/readIds.js'
import {describeChange} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import type {JournalEntry} from '../../storage/journal/entry.js'
import {safeText} from '../../text/text.js'
import {cut} from '../../text/width.js'
import {type Mutation, type MutationFlags, mutate} from '../mutation/mutate.js'
import {type Inverse, inverseInRoom, notAccepted, notUndoable, stateChanged} from './inverse.js'
import {Changes, changesAbout, entryNamed, newestUndoable} from './undoCandidates.js'

/** Columns of what is set: a description may be long, and a question is to be read. */
const detailColumns = 200

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
export async function undo(session: Session, flags: MutationFlags, given: string | undefined): Promise<void> {
  const id = given === undefined ? undefined : requireId('ENTRY', given)
  const changes = id === undefined ? new Changes(session) : await changesAbout(session, id)
  try {
    const chosen = id === undefined ? await choose() : {entry: await entryNamed(session, changes, id), unasked: false}
    const {entry} = chosen
    if (isOpenRequest(entry)) return await undoRequest(session, flags, chosen)
    const inverse = await inverseOf(entry)
    if (inverse === undefined) throw noInverse(entry)
    await undoInRoom(session, flags, chosen, inverse)
  } finally {
    await changes.close()
  }

  async function inverseOf(entry: JournalEntry): Promise<Inverse | undefined> {
    return inverseInRoom(await changes.historyOf(entry), session.resolved.values.updateRequesterField)
  }

  /** Whether the entry requested a push that is still to be sent. */
  function isOpenRequest({operation, targets: {request_uuid: uuid}}: JournalEntry): boolean {
    const now = session.runtime.now()
    return operation === 'push.broadcast' && typeof uuid === 'string' && changes.requests.isAhead(uuid, now)
  }

  /** Makes the failure that undoing an entry would raise, which many entries may have; undefined where it can be undone. */
  async function obstacle(entry: JournalEntry): Promise<(() => Failure) | undefined> {
    try {
      return isOpenRequest(entry) || (await inverseOf(entry)) ? undefined : () => noInverse(entry)
    } catch (error) {
      if (error instanceof Failure) return () => error
      throw error
    }
  }

  async function choose(): Promise<Chosen> {
    const {entry: newest, passed} = await newestUndoable(session, changes, obstacle)
    const [first] = passed
    if (first && isAnswered(flags)) throw notNewest(session, first, (await obstacle(first))?.(), newest)
    const more = passed.length > 1 ? ` and ${passed.length - 1} more` : ''
    if (first) session.warn(`skipped, cannot be undone: ${describeEntry(session, first)}${more}`)
    return {entry: newest, unasked: true}
  }
}

/** Nobody will be shown what is undone before it is. */
function isAnswered({yes, confirm, 'dry-run': dryRun}: MutationFlags): boolean {
  return dryRun !== true && (yes === true || confirm !== undefined)
}

/** Who says yes in advance means the newest change; that an older one would be undone in its place has to be said first. */
function notNewest(session: Session, newest: JournalEntry, against: Failure | undefined, older: JournalEntry): Failure {
  return new Failure({
    exit: 'unconfirmed',
    code: 'not-newest',
    message: `the newest change cannot be undone, and --yes does not undo an older one: ${describeEntry(session, newest)}`,
    why: against?.facts.why,
    try: `roomctl undo ${older.id} to undo this older change: ${describeEntryChange(session, older)}`,
  })
}

function noInverse(entry: JournalEntry): Failure {
  const isScheduled = entry.operation === 'push.broadcast' && entry.targets.dispatch_date !== undefined
  if (!isScheduled) return notUndoable(entry)
  return stateChanged(entry, 'its request has been sent or cancelled by now', 'roomctl push records')
}

async function undoInRoom(
  session: Session,
  flags: MutationFlags,
  {entry, unasked}: Chosen,
  {operation, roomId, input, asks = false, detail, moved}: Inverse,
): Promise<void> {
  const longest = session.view.plain ? Number.POSITIVE_INFINITY : detailColumns
  const doing = `${describeChange(operation, input(''))}${detail === undefined ? '' : ` (${cut(detail, longest)})`}`
  const mutation: Mutation<Inverse['operation']> = {
    id: roomId,
    operation,
    input: (_, requester) => input(requester),
    doing,
    confirmation: asks || unasked ? 'yes' : undefined,
    question: () => ({text: question(session, entry, doing)}),
    check: ({room, requester, input: {path, body}}) => {
      if (room === undefined) return
      const since = moved(room)
      if (since !== undefined) throw stateChanged(entry, since)
      // What the document lets expect to be refused is not sent.
      const {allowed, why} = predict(operation.id, room, {
        requester: requester?.requester_id,
        values: {...path, ...body},
      })
      if (allowed === 'no') throw notAccepted(entry, doing, why)
    },
    undoes: entry.id,
    members,
    result: ({requester}) => ({
      value: {undone: entry.id, operation: operation.id, room_id: roomId, requester_id: requester?.requester_id},
      id: entry.id ?? [],
      sentence: `undid ${describeEntry(session, entry)}: ${doing} as ${safeText(requester?.requester_id)}`,
    }),
  }
  await mutate(session, flags, mutation)
}

async function undoRequest(session: Session, flags: MutationFlags, {entry}: Chosen): Promise<void> {
  const {request_uuid: uuid, application_id: application} = entry.targets
  const input = {query: {application_id: String(application)}, body: {request_uuids: [String(uuid)]}}
  const doing = describeChange(cancel, input)
  await mutate(session, flags, {
    operation: cancel,
    input: () => input,
    confirmation: 'yes',
    question: () => ({text: question(session, entry, doing)}),
    undoes: entry.id,
    members,
    result: () => ({
      value: {undone: entry.id, operation: cancel.id, application_id: application, request_uuid: uuid},
      id: entry.id ?? [],
      sentence: `undid ${describeEntry(session, entry)}: ${doing}`,
    }),
  })
}

function question(session: Session, entry: JournalEntry, doing: string): string {
  return `Undo ${describeEntry(session, entry)}: ${doing}?`
}

/** `1m8rqkqg0mg1 (block ben in room r-1, 2026-12-01T12:00:00.000Z)`. */
function describeEntry(session: Session, entry: JournalEntry): string {
  return `${safeText(entry.id)} (${describeEntryChange(session, entry)})`
}

function describeEntryChange({view}: Session, {at, operation, targets}: JournalEntry): string {
  const known = operationById(operation)
  return `${known ? describeChange(known, {body: targets}) : safeText(operation)}, ${view.time(at)}`
}
