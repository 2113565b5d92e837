import {adviceText} from '../../advice.js'
import type {Input, Operation, Values} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {isRole} from '../../api/rules/room.js'
import {afterChange, isForPeople, presentDone, presentList, presentText, resultView} from '../../cli/output/present.js'
import {
  askChange,
  askName,
  assertReady,
  type ConfirmFlags,
  describeChange,
  mustAsk,
  mustName,
  noteDeployment,
  type Question,
  questionOf,
} from '../../cli/prompts/confirm.js'
import {readJournalFacts} from '../../cli/session/journalFacts.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, failureWith, onFailure} from '../../failure.js'
import {type RunItem, SkipTarget} from '../../selection/run.js'
import {counted, safeText, someOf} from '../../text/text.js'
import {checkOutput} from '../../view/format/output.js'
import {assertWithinLimit, type BulkSettings, type Targets, warnOverLimit} from '../bulk/flags.js'
import {presentBulk} from '../bulk/present.js'
import {noteCalls, noteUnclear, readRoom} from '../bulk/readRooms.js'
import {assertNotInterrupted, runBulk} from '../bulk/run.js'
import {
  noRequest,
  presentAnswers,
  presentPreviews,
  previewRequest,
  type RequestPreview,
  type TargetPreview,
} from './dryRun.js'
import {sendJournaled} from './journal.js'
import type {BulkMutation, CompletedMutation, Mutation, PreparedMutation, PreviewedTargets} from './mutation.js'
import {expectation, expectedRefusal, type Known, readForPreview} from './prediction.js'
import {namesRequester, requestedRole, requesterField, resolveRequester} from './requester.js'

export interface MutationFlags extends ConfirmFlags {
  readonly 'dry-run'?: boolean
}

/**
 * Makes a change: requester, confirmation, request, journal, result; with `--dry-run` shows the request and what would
 * be refused. `target`: the id, if the input depends on it. Throws Failure.
 */
export async function mutate<O extends Operation>(
  session: Session,
  flags: MutationFlags,
  mutation: Mutation<O>,
  target?: string,
): Promise<void> {
  if (flags['dry-run']) return presentPreviews(session, [await previewOf(session, mutation, target)], target)
  const view = await resultView(session, mutation.members ?? [])
  const made = await mutation.result(await mutateOne(session, flags, mutation, target))
  await presentDone(session, view, made.value, made.id, made.sentence)
}

/** The same for several targets: one alone is asked about by weight and fails with its own exit code, several by their count. */
export async function mutateTargets<O extends Operation, Row extends RunItem>(
  session: Session,
  flags: MutationFlags,
  mutation: BulkMutation<O, Row>,
  {ids, single}: Targets,
  settings: BulkSettings,
): Promise<void> {
  const {members, view, noun} = mutation
  const [id] = ids
  const isOne = single && id !== undefined
  const limited = {limit: settings.most, noun}
  if (!flags['dry-run']) assertWithinLimit(ids.length, limited)
  if (isOne && (members || flags['dry-run'])) return mutate(session, flags, mutation, id)
  if (flags['dry-run']) {
    await presentTargets(session, mutation, ids, settings)
    return warnOverLimit(session, ids.length, limited)
  }
  await checkOutput(view.columns, session.output)
  if (!isOne) return mutateSeveral(session, flags, mutation, ids, settings)
  const completed = await mutateOne(session, flags, mutation, id)
  const {sentence} = await mutation.result(completed)
  const row = mutation.row(id, {outcome: 'done'}, completed.requester?.requester_id ?? null)
  await afterChange(session, (shown) =>
    isForPeople(shown) ? presentText(shown, sentence) : presentList(shown, [row], view),
  )
}

/** Confirms and sends one request. Reads a room only if the question shows it or the change depends on it. */
async function mutateOne<O extends Operation>(
  session: Session,
  flags: MutationFlags,
  mutation: Mutation<O>,
  target?: string,
): Promise<CompletedMutation<O>> {
  const {operation, confirmation, question, unfit} = mutation
  const id = target ?? (await roomIn(mutation))
  // A secret that is read for the input is read once, after the question.
  const subject = mutation.doing ?? (await mutation.input(id))
  const doing = () => (typeof subject === 'string' ? subject : describeChange(operation, subject))
  const asked = isAsked(session, flags, doing, mutation)
  const readsRoom = namesRequester(operation) && ((asked && typeof confirmation === 'string' && question) || unfit)
  const room = readsRoom ? await readRoom(session, id, doing) : undefined
  assertFit(mutation, room, id)
  if (room) noteUnclear(session, room)
  const prepared = await prepare(session, mutation, id, {doing, known: room})
  if (asked) {
    await assertReady(session, operation.service)
    const asking = (await question?.(prepared)) ?? {text: questionOf(doing())}
    await ask(session, flags, mutation, {note: await expectedRefusal(session, operation, prepared), ...asking})
  }
  const {input, room: before} = prepared
  const reply = await sendJournaled(session, operation, input, {room: before})
  return {...prepared, reply, asked}
}

function assertFit<O extends Operation>({unfit}: Mutation<O>, room: RoomDetail | undefined, id: string): void {
  const failure = room && unfit?.(room, id)
  if (failure) throw failure
}

async function roomIn<O extends Operation>({operation, input}: Mutation<O>): Promise<string> {
  if (!namesRequester(operation)) return ''
  const {path}: {readonly path?: Values} = await input('')
  return String(path?.roomId)
}

type Confirmed = Pick<Mutation<Operation>, 'operation' | 'confirmation'>

/** Whether to ask. Throws Failure (unconfirmed) if roomctl cannot ask. */
export function isAsked(
  session: Session,
  flags: MutationFlags,
  doing: () => string,
  {operation, confirmation}: Confirmed,
): boolean {
  const asked =
    typeof confirmation === 'object'
      ? mustName(session, flags, doing(), confirmation.word)
      : mustAsk(session, flags, doing, confirmation)
  if (!asked) noteDeployment(session, operation.service)
  return asked
}

export function ask(
  session: Session,
  flags: MutationFlags,
  {operation: {service}, confirmation}: Confirmed,
  question: Question,
): Promise<void> {
  return typeof confirmation === 'object'
    ? askName(session, service, question.text, confirmation.word)
    : askChange(session, service, question, flags)
}

/** Resolves the requester, and makes the request. `doing`: the purpose of a room read, for its failure. */
async function prepare<O extends Operation>(
  session: Session,
  {operation, input}: Mutation<O>,
  id: string,
  {doing, known}: {readonly doing?: () => string; readonly known?: RoomDetail | undefined},
): Promise<PreparedMutation<O>> {
  const unprepared: {readonly body?: Values} = await input(id)
  // Without a requester to name, it is the whole input.
  if (!namesRequester(operation)) return {id, input: unprepared as Input<O>, requester: undefined, room: known}
  const {body} = unprepared
  const requester = await resolveRequester(session, id, {operation, body, known, doing})
  const named = {...unprepared, body: {[requesterField(session, operation)]: requester.requester_id, ...body}}
  return {id, input: named as Input<O>, requester, room: requester.room}
}

async function previewOf<O extends Operation>(
  session: Session,
  mutation: Mutation<O>,
  target?: string,
  {room: read, journalFacts}: Known = {},
): Promise<RequestPreview> {
  const {operation, note} = mutation
  const id = target ?? (await roomIn(mutation))
  const before = read ?? (namesRequester(operation) ? await readForPreview(session, id) : undefined)
  const known = before instanceof Failure ? undefined : before
  if (before instanceof Failure && namesRequester(operation) && isRole(requestedRole(session))) {
    return noRequest(operation, before)
  }
  assertFit(mutation, known, id)
  try {
    const {input, room = before} = await prepare(session, mutation, id, {known})
    const preview = await previewRequest(session, operation, input, {room, journalFacts})
    return note === undefined ? preview : {...preview, note}
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.code !== 'no-host' || known === undefined) throw error
    const expected = await expectation(session, operation, await mutation.input(id), {room: known, journalFacts})
    const {try: advice} = error.facts
    return noRequest(operation, expected, advice && adviceText(session.advise(advice)))
  }
}

/** Shows the requests of a change to several targets, after reading their rooms; one that cannot be made does not hide the others. */
async function presentTargets<O extends Operation, Row extends RunItem>(
  session: Session,
  mutation: BulkMutation<O, Row>,
  ids: readonly string[],
  {concurrency}: BulkSettings,
): Promise<void> {
  const {operation, noun} = mutation
  const isRoom = operation.service === 'room'
  if (isRoom) noteCalls(session, ids.length)
  const journalFacts = isRoom ? await readJournalFacts(session, new Set(ids)) : undefined
  // The room has no requester, or its id fits no path.
  const keeps = ({facts: {exit}}: Failure) => exit === 'state' || exit === 'usage'
  const kept = onFailure(keeps, (failure) => ({plan: noRequest(operation, failure)}))
  const answer = async (id: string): Promise<Omit<TargetPreview, 'id'>> => {
    const room = isRoom ? await readForPreview(session, id) : undefined
    const preview = await previewTarget(session, mutation, id, {room, journalFacts}).catch(kept)
    return {room: room instanceof Failure ? room : room && listedMembers(room), ...preview}
  }
  const preview = async (id: string): Promise<TargetPreview> => ({id, ...(await answer(id).catch(kept))})
  const read = () => session.waiting.readEach('rooms', ids, concurrency, preview)
  await presentAnswers(session, read, {table: await mutation.table(), operation, noun})
}

/** The members of a room that the table of a dry run shows: a room may have many attendees. */
function listedMembers({room_id, name, room_status, attendee_count, start_time, reserved_start_time}: RoomDetail) {
  return {room_id, name, room_status, attendee_count, start_time, reserved_start_time}
}

async function previewTarget<O extends Operation>(
  session: Session,
  mutation: Mutation<O>,
  id: string,
  known: Known,
): Promise<Omit<TargetPreview, 'id'>> {
  const {room} = known
  const since = room instanceof Failure ? undefined : room && mutation.unfit?.(room, id)
  if (since) {
    const skipped = failureWith('state', `room ${id} would be skipped: ${since.message}`)
    return {plan: noRequest(mutation.operation, skipped), obstacle: 'changed'}
  }
  const plan = await previewOf(session, mutation, id, known)
  return {plan, ...(plan.url === null ? {obstacle: 'no host'} : {})}
}

async function mutateSeveral<O extends Operation, Row extends RunItem>(
  session: Session,
  flags: MutationFlags,
  mutation: BulkMutation<O, Row>,
  ids: readonly string[],
  settings: BulkSettings,
): Promise<void> {
  const rooms: PreviewedTargets['rooms'] =
    ids.length === 0 ? new Map() : await confirmSeveral(session, flags, mutation, ids, settings)
  const make = (id: string, run: Session) => {
    const room = rooms.get(id)
    return mutateTarget(run, mutation, id, room instanceof Failure ? undefined : room)
  }
  const {rows, snapshot} = await runBulk(session, settings, ids, make, mutation.row)
  await presentBulk(session, settings, {rows, snapshot, view: mutation.view, past: mutation.past})
}

/** Makes the change to one of several targets; returns the requester. @throws SkipTarget if it is not to be changed */
async function mutateTarget<O extends Operation>(
  run: Session,
  mutation: Mutation<O>,
  id: string,
  previewed: RoomDetail | undefined,
): Promise<string | null> {
  const {operation, unfit} = mutation
  const input = await mutation.input(id)
  const doing = () => describeChange(operation, input)
  // It may have changed while the question waited.
  const fresh = unfit ? await readRoom(run, id, doing).catch(skipMissing) : undefined
  const known = fresh ?? previewed
  const failure = fresh && unfit?.(fresh, id)
  if (failure) throw new SkipTarget('skipped', failure.message)
  const prepared = await prepare(run, mutation, id, {doing, known})
  assertNotInterrupted(run)
  // Of a room that was previewed only the host is kept: it shows no other attendee.
  const before = fresh ?? (previewed && {...previewed, attendees: undefined})
  await sendJournaled(run, operation, prepared.input, {room: prepared.room, before})
  return prepared.requester?.requester_id ?? null
}

function skipMissing(error: unknown): never {
  throw error instanceof Failure && error.facts.exit === 'missing' ? new SkipTarget('skipped', 'it is gone') : error
}

/** More ids make a sentence unreadable. */
const named = 10

/** Shows the targets and asks for their count; returns the rooms that were read for it. */
async function confirmSeveral<O extends Operation, Row extends RunItem>(
  session: Session,
  flags: MutationFlags,
  mutation: BulkMutation<O, Row>,
  ids: readonly string[],
  {concurrency}: BulkSettings,
): Promise<PreviewedTargets['rooms']> {
  const {verb, noun, operation} = mutation
  const doing = () =>
    `${verb.charAt(0).toLowerCase()}${verb.slice(1)} ${counted(ids.length, noun)} (${someOf(ids.map(safeText), named)})`
  if (!isAsked(session, flags, doing, {operation, confirmation: 'typed'})) return new Map()
  const {left, refused, rooms} = await mutation.preview(session, ids, mutation, concurrency)
  if (left === 0) return rooms
  const role = namesRequester(operation) ? requestedRole(session) : 'host'
  const text = `${verb} ${counted(left, noun)}${role === 'host' ? '' : ` as ${role}`}?`
  await askChange(session, operation.service, {text, note: refused, expected: [String(left)]}, flags)
  return rooms
}
