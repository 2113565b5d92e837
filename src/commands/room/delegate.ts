import {delegate} from '../../api/contract/roomChanges.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, requesterFlags, roomArg, userArg} from '../../cli/flags/flags.js'
import {giveRole} from '../../features/room/roomMutations.js'

export default class RoomDelegate extends RoomctlCommand {
  static override aliases = ['room:host']
  static override changes = true
  static override summary = 'Hand the host role to another attendee'
  static override description =
    `The requester must be host and the room MEETING; the recipient must be an ordinary user who is present. Without USER, a
terminal offers the users who are.`
  static override args = {room: roomArg, user: userArg}
  static override flags = {...requesterFlags, ...changeFlags}
  static override examples = commandExamples({
    'Make ben host': 'roomctl room delegate r-standup ben',
    'See the request without sending it': 'roomctl room delegate r-standup ben --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RoomDelegate)
    await giveRole(session, flags, args, delegate, 'host')
  }
}
