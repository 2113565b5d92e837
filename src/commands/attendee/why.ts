import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {cardFlags, commandExamples, roomArg, userArg} from '../../cli/flags/flags.js'
import {presentOne} from '../../cli/output/present.js'
import {pickAnyUser, pickRoom} from '../../cli/prompts/pickers.js'
import {admissionOf} from '../../features/attendee/admission.js'
import {admissionCard} from '../../view/room/attendee.js'

export default class AttendeeWhy extends RoomctlCommand {
  static override summary = 'Explain why a user can or cannot enter a room'
  static override rows = admissionCard
  static override description =
    `Checks the room's state, maximum, is_joinable and reserved times, and the attendee list of a private room.
Shows each obstacle with the command that removes it and who may run it. The service does not show who is blocked, so blocks come from
the local journal; possible causes outside it are listed separately. No token is requested. Exits with 7 if the user cannot
enter. attendee find USER answers for all rooms of a user.`
  static override args = {room: roomArg, user: userArg}
  static override flags = cardFlags
  static override examples = commandExamples({
    'Why can eve not enter?': 'roomctl attendee why r-private eve',
    'What would help, for a script': "roomctl attendee why r-full carl -o json --query 'reasons[].fix'",
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(AttendeeWhy)
    const roomId = await pickRoom(session, args.room)
    const user = await pickAnyUser(session, roomId, args.user)
    const admission = await admissionOf(session, roomId, user)
    await presentOne(session, admission, admissionCard)
    if (admission.can_enter === 'no') session.endWith('state')
  }
}
