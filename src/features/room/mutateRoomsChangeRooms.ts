import {assertWritableFile} from '../../cli/files/writeFile.js'
import type {Session} from '../../cli/session/session.js'
import {checkOutput} from '../../view/format/output.js'
import {changeResults} from '../../view/room/change.js'
import {readRunFlags} from '../bulk/flags.js'
import {presentPreviews} from '../mutation/dryRun.js'
import {changeSeveral} from './mutateRoomsChangeSeveral.js'
import {planFile, writePlan} from './plan.js'
import {planRooms} from './planRooms.js'
import {roomTargets} from './roomArgs.js'
import type {BulkOperation, ChangeRoomsFlags, RoomChange} from './roomMutations.js'

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
    return presentPreviews(session, await planRooms(session, change, {...targets, concurrency: settings.concurrency}))
  if (plan !== undefined) return writePlan(session, plan, settings, targets.ids, change)
  await checkOutput(changeResults.columns, session.output)
  await changeSeveral(session, flags, settings, {ids: targets.ids, change})
}
