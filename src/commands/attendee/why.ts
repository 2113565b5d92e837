import {RoomCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, roomArg, rowFlags, userArg, valueFlag} from '../../cli/flags/flags.js'
import {requireId} from '../../cli/input/readIds.js'
import {presentList, presentOne} from '../../cli/output/present.js'
import {pickAnyUser, pickRoom} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {admissionOf, admissionsOf} from '../../features/attendee/admission.js'
import {admissionCard, admissionList} from '../../view/room/attendee.js'

export default class AttendeeWhy extends RoomCommand {
  static override summary = 'Explain why a user can or cannot enter a room'
  static override rows = ({user}: {readonly user?: string}) => (user === undefined ? admissionCard : admissionList)
  static override description =
    `Checks the attendee list of a private room, the room's state, maximum, is_joinable and reserved times, and shows each
obstacle with the command that removes it and who may run it. The service does not show who is blocked, so blocks come from
the local journal; possible causes outside it are listed separately. No token is requested. Exits with 7 if the user cannot
enter; with --user, if that is so for one of the rooms.`
  static override args = {room: roomArg, user: userArg}
  static override flags = {
    ...rowFlags,
    user: valueFlag('USER', 'answer for every room whose list has this user'),
  }
  static override examples = commandExamples({
    'Why can eve not enter?': 'roomctl attendee why r-private eve',
    'Which rooms of her list can gina enter?': 'roomctl attendee why --user gina',
    'What would help, for a script': "roomctl attendee why r-full carl -o json --query 'reasons[].fix'",
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AttendeeWhy)
    if (flags.user !== undefined) return answerForAll(session, flags.user, args.room)
    if (flags.sort !== undefined) {
      throw wrongUsage('--sort needs --user: a room has one answer', {try: 'omit --sort'})
    }
    const roomId = await pickRoom(session, args.room)
    const user = await pickAnyUser(session, roomId, args.user)
    const admission = await admissionOf(session, roomId, user)
    await presentOne(session, admission, admissionCard)
    if (admission.can_enter === 'no') session.endWith('state')
  }
}

async function answerForAll(session: Session, user: string, room: string | undefined): Promise<void> {
  if (room !== undefined) {
    throw wrongUsage('ROOM and --user cannot be given together', {try: 'omit one of them'})
  }
  const {admissions, unread} = await admissionsOf(session, requireId('USER', user))
  await presentList(session, admissions, admissionList)
  if (admissions.some(({can_enter: verdict}) => verdict === 'no')) session.endWith('state')
  else if (unread > 0) session.endWith('partial')
}
