import type {Operation} from '../contract/operation.js'
import {changeResults} from '../view/change.js'
import {checkOutput} from '../view/output.js'
import {assertWritableFile} from './bulkFile.js'
import {readRunFlags} from './bulkFlags.js'
import {changeSeveral} from './changeSeveral.js'
import {planRooms, presentPlans} from './dryRun.js'
import type {ChangeRoomsFlags, RoomChange} from './roomChange.js'
import type {Session} from './session.js'
import {roomTargets} from './targets.js'

/**
 * Makes a change to rooms: those that `given` or `--where` names, or one picked on a terminal. Several are asked for, changed
 * and presented together, one result for each, and some failing ends with `partial`; a single one is left to `single`, which
 * asks by weight and fails with its own exit code.
 */
export async function changeRooms<O extends Operation>(
  session: Session,
  flags: ChangeRoomsFlags,
  given: readonly string[] | undefined,
  change: RoomChange<O>,
  single: (roomId: string) => Promise<void>,
): Promise<void> {
  const settings = readRunFlags(session, flags)
  if (settings.failedOut !== undefined) assertWritableFile(settings.failedOut)
  const targets = await roomTargets(session, given, {where: flags.where, most: settings.most})
  const [id] = targets.ids
  if (targets.single && id !== undefined && settings.failedOut === undefined) return single(id)
  if (flags['dry-run']) return presentPlans(session, await planRooms(session, change, targets))
  await checkOutput(changeResults.columns, session.output)
  await changeSeveral(session, flags, settings, targets.ids, change)
}
