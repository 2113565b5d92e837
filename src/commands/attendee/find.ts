import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {
  commandExamples,
  type ProgressKind,
  progressFlag,
  requiredArg,
  roomSelectionFlags,
  rowFlags,
  switchFlag,
  timeFlags,
} from '../../cli/flags/flags.js'
import {requireId} from '../../cli/input/readIds.js'
import {presentList} from '../../cli/output/present.js'
import {findAttendee} from '../../features/attendee/findAttendee.js'
import {readSelection} from '../../features/room/roomFlags.js'
import {counted, safeText, shortly} from '../../text/text.js'
import {attendedRoomList} from '../../view/room/attendee.js'

export default class AttendeeFind extends RoomctlCommand {
  static override summary = 'List the rooms of a user and whether the user can enter'
  static override rows = attendedRoomList
  static override description =
    `The service cannot search by user, so roomctl lists the rooms and reads the attendees of each, one call per room. Flags that
choose rooms reduce the calls. --present reads only MEETING rooms. CAN ENTER and WHY show the answer of attendee why. Exits
with 11 if some rooms could not be read.`
  static override args = {user: requiredArg('USER', 'id of the user')}
  static override flags = {
    ...rowFlags,
    ...timeFlags,
    present: switchFlag('only rooms where the user is present'),
    ...roomSelectionFlags,
    progress: progressFlag,
  }
  static override examples = commandExamples({
    'Where is ben now?': 'roomctl attendee find ben --present',
    'Reserved rooms with dora on their list, for a script':
      "roomctl attendee find dora --status reserved -o json --query '[].room_id'",
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AttendeeFind)
    const user = requireId('USER', args.user)
    const filter = readSelection(flags)
    const session = await this.open(flags)
    const search = {user, present: flags.present, filter}
    // The parser lets only the words of the options through.
    const {rooms, read, unread} = await findAttendee(session, search, flags.progress as ProgressKind)
    const empty = `${safeText(shortly(user))} is on no attendee list of ${counted(read, 'room')}; open rooms need none`
    await presentList(session, rooms, {...attendedRoomList, empty})
    if (unread > 0) session.endWith('partial')
  }
}
