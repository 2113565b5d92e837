import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, roomSelectionFlags, rowFlags, switchFlag, timeFlags, valueFlag} from '../../cli/flags/flags.js'
import {parseWholeNumber} from '../../cli/flags/parseValues.js'
import {presentList} from '../../cli/output/present.js'
import {readListedRooms} from '../../features/room/listRooms.js'
import {readSelection, tenantFlag} from '../../features/room/roomFlags.js'
import {askedColumns} from '../../view/format/columns.js'
import {isCount, noSandboxRooms, roomList, roomListWithCounts} from '../../view/room/room.js'

export default class RoomList extends RoomctlCommand {
  static override summary = 'List the rooms of the application'
  static override rows = roomList
  static override description =
    `Lists all rooms in the service's descending order, or ascending with --asc; the document does not name the sort field. roomctl
itself applies the flags that choose rooms; --empty reads each MEETING and IDLE room that matches the others. --with-counts and
--columns present read every room.`
  static override flags = {
    ...rowFlags,
    ...timeFlags,
    ...roomSelectionFlags,
    asc: switchFlag('ascending order'),
    'biz-id': tenantFlag,
    limit: valueFlag('N', 'show at most N rows'),
    'with-counts': switchFlag('count who is present; reads every room'),
  }
  static override examples = commandExamples({
    'The rooms where people are now': 'roomctl room list --status meeting',
    'Test rooms older than eight hours, ids only': "roomctl room list --older-than 8h --match 'test-*' -q",
    'Export names and states to a spreadsheet': 'roomctl room list -o csv --columns room_id,name,room_status',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(RoomList)
    const filter = readSelection(flags)
    const limit = flags.limit === undefined ? undefined : parseWholeNumber('--limit', flags.limit)
    const view = flags['with-counts'] ? roomListWithCounts : roomList
    const session = await this.open(flags)
    const isCounted = flags['with-counts'] || askedColumns(view.columns, session.output).some(isCount)
    const choice = {filter, ascending: flags.asc, limit, counts: isCounted}
    const {rooms, total} = await readListedRooms(session, choice)
    const ofAll = session.resolved.isSandbox ? noSandboxRooms : view.empty
    const shown = {...view, empty: filter ? 'no rooms match' : ofAll}
    await presentList(session, rooms, shown, {total})
  }
}
