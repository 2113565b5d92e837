import {type LocalCommand, shownBy} from '../../cli/app/baseCommand.js'
import {type PlannedOperation, plannedOperations} from '../../selection/plan.js'
import type {Candidate} from './candidate.js'
import {type CommandLine, choosesRooms} from './cursor.js'

interface RowView {
  readonly columns: readonly {readonly name: string; readonly label?: string}[]
}

function namesOne({command, flags, args}: CommandLine): boolean {
  const isAlone = 'room user' in command.args || (args.length === 1 && args[0] !== '-')
  return isAlone && !choosesRooms({flags})
}

/** The result of one room may have a form of its own. */
async function changeView(operation: PlannedOperation, line: CommandLine): Promise<RowView> {
  const {plannedMutation} = await import('../room/roomMutations.js')
  const {members, view} = plannedMutation(operation, [])
  const isOne = namesOne(line) && !line.flags.has('failed-out')
  return isOne && members ? {columns: members.map((name) => ({name}))} : view
}

/** Several targets in a table are shown as their question does, with the answers; otherwise requests are. */
async function dryRunView(line: CommandLine, isPlanned: boolean): Promise<RowView> {
  const {id} = line.command
  const isTable = (line.flags.get('output')?.at(-1) ?? 'table') === 'table'
  const isSeveral = id === 'apply' || ((isPlanned || id === 'push:cancel') && !namesOne(line))
  if (!isTable || !isSeveral) return (await import('../mutation/dryRun.js')).planList
  const {columns} =
    id === 'push:cancel'
      ? (await import('../../view/push/requests.js')).knownRequests
      : (await import('../room/previewRooms.js')).roomTable()
  return {columns: [...columns, {name: 'answer'}]}
}

/** The columns of what the command shows. */
export async function columnCandidates(line: CommandLine): Promise<Candidate[]> {
  const view = await viewOf(line)
  return view?.columns.map(({name, label}) => ({value: name, description: label})) ?? []
}

async function viewOf(line: CommandLine): Promise<RowView | undefined> {
  const {command, flags} = line
  if (flags.has('plan-out')) return (await import('../../view/room/changes.js')).plannedRoomList
  const operation = plannedOperations.find((one) => one === command.id.replace(':', '.'))
  if (flags.has('dry-run') && command.id !== 'asset:sync') return dryRunView(line, operation !== undefined)
  if (operation) return changeView(operation, line)
  const given = Object.fromEntries([...flags].map(([name, values]) => [name, values.at(-1) ?? true]))
  return shownBy((await command.load()) as typeof LocalCommand, given)
}
