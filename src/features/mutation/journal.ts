import {isDeepStrictEqual} from 'node:util'
import type {Input, Operation, Output, Values} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {updatable, updateRoom} from '../../api/contract/roomChanges.js'
import {onStop} from '../../api/http/wire/stopSignal.js'
import {hostOf, memberOf} from '../../api/rules/room.js'
import {describeChange} from '../../cli/prompts/confirm.js'
import {keepInJournal} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import {type JournalEntry, journalEntryId} from '../../storage/journal.js'

/** Up to this many recipients of a push are named; of more there is the count. */
const recipientsNamed = 20

/** Characters of a text that the journal keeps of a room: a description may be a whole book. */
const longestText = 4000

interface Circumstances {
  readonly room?: RoomDetail | undefined
  /** The state before the change, if read; after a lost answer evidence is compared with it. */
  readonly before?: unknown
}

/** The journal's outcome of a change that was answered with success; undefined: done. */
export type JournalVerdict = Pick<JournalEntry, 'outcome' | 'code'> | undefined

/** Sends a change and journals it, also if it fails or the process ends. `judge` checks the effect of a success. */
export function sendJournaled<O extends Operation>(
  session: Session,
  operation: O,
  input: Input<O>,
  {
    judge,
    ...circumstances
  }: Circumstances & {readonly judge?: (reply: Output<O>) => JournalVerdict | Promise<JournalVerdict>} = {},
): Promise<Output<O>> {
  const {before = circumstances.room} = circumstances
  return journaled(session, {
    describe: () => describeChange(operation, input),
    make: () => session.api.call(operation, input, before),
    judge,
    write: (verdict, reply) => record(session, operation, input, {reply, ...circumstances, ...verdict}),
  })
}

interface JournaledChange<T> {
  readonly describe: () => string
  readonly make: () => Promise<T>
  readonly judge?: ((result: T) => JournalVerdict | Promise<JournalVerdict>) | undefined
  readonly write: (verdict: NonNullable<JournalVerdict>, result?: T) => void
}

/** Makes a change and writes its line of the journal, also if it fails or the process ends. */
export async function journaled<T>(session: Session, change: JournaledChange<T>): Promise<T> {
  const {describe, make, judge, write} = change
  const ended = underWay(session, describe, () => write({outcome: 'unknown', code: 'interrupted'}))
  try {
    const result = await make()
    write((await judge?.(result)) ?? {outcome: 'done'}, result)
    return result
  } catch (error) {
    if (error instanceof Failure && wasSent(error)) write(verdictOn(error))
    throw error
  } finally {
    ended()
  }
}

/** Holds a change as under way until the returned function is called: if the process ends before, `leave` journals it. */
function underWay({runtime, underWay: changes}: Session, describe: () => string, leave: () => void): () => void {
  const release = onStop(runtime.leaving, leave)
  changes.add(describe)
  return () => {
    release()
    changes.delete(describe)
  }
}

/** A request that was never made, for a wrong value or a missing token, is no change that failed. */
export function wasSent({facts}: Failure): boolean {
  return facts.exit !== 'usage' && facts.exit !== 'configuration'
}

export function verdictOn({facts}: Failure): Pick<JournalEntry, 'outcome' | 'code'> {
  const outcome = facts.outcome === 'applied' ? 'done' : facts.outcome === 'unknown' ? 'unknown' : 'failed'
  return {outcome, code: facts.code}
}

interface Parts {
  readonly query?: Values
  readonly path?: Values
  readonly body?: Values
}

function record(
  session: Session,
  operation: Operation,
  {path, query, body}: Parts,
  {
    room,
    reply,
    before: _,
    ...result
  }: Circumstances & Pick<JournalEntry, 'outcome' | 'code'> & {readonly reply?: unknown},
): void {
  const kept = operation.change?.journal ?? []
  const about = Object.entries({...query, ...body}).filter(([name, value]) => kept.includes(name) && !isTooLong(value))
  const made = operation.service === 'push' ? madeRequest(operation, reply) : createdRoom(reply)
  const before = stateBefore(operation.id, body, room)
  writeJournal(session, {
    operation: operation.id,
    targets: {...path, ...made, ...Object.fromEntries(about), ...recipientsOf(body)},
    as: requesterOf(operation, body),
    ...(before ? {before} : {}),
    ...result,
  })
}

function requesterOf({id}: Operation, body: Parts['body']): string | undefined {
  // An update may name its requester user_id (room §4 rule 1).
  const requester =
    body?.requester_id ?? body?.created_by ?? body?.from ?? (id === updateRoom.id ? body?.user_id : undefined)
  return typeof requester === 'string' ? requester : undefined
}

function recipientsOf(body: Parts['body']): Values {
  const recipients = body?.recipient_ids
  if (!Array.isArray(recipients)) return {}
  return recipients.length > recipientsNamed ? {recipients: recipients.length} : {recipient_ids: recipients}
}

/** The uuid of a request that the call made, so that `push cancel` can offer it: the service shows no list of requests. */
function madeRequest({effect}: Operation, reply: unknown): {request_uuid?: string} {
  const uuid = effect === 'create' ? requestUuid(reply) : undefined
  return uuid === undefined ? {} : {request_uuid: uuid}
}

/** The id of a room that the call made: without it the line of a creation would name nothing. */
function createdRoom(reply: unknown): {roomId?: string} {
  if (typeof reply !== 'object' || reply === null || !('room_id' in reply)) return {}
  return typeof reply.room_id === 'string' ? {roomId: reply.room_id} : {}
}

/**
 * Adds a line to the journal; if it cannot be written, a warning says so. Text of the service may contain a secret of the
 * request, also in ids of its lists.
 */
export function writeJournal(session: Session, entry: Omit<JournalEntry, 'id' | 'at' | 'profile'>): void {
  const {runtime, resolved, secrets} = session
  const at = runtime.now()
  const before = secrets.maskKnownIn(entry.before)
  // An id that repeats a secret is left out: masked it would name nothing, and be offered all the same.
  const isKept = (value: unknown) => isDeepStrictEqual(secrets.maskKnownIn(value), value)
  const targets = Object.fromEntries(Object.entries(entry.targets).filter(([, value]) => isKept(value)))
  // A code of no document may repeat what the service was sent; others are never masked.
  keepInJournal(session, {
    id: journalEntryId(),
    at: at.toISOString(),
    profile: resolved.name,
    ...entry,
    targets,
    ...(before === undefined ? {} : {before}),
    ...(entry.code === undefined ? {} : {code: secrets.maskResult(entry.code)}),
  })
}

/** What a change replaces, if known: the fields of an update, the host of a delegation, who is whoever may ask for it (room §13). */
function stateBefore(operation: string, body: Values | undefined, room: RoomDetail | undefined): Values | undefined {
  if (operation === 'room.delegate') return {host: (room && hostOf(room)) ?? body?.requester_id}
  const names = updated(operation, body)
  if (room === undefined || names.length === 0) return undefined
  const values = names.map((name) => [name, room[name] ?? null])
  return Object.fromEntries(values.filter(([, value]) => !isTooLong(value)))
}

function updated(operation: string, body: Values | undefined): string[] {
  if (operation !== 'room.update' && operation !== 'room.adminUpdate') return []
  return updatable.filter((name) => body?.[name] !== undefined && !isTooLong(body[name]))
}

function isTooLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > longestText
}

/** The members that may name a request, the likeliest first: the document does not show what comes back (push, Rules 5). */
const names = ['request_uuid', 'requestUuid', 'request_id', 'requestId', 'uuid', 'id'] as const

/** An id is one word: nothing else can be offered or typed. */
const idForm = /^[^\s\p{C}]{1,200}$/u

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The uuid in an answer of undocumented form: a member of a likely name, also in `data` or `result`, else the only uuid there. */
export function requestUuid(reply: unknown): string | undefined {
  const tops = [reply, memberOf(reply, 'data'), memberOf(reply, 'result')].map((body) =>
    Array.isArray(body) ? body[0] : body,
  )
  for (const top of tops) {
    if (typeof top === 'string' && uuidForm.test(top)) return top
    const named = names
      .map((name) => memberOf(top, name))
      .find((value) => typeof value === 'string' && idForm.test(value))
    if (typeof named === 'string') return named
  }
  const texts = [...new Set(tops.flatMap((top) => (typeof top === 'object' && top !== null ? Object.values(top) : [])))]
  const uuids = texts.filter((text): text is string => typeof text === 'string' && uuidForm.test(text))
  return uuids.length === 1 ? uuids[0] : undefined
}
