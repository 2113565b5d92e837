import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, inputFileFlag, roomAndUsersArg} from '../../cli/flags/flags.js'
import {readUsers} from '../../cli/prompts/pickers.js'
import {bulkFlags} from '../../features/bulk/flags.js'
import {addTo, mutateRooms, roomAndUsers} from '../../features/room/roomMutations.js'

export default class AttendeeAdd extends RoomctlCommand {
  static override changes = true
  static override summary = 'Add attendees to a room'
  static override description =
    `Anyone may invite, so no requester is named; new attendees get a notification. Refused if the list would exceed the room's
maximum (AA001) or the room is ENDED (AA002). If flags choose the rooms, every argument is a user. A - before the users reads
room ids from stdin, which the flags filter.`
  static override args = {'room user': roomAndUsersArg}
  static override flags = {
    ...bulkFlags,
    'from-file': inputFileFlag('read users from FILE, one per line; - is stdin'),
  }
  static override examples = commandExamples({
    'Invite two people': 'roomctl attendee add r-townhall ben carl',
    'Invite users listed by a program': 'printf "dora\\neve\\n" | roomctl attendee add r-townhall -',
    'Invite somebody to every reserved room': 'roomctl attendee add zoe --status reserved --yes',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AttendeeAdd)
    const {rooms, users} = await roomAndUsers(session, 'attendee.add', args['room user'], flags)
    const advice = 'name users, - for stdin, or a file with --from-file'
    const {ids} = await readUsers(session, users, {advice, from: flags['from-file']})
    await mutateRooms(session, flags, rooms, addTo(ids))
  }
}
