import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, repeatableFlag, requesterFlags, roomAndUsersArg} from '../../cli/flags/flags.js'
import {bulkFlags} from '../../features/bulk/flags.js'
import {blockIn, blockTargets, mutateRooms, roomAndUsers} from '../../features/room/roomMutations.js'

export default class AttendeeBlock extends RoomctlCommand {
  static override aliases = ['room:block']
  static override changes = true
  static override summary = 'Remove attendees and block them'
  static override description =
    `Only the creator or the host may block, and only users present in a MEETING room, never the host. Blocked users are removed
at once and can neither get a token nor enter until they are restored. The service does not show who is blocked. If flags
choose the rooms, every argument is a user. A - before the users reads room ids from stdin, which the flags filter.`
  static override args = {'room user': roomAndUsersArg}
  static override flags = {
    ...requesterFlags,
    ...bulkFlags,
    'all-except': repeatableFlag('USER', 'everybody present except the host and these users'),
  }
  static override examples = commandExamples({
    'Remove ben': 'roomctl attendee block r-standup ben --yes',
    'Remove everybody except one user': 'roomctl room block r-standup --all-except ben --yes',
    'Remove a bot from every test room': "roomctl attendee block bot-1 --match 'test-*' --yes",
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AttendeeBlock)
    const {rooms, users} = await roomAndUsers(session, 'attendee.block', args['room user'], flags)
    const attendees = await blockTargets(session, rooms?.[0], users, flags['all-except'])
    await mutateRooms(session, flags, rooms, blockIn(attendees))
  }
}
