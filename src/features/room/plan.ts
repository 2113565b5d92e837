import {fillAdvice, type Operation} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {hostOf} from '../../api/rules/room.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {errorJson} from '../../cli/output/failures.js'
import {type OutputFile, outputFile} from '../../cli/output/outputFile.js'
import {presentList} from '../../cli/output/present.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, onFailure, wrongUsage} from '../../failure.js'
import {type Plan, type PlannedOperation, planPieces} from '../../selection/plan.js'
import {counted, safeText} from '../../text/text.js'
import {type PlanRow, plannedRoomList} from '../../view/room/changes.js'
import type {BulkFlags, BulkSettings} from '../bulk/flags.js'
import {isNone, noteCalls, readRoom} from '../bulk/readRooms.js'
import {namesRequester, requestedRole, resolveRequester} from '../mutation/requester.js'

const planKind = {what: 'plan', starts: [/^\{\n {2}"kind": "roomctl-plan"/u]}

/** The file of `--plan-out`, looked at before anything is sent. Throws Failure (usage, file). */
export function planFile(session: Session, path: string, flags: BulkFlags): OutputFile {
  if (flags['dry-run']) {
    throw wrongUsage('--plan-out and --dry-run cannot be given together')
  }
  return outputFile(session, path, {flag: '--plan-out', kind: planKind, overwrite: flags.overwrite})
}

interface PlannedChange {
  readonly operation: Operation & {readonly id: PlannedOperation}
  readonly verb: string
  readonly users?: readonly string[]
}

const missing = onFailure(isNone, (failure) => failure)

/** Writes the plan of a change to rooms; nothing is changed. A room that cannot be planned is left out and makes it `partial`. */
export async function writePlan(
  session: Session,
  file: OutputFile,
  {concurrency}: BulkSettings,
  ids: readonly string[],
  {operation, verb, users}: PlannedChange,
): Promise<void> {
  noteCalls(session, ids.length, concurrency)
  // Of each room only its row is kept: there may be 100,000.
  const plan = async (id: string) => planRow(session, await readRoom(session, id).catch(missing), id, operation)
  const rows = await session.waiting.readEach('rooms', ids, concurrency, plan)
  const targets = rows.filter(({error}) => !error)
  const {base} = await session.api.access('room')
  const made: Plan = {
    kind: 'roomctl-plan',
    version: 1,
    made_at: session.runtime.now().toISOString(),
    profile: session.resolved.name,
    origin: base.origin,
    base_path: base.pathname,
    operation: operation.id,
    as: namesRequester(operation) ? requestedRole(session) : null,
    input: users ? {attendees: users} : {},
    targets,
  }
  await file.write(await planPieces(made))
  if (targets.length < rows.length) session.endWith('partial')
  await presentList(session, session.output.format === 'ids' ? targets : rows, plannedRoomList)
  if (isMachineFormat(session.output.format)) return
  const work = `${verb.toLowerCase()} ${counted(targets.length, 'room')}`
  const next = session.advise(fillAdvice('roomctl apply {file}', {file: file.path}))
  session.warn(file.isStdout ? `planned to ${work}` : `wrote ${safeText(file.path)}; to ${work}: ${next}`)
}

async function planRow(
  session: Session,
  found: RoomDetail | Failure,
  id: string,
  operation: Operation,
): Promise<PlanRow> {
  const known = found instanceof Failure ? undefined : found
  const present = known?.attendee_count?.present_count
  const row: PlanRow = {
    room_id: id,
    name: known?.name ?? null,
    room_status: known?.room_status ?? null,
    present: present == null ? null : Number(present),
    host: (known && hostOf(known)) ?? null,
    requester_id: null,
  }
  try {
    if (!known) throw found
    if (!namesRequester(operation)) return row
    const {requester_id} = await resolveRequester(session, id, {operation, known})
    return {...row, requester_id}
  } catch (error) {
    return {...row, error: errorJson(session, toFailure(error))}
  }
}
