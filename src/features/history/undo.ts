import {fillAdvice} from '../../api/contract/operation.js'
import {operationById} from '../../api/contract/operations.js'
import {cancel} from '../../api/contract/push.js'
import {predictAs} from '../../api/rules/predict.js'
import {requireId} from '../../cli/input/readIds.js'
import {describeChange} from '../../cli/prompts/confirm.js'
import {readHistory} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, failureWith} from '../../failure.js'
import type {JournalEntry} from '../../storage/journal.js'
import {safeText} from '../../text/text.js'
import {cut} from '../../text/width.js'
import {type MutationFlags, mutate} from '../mutation/mutate.js'
import type {Mutation} from '../mutation/mutation.js'
import {requestedRole} from '../mutation/requester.js'
import {RequestsFromEnd} from '../push/pickRequest.js'
import {
  type InHistory,
  type Inverse,
  inverseInRoom,
  mayHaveBeen,
  notAccepted,
  notUndoable,
  stateChanged,
} from './inverse.js'

/** The widest value in a question: a description may be long. */
const detailColumns = 200

/** The change to undo, and whether it was chosen here, so that a question is always asked. */
interface Chosen {
  readonly entry: JournalEntry
  readonly unasked: boolean
}

const undoneMembers = ['undone', 'operation', 'room_id', 'requester_id', 'application_id', 'request_uuid'] as const

/** Makes the inverse of the entry named, else of the newest that has one. Throws Failure, state if the room has changed since. */
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
    return inverseInRoom(await changes.historyOf(entry))
  }

  function isOpenRequest({operation, targets: {request_uuid: uuid}}: JournalEntry): boolean {
    const now = session.runtime.now()
    return operation === 'push.broadcast' && typeof uuid === 'string' && changes.requests.isAhead(uuid, now)
  }

  /** Makes the failure that undoing an entry would throw, which many entries may have; undefined if it can be undone. */
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
    // It would be undone without being shown.
    const isAnswered = !flags['dry-run'] && (flags.yes === true || flags.confirm !== undefined)
    if (first && isAnswered) throw notNewest(session, first, (await obstacle(first))?.(), newest)
    const more = passed.length > 1 ? ` and ${passed.length - 1} more` : ''
    if (first) session.warn(`skipped, cannot be undone: ${describeEntry(session, first)}${more}`)
    return {entry: newest, unasked: true}
  }
}

/** Who says yes in advance means the newest change; that an older one would be undone in its place has to be said first. */
function notNewest(session: Session, newest: JournalEntry, against: Failure | undefined, older: JournalEntry): Failure {
  const message = 'the newest change cannot be undone, and --yes does not undo an older one'
  return failureWith('unconfirmed', `${message}: ${describeEntry(session, newest)}`, {
    code: 'not-newest',
    why: against?.facts.why,
    try: `to undo an older change (${describeEntryChange(session, older)}): roomctl undo ${older.id}`,
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
  {operation, input, asks = false, detail, moved}: Inverse,
): Promise<void> {
  const longest = session.view.plain ? Number.POSITIVE_INFINITY : detailColumns
  const doing = `${describeChange(operation, input)}${detail === undefined ? '' : ` (${cut(detail, longest)})`}`
  const mutation: Mutation<Inverse['operation']> = {
    operation,
    input: () => input,
    doing,
    confirmation: asks || unasked ? 'yes' : undefined,
    ...undoingOf(session, entry, doing),
    unfit: (room) => {
      const since = moved(room)
      if (since !== undefined) return stateChanged(entry, since)
      const values = {...input.path, ...input.body}
      const {allowed, why, isVacant} = predictAs(operation.id, room, requestedRole(session), {values})
      return allowed === 'no' && !isVacant ? notAccepted(entry, doing, why) : undefined
    },
    result: ({requester}) => {
      const requester_id = requester?.requester_id
      const value = {undone: entry.id, operation: operation.id, room_id: entry.targets.roomId, requester_id}
      const sentence = `undid ${describeEntry(session, entry)}: ${doing} as ${safeText(requester_id)}`
      return {value, id: entry.id ?? [], sentence}
    },
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
    ...undoingOf(session, entry, doing),
    result: () => ({
      value: {undone: entry.id, operation: cancel.id, application_id: application, request_uuid: uuid},
      id: entry.id ?? [],
      sentence: `undid ${describeEntry(session, entry)}: ${doing}`,
    }),
  })
}

function undoingOf(session: Session, entry: JournalEntry, doing: string) {
  const text = `Undo ${describeEntry(session, entry)}: ${doing}?`
  return {question: () => ({text}), undoes: entry.id, members: undoneMembers}
}

/** `1m8rqkqg0mg1 (block ben in room r-1, 2026-12-01T12:00:00.000Z)`. */
function describeEntry(session: Session, entry: JournalEntry): string {
  return `${safeText(entry.id)} (${describeEntryChange(session, entry)})`
}

function describeEntryChange({view}: Session, {at, operation, targets}: JournalEntry): string {
  const known = operationById(operation)
  return `${known ? describeChange(known, {body: targets}) : safeText(operation)}, ${view.time(at)}`
}

/** The changes of a profile, read lazily from the journal's end. */
class Changes {
  readonly #profile: string
  readonly #unread: AsyncGenerator<JournalEntry>
  readonly #read: JournalEntry[] = []
  readonly #undoings = new Map<string, JournalEntry>()
  /** The outcomes of the pushes of the changes that were read. */
  readonly requests: RequestsFromEnd

  /** `mentions`: only changes whose line holds this text. */
  constructor(session: Session, mentions?: string) {
    this.#profile = session.resolved.name
    this.#unread = readHistory(session, mentions, {newestFirst: true})
    this.requests = new RequestsFromEnd(this.#profile)
  }

  async *newestFirst(): AsyncGenerator<JournalEntry> {
    for (let at = 0; ; at += 1) {
      const entry = this.#read[at] ?? (await this.#next())
      if (entry === undefined) return
      yield entry
    }
  }

  /** What was done to the room of an entry that was read. Throws Failure (file) if the journal cannot be read. */
  async historyOf(entry: JournalEntry): Promise<InHistory> {
    const later = () => this.#read.slice(0, this.#read.indexOf(entry)).filter((other) => isOfRoom(other, entry))
    if (entry.operation !== 'room.presenter') return {entry, later}
    return {entry, later, earlierPresenter: await this.#presenterBefore(entry)}
  }

  undoingOf({id}: JournalEntry): JournalEntry | undefined {
    return id === undefined ? undefined : this.#undoings.get(id)
  }

  async close(): Promise<void> {
    await this.#unread.return(undefined)
  }

  async #presenterBefore(entry: JournalEntry): Promise<JournalEntry | undefined> {
    let isEarlier = false
    for await (const other of this.newestFirst()) {
      if (isEarlier && isOfRoom(other, entry) && mayHaveBeen(other, 'room.presenter')) return other
      isEarlier ||= other === entry
    }
    return undefined
  }

  async #next(): Promise<JournalEntry | undefined> {
    for (;;) {
      const {done, value: entry} = await this.#unread.next()
      if (done === true) return undefined
      if (entry.profile !== this.#profile) continue
      this.#read.push(entry)
      this.requests.add(entry)
      const {undoes, outcome} = entry
      if (undoes !== undefined && outcome === 'done' && !this.#undoings.has(undoes)) this.#undoings.set(undoes, entry)
      return entry
    }
  }
}

function isOfRoom({targets}: JournalEntry, entry: JournalEntry): boolean {
  return targets.roomId === entry.targets.roomId
}

/** The changes that have to do with the entry of that id. Throws Failure (missing; file). */
async function changesAbout(session: Session, id: string): Promise<Changes> {
  const found: JournalEntry[] = []
  const {paths, resolved} = session
  for await (const entry of readHistory({paths, resolved}, id.toLowerCase())) {
    if (entry.id === id.toLowerCase()) found.push(entry)
  }
  const [own, ...more] = found.filter(({profile}) => profile === resolved.name)
  if (own === undefined || more.length > 0) throw noEntry(session, id, own ?? found[0])
  const {roomId, request_uuid: uuid} = own.targets
  // All that its inverse depends on was done to the same room or push.
  const mentions = [roomId, uuid, own.id].find((text) => typeof text === 'string')
  return new Changes(session, mentions)
}

/** Throws Failure: missing if no entry has that id, state if it was undone, changed nothing, or its outcome is unknown. */
async function entryNamed(session: Session, changes: Changes, id: string): Promise<JournalEntry> {
  for await (const entry of changes.newestFirst()) {
    if (entry.id !== id.toLowerCase()) continue
    const why = whyNot(entry, changes)
    if (why === undefined) return entry
    throw failureWith('state', `cannot undo ${entry.operation} ${id}`, {code: 'not-undoable', ...why})
  }
  throw noEntry(session, id)
}

/** `entry`: one with that id, preferably of the profile. */
function noEntry({resolved: {name}}: Session, id: string, entry?: JournalEntry): Failure {
  const other = entry?.profile
  const many = other === name ? 'more than one' : 'no'
  return failureWith('missing', `there is ${many} change ${id} of profile ${name} in the journal`, {
    code: 'no-entry',
    ...(other === undefined || other === name
      ? {try: 'roomctl history'}
      : {why: `profile ${other} made it`, try: fillAdvice('roomctl undo {id} -p {other}', {id, other})}),
  })
}

function whyNot(entry: JournalEntry, changes: Changes): {why: string; try?: string} | undefined {
  const undoing = changes.undoingOf(entry)
  if (undoing) return {why: `it was undone by ${undoing.id ?? 'another'} at ${undoing.at}`}
  if (entry.outcome === 'failed') return {why: 'it failed, so it changed nothing'}
  if (entry.outcome === 'done') return undefined
  return {why: 'its answer was lost, so its outcome is unknown', try: 'check the current state first'}
}

/** `passed`: newer changes without an inverse. No undoing is undone unasked. Throws Failure (missing) if nothing can be undone. */
async function newestUndoable(
  session: Session,
  changes: Changes,
  obstacle: (entry: JournalEntry) => Promise<(() => Failure) | undefined>,
): Promise<{readonly entry: JournalEntry; readonly passed: readonly JournalEntry[]}> {
  const passed: JournalEntry[] = []
  for await (const entry of changes.newestFirst()) {
    if (entry.undoes !== undefined || whyNot(entry, changes)) continue
    if (entry.id !== undefined && !(await obstacle(entry))) return {entry, passed}
    passed.push(entry)
  }
  const [newest] = passed
  const against = newest && (await obstacle(newest))?.()
  const {name} = session.resolved
  throw failureWith('missing', `nothing to undo: no change of profile ${name} in the journal can be undone`, {
    code: 'nothing-to-undo',
    why: against && `the newest: ${against.message}, ${against.facts.why}`,
    try: against?.facts.try ?? 'roomctl history',
  })
}
