import {type PlannedOperation, plannedOperations} from '../../selection/plan.js'
import type {Candidate} from './candidate.js'
import {type CommandLine, choosesRooms} from './cursor.js'

interface RowView {
  readonly columns: readonly {readonly name: string; readonly label?: string}[]
}

type FindView = (line: CommandLine) => Promise<RowView>

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
      : (await import('../room/previewRooms.js')).roomTable(new Map())
  return {columns: [...columns, {name: 'answer'}]}
}

/** What the commands show, which checks `--columns` and `--sort`, too. */
const views: Readonly<Record<string, FindView>> = {
  apply: async () => (await import('../../view/room/changes.js')).changeResults,
  doctor: async () => (await import('../../view/tool/doctor.js')).diagnosisList,
  explain: async () => (await import('../../view/tool/explanation.js')).explanationList,
  history: async () => (await import('../../view/tool/history.js')).historyList,
  'asset:download': async () => (await import('../../view/asset/transfers.js')).downloadResults,
  'asset:duplicates': async () => (await import('../../view/asset/checks.js')).duplicateList,
  'asset:forget': async () => (await import('../../view/asset/transfers.js')).forgottenUploads,
  'asset:info': async () => (await import('../../view/asset/cards.js')).containerCard,
  'asset:list': async () => (await import('../../view/asset/listing.js')).assetList,
  'asset:methods': async () => (await import('../../view/asset/cards.js')).methodsCard,
  'asset:resume': async () => (await import('../../view/asset/transfers.js')).uploadRows,
  'asset:show': async ({flags}) => {
    const {catalogCard, fileCard, linkCard, resourceCard} = await import('../../view/asset/cards.js')
    const byView: Readonly<Record<string, RowView>> = {asset: fileCard, catalog: catalogCard, link: linkCard}
    return byView[flags.get('view')?.at(-1) ?? ''] ?? resourceCard
  },
  'asset:sync': async ({flags}) => {
    if (flags.has('frozen')) return (await import('../../view/asset/checks.js')).frozenView(() => undefined)
    return (await import('../../view/asset/transfers.js'))[flags.has('dry-run') ? 'syncPlan' : 'syncResults']
  },
  'asset:upload': async () => (await import('../../view/asset/transfers.js')).uploadRows,
  'asset:uploads': async () => (await import('../../view/asset/transfers.js')).unfinishedUploads,
  'attendee:find': async () => (await import('../../view/room/attendee.js')).attendedRoomList,
  'attendee:list': async () => (await import('../../view/room/attendee.js')).attendeeList,
  'attendee:why': async ({flags}) =>
    (await import('../../view/room/attendee.js'))[flags.has('user') ? 'admissionList' : 'admissionCard'],
  'config:list': async () => (await import('../../view/tool/settings.js')).settingList,
  'config:profile:list': async () => (await import('../../view/tool/settings.js')).profileList,
  'config:route:list': async () => (await import('../../view/tool/settings.js')).routeList,
  'push:audit': async ({flags}) => (await import('../../view/push/audit.js')).auditList(flags.has('profiles')),
  'push:cancel': async () => (await import('../../view/push/requests.js')).cancelResults,
  'push:inspect': async () => (await import('../../view/push/credential.js')).credentialCard({kind: 'unknown'}),
  'push:prove': async () => (await import('../../view/push/proof.js')).proofList,
  'push:records': async () => (await import('../../view/push/requests.js')).transactionRecordList,
  'push:send': async () => (await import('../../view/push/requests.js')).sentRows,
  'push:show': async () => (await import('../../view/push/configuration.js')).configurationCard(''),
  'record:list': async () => (await import('../../view/room/room.js')).recordingList,
  'room:attendance': async () => (await import('../../view/room/attendance.js')).attendanceList,
  'room:can': async () => (await import('../../view/room/room.js')).abilityList,
  'room:list': async () => (await import('../../view/room/room.js')).roomList,
  'room:show': async () => (await import('../../view/room/room.js')).roomCard,
  'sandbox:status': async () => (await import('../../view/tool/sandbox.js')).sandboxCard,
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
  return operation ? changeView(operation, line) : views[command.id]?.(line)
}
