import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {roomArg, userArg} from '../../cli/flags/flags.js'
import {presentOne} from '../../cli/output/present.js'
import {pickRoom, pickUser} from '../../cli/prompts/pickers.js'
import {admissionOf} from '../../features/attendee/admission.js'
import {admissionCard} from '../../view/room/attendee.js'

export default class AttendeeWhy extends RoomctlCommand {
  static override summary = 'Explain why a user can or cannot enter a room'
  static override description =
    `Reads the room and says what the document has for and against the user: the attendee list of a private room,
the room's state, its maximum, is_joinable and the reserved times (room §1, §7), each with the command that puts it right
and who may do that. Who is blocked the service does not tell; the journal knows what was last set from this machine, and where
it does not, what is left is shown for somebody who is refused all the same. Ends with 7 when something stands against it. The service has the last word; no token is requested to find out.`
  static override args = {room: roomArg, user: userArg}
  static override examples = [
    {description: 'Why can eve not enter?', command: '<%= config.bin %> attendee why r-private eve'},
    {
      description: 'What would help, for a script',
      command: "<%= config.bin %> attendee why r-full carl -o json --query 'reasons[].fix'",
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AttendeeWhy)
    const session = await this.open(flags)
    const roomId = await pickRoom(session, args.room)
    const user = await pickUser(session, roomId, args.user)
    const admission = await admissionOf(session, roomId, user)
    await presentOne(session, admission, admissionCard)
    if (admission.can_enter === 'no') session.endWith('state')
  }
}
