import * as z from 'zod/mini'
import {fillAdvice} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {hostOf} from '../../api/rules/room.js'
import {decodeText, readSmallFile} from '../../cli/files/readFile.js'
import {requireId} from '../../cli/input/readIds.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, failureWith, fileFailure} from '../../failure.js'
import {editOf, type Plan, type PlanEdit, type PlannedRoom} from '../../selection/plan.js'
import {DamagedDocument, parseDocument} from '../../storage/document.js'
import {safeText} from '../../text/text.js'
import {checkOutput} from '../../view/format/output.js'
import {changeResults} from '../../view/room/changes.js'
import {type RunFlags, readRunFlags} from '../bulk/flags.js'
import {mutateTargets} from '../mutation/mutate.js'
import {plannedMutation} from './roomMutations.js'

const limits = {maxBytes: 64 * 1024 * 1024, most: '64 MiB', ifLarger: 'make several plans, each of fewer rooms'}

/**
 * Carries out a plan: reads every room again and skips those that have changed (product §5). `open`: the session of who acts. Throws
 * a Failure (file; configuration for another service).
 */
export async function applyPlan(
  own: Session,
  flags: RunFlags & {readonly 'accept-edits'?: boolean},
  file: string,
  open: (as: string) => Promise<Session>,
): Promise<void> {
  const {plan, edit} = await readPlan(file)
  const session = plan.as === null ? own : await open(plan.as)
  const settings = readRunFlags(session, flags)
  await checkOutput(changeResults.columns, session.output)
  if (edit && !flags['accept-edits']) throw edited(file, edit)
  if (edit) session.warn(`note: ${safeText(file)} was edited after it was written (${describeEdit(edit)})`)
  const ids = plan.targets.map(({room_id: id}) => id)
  await assertSameService(session, file, plan)
  if (!isMachineFormat(session.output.format))
    session.warn(`the plan was made at ${session.view.time(plan.made_at)} with profile ${safeText(plan.profile)}`)
  const mutation = {...plannedMutation(plan.operation, plan.input.attendees ?? []), unfit: movedSince(plan)}
  await mutateTargets(session, flags, mutation, {ids, single: false}, settings)
}

const word = z.string().check(z.regex(/\S/u))
const attendees = z.strictObject({attendees: z.array(word).check(z.minLength(1))})
const room = z.strictObject({
  room_id: word,
  name: z.nullable(z.string()),
  room_status: z.nullable(z.string()),
  present: z.nullable(z.int().check(z.nonnegative())),
  host: z.nullable(z.string()),
})
const common = {
  kind: z.literal('roomctl-plan'),
  version: z.literal(1),
  made_at: z.string().check(z.refine((text) => /^\d{4}-.+Z$/u.test(text) && !Number.isNaN(Date.parse(text)))),
  profile: word,
  origin: word,
  base_path: word,
}
const rest = {targets: z.array(room), digest: z.optional(z.strictObject({sha256: word, lines: word}))}
const ofRooms = ['room.end', 'room.delete', 'record.stop'] as const
const ofUsers = ['attendee.block', 'attendee.restore'] as const

/** The members in the order in which a plan is written: its digest is of its text. */
const planShape = z.discriminatedUnion('operation', [
  z.strictObject({...common, operation: z.enum(ofRooms), as: word, input: z.strictObject({}), ...rest}),
  z.strictObject({...common, operation: z.enum(ofUsers), as: word, input: attendees, ...rest}),
  z.strictObject({...common, operation: z.literal('attendee.add'), as: z.literal(null), input: attendees, ...rest}),
])

/** The plan in a file, and whether it was edited. Throws Failure (file). */
export async function readPlan(file: string): Promise<{readonly plan: Plan; readonly edit: PlanEdit | undefined}> {
  const {bytes} = readSmallFile(file, limits)
  const text = decodeText(bytes, file)
  try {
    const {digest, ...plan} = parseDocument(bytes, {shape: planShape, version: 1})
    const ids = new Set<string>()
    for (const {room_id: id} of plan.targets) {
      if (ids.has(requireId('ROOM', id))) throw new DamagedDocument(`names room ${id} twice`)
      ids.add(id)
    }
    return {plan, edit: digest && (await editOf(text, plan, digest))}
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof DamagedDocument)) throw error
    const what = error instanceof Failure ? 'is damaged: invalid room,' : 'is not a plan: it'
    const message = `${file} ${what} ${error.message}`
    const facts = {code: 'no-plan', why: 'nothing was changed', try: 'write a new plan with --plan-out'}
    throw fileFailure(message, facts, {cause: error})
  }
}

function edited(file: string, edit: PlanEdit): Failure {
  return fileFailure(`${file} was edited after it was written (${describeEdit(edit)}); nothing was changed`, {
    code: 'plan-edited',
    why: 'its digest does not match its content',
    try: 'write a new plan with --plan-out, or if the edit is intended, add --accept-edits',
  })
}

function describeEdit({line}: PlanEdit): string {
  return line === undefined ? 'the digest does not show where' : `line ${line}`
}

async function assertSameService({api, resolved}: Session, file: string, plan: Plan): Promise<void> {
  const {base} = await api.access('room')
  if (plan.origin === base.origin && plan.base_path === base.pathname) return
  const {profile} = plan
  throw failureWith('configuration', `${file} was made for ${plan.origin}${plan.base_path}; nothing was sent`, {
    code: 'other-service',
    why: `profile ${resolved.name} is for ${base.origin}${base.pathname}`,
    // Of this profile, then its address has changed since.
    try:
      profile === resolved.name
        ? 'write a new plan with --plan-out'
        : fillAdvice('roomctl apply {file} -p {profile}', {file, profile}),
  })
}

/** Changes of a room since the plan was made that matter to the operation. */
function movedSince({operation, as, targets}: Plan): (room: RoomDetail, id: string) => Failure | undefined {
  const planned = new Map(targets.map((target) => [target.room_id, target]))
  const what = {byName: operation === 'room.delete', byHost: as === 'host'}
  return (room, id) => {
    const before = planned.get(id)
    const message = before && movedFrom(before, room, what)
    return message === undefined ? undefined : failureWith('state', message)
  }
}

function movedFrom(
  before: PlannedRoom,
  room: RoomDetail,
  {byName, byHost}: {byName: boolean; byHost: boolean},
): string | undefined {
  const [status, host, name] = [room.room_status ?? null, hostOf(room) ?? null, room.name ?? null]
  if (status !== before.room_status) return `it is ${shown(status)} now, and was ${shown(before.room_status)}`
  if (byHost && host !== before.host) return `its host is ${shown(host)} now, and was ${shown(before.host)}`
  if (byName && name !== before.name) return `its name is ${shown(name)} now, and was ${shown(before.name)}`
  return undefined
}

function shown(value: string | null): string {
  return value === null || value === '' ? 'unknown' : safeText(value)
}
