import {Failure} from '../../api/contract/failure.js'
import {assertWritableFile} from '../../cli/files/writeFile.js'
import {readIds} from '../../cli/input/readIds.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'
import {type RunFlags, readRunFlags, type Targets, tooManyTargets} from '../bulk/flags.js'
import {type MutationFlags, mutateTargets} from '../mutation/mutate.js'
import {selectRooms} from './listRooms.js'
import {type PlanFlags, planFile, writePlan} from './plan.js'
import type {RoomMutation} from './roomMutations.js'

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
  const plan = flags['plan-out'] === undefined ? undefined : planFile(flags['plan-out'], flags)
  const {ids, single} = await roomTargets(session, given, {where: flags.where, most: settings.most})
  if (plan !== undefined) return writePlan(session, plan, settings, ids, mutation)
  // A list of what was not done is one of several.
  const isOne = single && (settings.failedOut === undefined || flags['dry-run'] === true)
  await mutateTargets(session, flags, mutation, {ids, single: isOne}, settings)
}

/**
 * The rooms a command is to act on: those that `where` is true for, or arguments in their order, `-` replaced by the lines of
 * stdin, each id once; picked on a terminal when there is neither. Stdin is read only where `-` stands. Raises a Failure (usage)
 * for an id that cannot be one and a Failure (unconfirmed) when there are more than `most`.
 */
async function roomTargets(
  session: Session,
  given: readonly string[] = [],
  {where, most}: {readonly where?: string | undefined; readonly most: number},
): Promise<Targets> {
  if (where !== undefined && given.length > 0) {
    throw new Failure({exit: 'usage', message: 'ROOM and --where cannot be given together'})
  }
  if (where === undefined && given.length === 0) return {ids: [await pickRoom(session, undefined)], single: true}
  const ids = where === undefined ? (await readIds(session, 'ROOM', given)).ids : await selectRooms(session, where)
  if (ids.length > most) throw tooManyTargets(ids.length, most)
  return {ids, single: where === undefined && ids.length === 1 && !given.includes('-')}
}

/**
 * What stands for `ROOM USER…`: with `--where` the rooms are chosen by it, and all are users. `from` is a file of more users. Raises
 * a Failure (usage) where stdin is to be read twice: the second would find it empty.
 */
export function roomAndUsers(
  given: readonly string[] = [],
  {where, from}: {readonly where?: string | undefined; readonly from?: string | undefined},
): {readonly room: string | undefined; readonly users: readonly string[]} {
  if ([...given, from].filter((word) => word === '-').length > 1) {
    throw new Failure({
      exit: 'usage',
      message: 'stdin is named twice with -, nothing was sent',
      why: 'it can be read once only: for rooms or for users',
      try: 'name the others, or choose the rooms with --where',
    })
  }
  if (where !== undefined) return {room: undefined, users: given}
  const [room, ...users] = given
  return {room, users}
}
