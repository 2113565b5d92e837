import {Failure} from '../../api/contract/failure.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {RouteError} from '../../api/http/route/route.js'
import {hostOf} from '../../api/rules/room.js'
import {fillAdvice} from '../../api/rules/templates.js'
import {decodeText, readSmallFile} from '../../cli/files/readFile.js'
import {requireId} from '../../cli/input/readIds.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {type Plan, type PlanEdit, type PlannedRoom, PlanProblem, readWrittenPlan} from '../../selection/plan.js'
import {safeText} from '../../text/text.js'
import {checkOutput} from '../../view/format/output.js'
import {changeResults} from '../../view/room/changes.js'
import {type RunFlags, readRunFlags} from '../bulk/flags.js'
import {mutateTargets} from '../mutation/mutate.js'
import {plannedMutation} from './roomMutations.js'

const limits = {maxBytes: 64 * 1024 * 1024, most: '64 MiB', ifLarger: 'make several plans, each of fewer rooms'}

/**
 * Carries out the plan in a file as the command that wrote it would: reads every room again, skips those that are gone or have
 * changed, asks, and presents one result for each (product §5). With `--dry-run` shows the requests instead. Raises a Failure
 * (file) for a file that is no sound plan, and a Failure (configuration) for a plan that was made for another service. `open`: the
 * session of who acts.
 */
export async function applyPlan(
  own: Session,
  flags: RunFlags & {readonly 'accept-edits'?: boolean},
  file: string,
  open: (as: string) => Promise<Session>,
): Promise<void> {
  const plan = await planIn(own, file, flags['accept-edits'])
  const session = plan.as === null ? own : await open(plan.as)
  const settings = readRunFlags(session, flags)
  await checkOutput(changeResults.columns, session.output)
  const ids = plan.targets.map(({room_id: id}) => id)
  await assertSameService(session, file, plan)
  if (!isMachineFormat(session.output.format))
    session.warn(`the plan was made at ${session.view.time(plan.made_at)} with profile ${safeText(plan.profile)}`)
  const mutation = {...plannedMutation(plan.operation, plan.input.attendees ?? []), unfit: movedSince(plan)}
  await mutateTargets(session, flags, mutation, {ids, single: false}, settings)
}

async function planIn({warn}: Session, file: string, acceptsEdits = false): Promise<Plan> {
  const text = decodeText(readSmallFile(file, limits).bytes, file)
  try {
    const {plan, edit} = await readWrittenPlan(text)
    if (edit && !acceptsEdits) throw edited(file, edit)
    if (edit) warn(`note: ${safeText(file)} was edited after it was written (${describeEdit(edit)})`)
    for (const {room_id: id} of plan.targets) requireId('ROOM', id)
    return plan
  } catch (error) {
    const isUnsound = error instanceof RouteError
    if (!isUnsound && !(error instanceof PlanProblem)) throw error
    throw new Failure(
      {
        exit: 'file',
        code: 'no-plan',
        message: `${file} ${isUnsound ? 'is damaged: invalid room, ' : ''}${error.message}`,
        why: 'nothing was changed',
        try: 'write a new plan with --plan-out',
      },
      {cause: error},
    )
  }
}

function edited(file: string, edit: PlanEdit): Failure {
  return new Failure({
    exit: 'file',
    code: 'plan-edited',
    message: `${file} was edited after it was written (${describeEdit(edit)}); nothing was changed`,
    why: 'its digest does not match its content',
    try: 'write a new plan with --plan-out, or if the edit is intended, add --accept-edits',
  })
}

function describeEdit({line}: PlanEdit): string {
  return line === undefined ? 'the digest does not tell where' : `line ${line}`
}

async function assertSameService({api, resolved}: Session, file: string, plan: Plan): Promise<void> {
  const {base} = await api.access('room')
  if (plan.origin === base.origin && plan.base_path === base.pathname) return
  const {profile} = plan
  throw new Failure({
    exit: 'configuration',
    code: 'other-service',
    message: `${file} was made for ${plan.origin}${plan.base_path}; nothing was sent`,
    why: `profile ${resolved.name} is for ${base.origin}${base.pathname}`,
    // Of this profile, then its address has changed since.
    try:
      profile === resolved.name
        ? 'write a new plan with --plan-out'
        : fillAdvice('roomctl apply {file} -p {profile}', {file, profile}),
  })
}

/** What has changed about a room since the plan was made, as far as it matters to the operation. */
function movedSince({operation, as, targets}: Plan): (room: RoomDetail, id: string) => Failure | undefined {
  const planned = new Map(targets.map((target) => [target.room_id, target]))
  const what = {byName: operation === 'room.delete', byHost: as === 'host'}
  return (room, id) => {
    const before = planned.get(id)
    const message = before && movedFrom(before, room, what)
    return message === undefined ? undefined : new Failure({exit: 'state', message})
  }
}

function movedFrom(
  before: PlannedRoom,
  room: RoomDetail,
  {byName, byHost}: {byName: boolean; byHost: boolean},
): string | undefined {
  const [status, host, name] = [room.room_status ?? null, hostOf(room) ?? null, room.name ?? null]
  if (status !== before.room_status) return `it is ${word(status)} now, and was ${word(before.room_status)}`
  if (byHost && host !== before.host) return `its host is ${word(host)} now, and was ${word(before.host)}`
  if (byName && name !== before.name) return `its name is ${word(name)} now, and was ${word(before.name)}`
  return undefined
}

function word(value: string | null): string {
  return value === null || value === '' ? 'unknown' : safeText(value)
}
