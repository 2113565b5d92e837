import {Failure} from '../../api/contract/failure.js'
import type {Operation, Output} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {predict} from '../../api/rules/predict.js'
import {isRole, requesterContext} from '../../api/rules/room.js'
import type {Values} from '../../api/rules/templates.js'
import {afterChange, presentDone, presentList, presentText, resultView} from '../../cli/output/present.js'
import {
  askChange,
  askName,
  type ConfirmFlags,
  describeChange,
  mustAsk,
  mustName,
  noteDeployment,
  questionOf,
} from '../../cli/prompts/confirm.js'
import {readTraces} from '../../cli/session/roomTraces.js'
import type {Session} from '../../cli/session/session.js'
import {Undone} from '../../selection/run.js'
import {counted} from '../../text/text.js'
import type {BulkRow} from '../../view/format/outcome.js'
import {checkOutput} from '../../view/format/output.js'
import {assertWithinLimit, type BulkSettings, type Targets, warnOverLimit} from '../bulk/flags.js'
import {presentBulk} from '../bulk/present.js'
import {noteCalls, readRoom, readRooms} from '../bulk/readRooms.js'
import {assertNotInterrupted, runBulk} from '../bulk/run.js'
import {
  type Known,
  noRequest,
  presentAnswers,
  presentPreviews,
  previewRequest,
  type RequestPreview,
  readForPreview,
  type TargetPreview,
} from './dryRun.js'
import {sendJournaled} from './journal.js'
import type {BulkMutation, CompletedMutation, Mutation, PreparedMutation, PreviewedTargets} from './mutation.js'
import {mayBeCreator, namesRequester, requestedRole, resolveRequester} from './requester.js'

/** The flags of every change, as they come from the parser. */
export interface MutationFlags extends ConfirmFlags {
  readonly 'dry-run'?: boolean
}

/**
 * Makes a change (product §5): resolves whom it is made as, confirms it by its weight, sends, writes the journal and says what was
 * done; with `--dry-run` shows the request and what would be refused, and sends no change. Raises a Failure.
 */
export async function mutate<O extends Operation>(
  session: Session,
  flags: MutationFlags,
  mutation: Mutation<O>,
): Promise<void> {
  const {members = [], id = ''} = mutation
  if (flags['dry-run']) return presentPreviews(session, [await previewOf(session, mutation, id)])
  const view = await resultView(session, members)
  const {value, id: shown, sentence} = await mutation.result(await mutateOne(session, flags, mutation, id))
  await presentDone(session, view, value, shown, sentence)
}

/**
 * The same for the targets that a command was given: one alone is asked about by weight and fails with its own exit code; several are
 * asked about by their count, and give one result each. Raises a Failure.
 */
export async function mutateTargets<O extends Operation, Row extends BulkRow>(
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
  if (isOne && (members || flags['dry-run'])) return mutate(session, flags, {...mutation, id})
  if (flags['dry-run']) {
    await presentTargets(session, mutation, ids, settings)
    return warnOverLimit(session, ids.length, limited)
  }
  await checkOutput(view.columns, session.output)
  if (!isOne) return mutateSeveral(session, flags, mutation, ids, settings)
  const completed = await mutateOne(session, flags, mutation, id)
  const {format, columns} = session.output
  const isForPeople = format === 'table' && columns === undefined
  const {sentence} = await mutation.result(completed)
  const row = mutation.row(id, {outcome: 'done'}, completed.requester?.requester_id ?? null)
  await afterChange(() => (isForPeople ? presentText(session, sentence) : presentList(session, [row], view)))
}

/**
 * Confirms and sends one request. Nothing is read where the change is refused or answered by flags; where a question shows the
 * room, the room is read once, for both.
 */
async function mutateOne<O extends Operation>(
  session: Session,
  flags: MutationFlags,
  mutation: Mutation<O>,
  id: string,
): Promise<CompletedMutation<O>> {
  const {operation, confirmation} = mutation
  const doing = mutation.doing ?? describeChange(operation, await mutation.input(id, ''))
  const asked =
    typeof confirmation === 'object'
      ? mustName(session, flags, doing, confirmation.word)
      : mustAsk(session, flags, doing, confirmation === 'yes')
  mutation.announce?.(asked)
  if (!asked) noteDeployment(session, operation.service)
  const readsRoom = (asked && confirmation === 'yes' && mutation.question !== undefined) || mutation.check !== undefined
  const prepared = await prepare(session, mutation, id, {doing: () => doing, readsRoom})
  if (asked) {
    const question = (await mutation.question?.(prepared)) ?? {text: questionOf(doing)}
    const refusal = await mutation.expectedRefusal?.(session, mutation, prepared)
    if (typeof confirmation === 'object') await askName(session, operation.service, question.text, confirmation.word)
    else await askChange(session, operation.service, {note: refusal, ...question})
  }
  await mutation.beforeSend?.()
  return {...prepared, reply: await send(session, mutation, prepared), asked}
}

interface PrepareOptions {
  /** What a room is read for, which is then what a failure says cannot be done. */
  readonly doing?: () => string
  /** Whether the room of the requester is read in any case. */
  readonly readsRoom: boolean
  /** The room, where it was read already. */
  readonly known?: RoomDetail | undefined
}

/** Resolves whom a request is made as, and makes the request. */
async function prepare<O extends Operation>(
  session: Session,
  mutation: Mutation<O>,
  id: string,
  {doing, readsRoom, known}: PrepareOptions,
): Promise<PreparedMutation<O>> {
  const {operation, requestedRole} = mutation
  if (!namesRequester(operation)) return {id, input: await mutation.input(id, ''), requester: undefined, room: known}
  const room = known ?? (readsRoom ? await readRoom(session, id, doing) : undefined)
  const {body}: {readonly body?: Values} = await mutation.input(id, '')
  const creatorWillDo = mayBeCreator(operation, body)
  const requester = await resolveRequester(session, id, {creatorWillDo, known: room, doing, role: requestedRole})
  const input = await mutation.input(id, requester.requester_id)
  const prepared = {id, input, requester, room: requester.room ?? room}
  mutation.check?.(prepared)
  return prepared
}

function send<O extends Operation>(
  session: Session,
  {operation, undoes, verify}: Mutation<O>,
  {input, room}: PreparedMutation<O>,
): Promise<Output<O>> {
  return sendJournaled(session, operation, input, {room, verify, ...(undoes === undefined ? {} : {undoes})})
}

async function previewOf<O extends Operation>(
  session: Session,
  mutation: Mutation<O>,
  id: string,
  {room: read, traces}: Pick<Known, 'room' | 'traces'> = {},
): Promise<RequestPreview> {
  const {operation} = mutation
  const before = read ?? (namesRequester(operation) ? await readForPreview(session, id) : undefined)
  const known = before instanceof Failure ? undefined : before
  const role = mutation.requestedRole ?? requestedRole(session)
  if (before instanceof Failure && namesRequester(operation) && isRole(role)) return noRequest(operation, before)
  try {
    const {input, requester, room = before} = await prepare(session, mutation, id, {readsRoom: false, known})
    const preview = await previewRequest(session, operation, input, {room, traces, requester: requester?.requester_id})
    return {...preview, ...mutation.previewed}
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.code !== 'no-host' || known === undefined) throw error
    const {body: values = {}}: {readonly body?: Values} = await mutation.input(id, '')
    const by = requesterContext(operation.id, known, role, values)
    return noRequest(operation, predict(operation.id, known, {values, ...by}), error.facts.try)
  }
}

/** Shows the requests of a change to several targets, whose rooms are read for it: one that cannot be made leaves the others to be seen. */
async function presentTargets<O extends Operation, Row extends BulkRow>(
  session: Session,
  mutation: BulkMutation<O, Row>,
  ids: readonly string[],
  {concurrency}: BulkSettings,
): Promise<void> {
  const {operation, noun} = mutation
  const isRoom = operation.service === 'room'
  if (isRoom) noteCalls(session, ids.length, concurrency)
  const traces = isRoom ? await readTraces(session) : undefined
  const rooms = new Map<string, RoomDetail | Failure>()
  const preview = async (id: string): Promise<TargetPreview> => {
    const room = isRoom ? await readForPreview(session, id) : undefined
    if (room) rooms.set(id, room instanceof Failure ? room : {...room, attendees: []})
    return previewTarget(session, mutation, id, {room, traces})
  }
  // Nobody can act in the room, or no path can carry its id.
  const keeps = ({facts: {exit}}: Failure) => exit === 'state' || exit === 'usage'
  const read = await readRooms(ids, preview, {concurrency, keeps})
  const previews = read.map((one, at): TargetPreview => {
    return one instanceof Failure ? {id: ids[at] ?? '', plan: noRequest(operation, one)} : one
  })
  await presentAnswers(session, previews, {table: await mutation.table(rooms), operation, noun})
}

async function previewTarget<O extends Operation>(
  session: Session,
  mutation: Mutation<O>,
  id: string,
  known: Known,
): Promise<TargetPreview> {
  const {room} = known
  const since = room instanceof Failure ? undefined : room && mutation.changedSince?.(room, id)
  if (since !== undefined) {
    const skipped = new Failure({exit: 'state', message: `room ${id} would be skipped: ${since}`})
    return {id, plan: noRequest(mutation.operation, skipped), obstacle: 'changed'}
  }
  const plan = await previewOf(session, mutation, id, known)
  return {id, plan, ...(plan.url === null ? {obstacle: 'no host'} : {})}
}

async function mutateSeveral<O extends Operation, Row extends BulkRow>(
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
  const ended = await runBulk(session, settings, ids, make, mutation.row)
  await presentBulk(session, settings, {...ended, view: mutation.view, past: mutation.past})
}

/** Makes the change to one of several targets; gives back whom it was made as. Raises Undone where it is not to be changed. */
async function mutateTarget<O extends Operation, Row extends BulkRow>(
  run: Session,
  mutation: BulkMutation<O, Row>,
  id: string,
  previewed: RoomDetail | undefined,
): Promise<string | null> {
  const {operation, changedSince} = mutation
  const input = await mutation.input(id, '')
  const doing = () => describeChange(operation, input)
  const room = previewed ?? (changedSince ? await readRoom(run, id, doing).catch(skipMissing) : undefined)
  const since = room && mutation.changedSince?.(room, id)
  if (since !== undefined) throw new Undone('skipped', since)
  const prepared = await prepare(run, mutation, id, {doing, readsRoom: false, known: room})
  assertNotInterrupted(run)
  await send(run, mutation, prepared)
  return prepared.requester?.requester_id ?? null
}

function skipMissing(error: unknown): never {
  throw error instanceof Failure && error.facts.exit === 'missing' ? new Undone('skipped', 'it is gone') : error
}

/** Shows what is about to be changed and asks for the count; gives back the rooms that were read for it. */
async function confirmSeveral<O extends Operation, Row extends BulkRow>(
  session: Session,
  flags: MutationFlags,
  mutation: BulkMutation<O, Row>,
  ids: readonly string[],
  {concurrency}: BulkSettings,
): Promise<PreviewedTargets['rooms']> {
  const {verb, noun, requestedRole, operation} = mutation
  const doing = `${verb.charAt(0).toLowerCase()}${verb.slice(1)} ${counted(ids.length, noun)}`
  if (!mustAsk(session, flags, doing, true)) {
    noteDeployment(session, operation.service)
    return new Map()
  }
  const {left, refused, rooms} = await mutation.preview(session, ids, {concurrency, mutation})
  if (left === 0) return rooms
  const as = requestedRole === undefined || requestedRole === 'host' ? '' : ` as ${requestedRole}`
  const text = `${verb} ${counted(left, noun)}${as}?`
  await askChange(session, operation.service, {text, note: refused, expected: [String(left)]})
  return rooms
}
