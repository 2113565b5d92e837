import {assertWritableFile} from '../../cli/files/writeFile.js'
import type {Session} from '../../cli/session/session.js'
import {type RunFlags, readRunFlags} from '../bulk/flags.js'
import {type MutationFlags, mutateTargets} from '../mutation/mutate.js'
import {type PlanFlags, planFile, writePlan} from './plan.js'
import type {RoomMutation} from './roomMutations.js'
import {roomTargets} from './roomTargets.js'

interface MutateRoomsFlags extends MutationFlags, RunFlags, PlanFlags {
  readonly where?: string | undefined
}

/**
 * Makes a change to rooms: those that `given` or `--where` names, or one picked on a terminal. With `--plan-out` a plan is written,
 * and nothing is changed. Raises a Failure.
 */
export async function mutateRooms(
  session: Session,
  flags: MutateRoomsFlags,
  given: readonly string[] | undefined,
  mutation: RoomMutation,
): Promise<void> {
  const settings = readRunFlags(session, flags)
  if (settings.failedOut !== undefined) assertWritableFile(settings.failedOut)
  const plan = planFile(flags)
  const {ids, single} = await roomTargets(session, given, {where: flags.where, most: settings.most})
  if (plan !== undefined) return writePlan(session, plan, settings, ids, mutation)
  // A list of what was not done is one of several.
  const isOne = single && (settings.failedOut === undefined || flags['dry-run'] === true)
  await mutateTargets(session, flags, mutation, {ids, single: isOne}, settings)
}
