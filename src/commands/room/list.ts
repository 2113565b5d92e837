import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, rowFlags, switchFlag, timeFlags, valueFlag} from '../../cli/flags/flags.js'
import {parseWholeNumber} from '../../cli/flags/parseValues.js'
import {presentList} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {roomParts, roomRows} from '../../features/room/listRooms.js'
import {
  intervalFlag,
  readSelection,
  readStates,
  roomFilterFlags,
  tenantFlag,
  watchBudgetFlag,
} from '../../features/room/roomFlags.js'
import {askedColumns, rowsInParts} from '../../view/format/columns.js'
import {isCount, noSandboxRooms, roomList, roomListWithCounts} from '../../view/room/room.js'

export default class RoomList extends RoomctlCommand {
  static override summary = 'List the rooms of the application'
  static override rows = roomList
  static override description =
    `Lists all rooms of the application in the service's descending order, or in ascending order with --asc; the document does
not name the field it sorts by. Status, creator, age, name and --where are filtered locally; --where takes an expression over status,
name, id, creator, age, start, end, present, public, joinable and max (roomctl help selectors). --watch repaints the list to look at, with who is present in meetings: within --budget it reads rooms whose row
changed first, then the least recently read; room watch prints a line per change, for logs and programs.`
  static override flags = {
    ...rowFlags,
    ...timeFlags,
    ...roomFilterFlags,
    'created-by': valueFlag('USER', 'only rooms created by this user'),
    asc: switchFlag('ascending order'),
    'biz-id': tenantFlag,
    limit: valueFlag('N', 'show at most N rows'),
    'with-counts': switchFlag('count who is present, which reads every room; so does --columns present'),
    watch: switchFlag('repaint the list on the terminal until Ctrl-C'),
    interval: {...intervalFlag, dependsOn: ['watch']},
    budget: {...watchBudgetFlag, dependsOn: ['watch']},
  }
  static override examples = commandExamples({
    'The rooms where people are now': 'roomctl room list --status meeting',
    'Test rooms older than eight hours, ids only': "roomctl room list --older-than 8h --match 'test-*' -q",
    'Export names and states to a spreadsheet': 'roomctl room list -o csv --columns room_id,name,room_status',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(RoomList)
    const states = readStates(flags.status)
    const limit = flags.limit === undefined ? undefined : parseWholeNumber('--limit', flags.limit)
    const view = flags['with-counts'] ? roomListWithCounts : roomList
    const session = await this.open(flags)
    const isCounted = flags['with-counts'] || askedColumns(view.columns, session.output).some(isCount)
    const showsPresence = flags.watch && session.output.columns === undefined ? ('meetings' as const) : false
    const {tz} = session.resolved.values
    const choice = {
      states,
      creator: flags['created-by'],
      selector: await readSelection(flags, tz),
      ascending: flags.asc,
      limit,
      counts: isCounted || showsPresence,
    }
    if (!flags.watch) {
      const {parts, counted} = roomParts(session, choice)
      const isFiltered = [states, choice.creator, choice.selector].some((filter) => filter !== undefined)
      const ofAll = session.resolved.isSandbox ? noSandboxRooms : view.empty
      const shown = {...view, empty: isFiltered ? 'no rooms match' : ofAll}
      return presentList(session, await rowsInParts(parts), shown, {counted})
    }
    const {checkTerminal, watchTable} = await import('../../features/watch/watchTable.js')
    const {readCallBudget, readInterval} = await import('../../features/watch/flags.js')
    const {ListMemory} = await import('../../features/watch/listMemory.js')
    checkTerminal(session)
    const intervalMs = readInterval(flags.interval)
    const budget = readCallBudget(session.runtime, flags.budget)
    const memory = new ListMemory(budget.distanceMs, Math.floor(intervalMs / budget.distanceMs))
    const read = (reading: Session) => roomRows(reading, {...choice, memory})
    const since = () => memory.shownSince
    await watchTable(session.rateLimited(budget.acquire), {
      read,
      view,
      intervalMs,
      budget,
      since,
      withTrace: flags.debug,
    })
  }
}
