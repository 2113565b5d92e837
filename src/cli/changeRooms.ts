import {changeResults} from '../view/change.js'
import {checkOutput} from '../view/output.js'
import {assertWritableFile} from './bulkFile.js'
import {readRunFlags} from './bulkFlags.js'
import {planFile, writePlan} from './bulkPlan.js'
import {changeSeveral} from './changeSeveral.js'
import {planRooms, presentPlans} from './dryRun.js'
import type {BulkOperation, ChangeRoomsFlags, RoomChange} from './roomChange.js'
import type {Session} from './session.js'
import {roomTargets} from './targets.js'

/**
 * Makes a change to rooms: those that `given` or `--where` names, or one picked on a terminal. Several are asked for, changed
 * and presented together, one result for each, and some failing ends with `partial`; a single one is left to `single`, which
 * asks by weight and fails with its own exit code. With `--dry-run` requests are shown, with `--plan-out` a plan is written, and
 * nothing is changed.
 */
export async function changeRooms<O extends BulkOperation>(
  session: Session,
  flags: ChangeRoomsFlags,
  given: readonly string[] | undefined,
  change: RoomChange<O>,
  single: (roomId: string) => Promise<void>,
): Promise<void> {
  const settings = readRunFlags(session, flags)
  if (settings.failedOut !== undefined) assertWritableFile(settings.failedOut)
  const plan = planFile(flags)
  const targets = await roomTargets(session, given, {where: flags.where, most: settings.most})
  const [id] = targets.ids
  if (targets.single && id !== undefined && settings.failedOut === undefined && plan === undefined) return single(id)
  if (flags['dry-run'])
    return presentPlans(session, await planRooms(session, change, {...targets, concurrency: settings.concurrency}))
  if (plan !== undefined) return writePlan(session, plan, settings, targets.ids, change)
  await checkOutput(changeResults.columns, session.output)
  await changeSeveral(session, flags, settings, {ids: targets.ids, change})
}
