import * as Flags from '@oclif/core/flags'
import {carryOut} from '../../cli/change.js'
import {RoomctlCommand} from '../../cli/command.js'
import {confirmChange, doingOf} from '../../cli/confirm.js'
import {planOf, presentPlans} from '../../cli/dryRun.js'
import {changeFlags, roomAndUsersArg} from '../../cli/flags.js'
import {roomOf} from '../../cli/pick.js'
import {presentDone, resultView} from '../../cli/present.js'
import {namedUsers} from '../../cli/targets.js'
import {add} from '../../contract/attendee.js'
import {safeText} from '../../view/text.js'

export default class AttendeeAdd extends RoomctlCommand {
  static override summary = 'Add attendees to a room'
  static override description =
    `Anybody may invite, so no requester is named; those who were not on the list get a notification (room §6).
Refused when the list would grow beyond the room's maximum (AA001) and in an ENDED room (AA002).`
  static override args = {'room user': roomAndUsersArg}
  static override flags = {
    ...changeFlags,
    'from-file': Flags.string({helpValue: 'FILE', summary: 'users, one a line; - is stdin'}),
  }
  static override examples = [
    {description: 'Invite two people', command: '<%= config.bin %> attendee add r-townhall ben carl'},
    {
      description: 'Invite whoever a program names',
      command: 'printf "dora\\neve\\n" | <%= config.bin %> attendee add r-townhall -',
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AttendeeAdd)
    const [room, ...users] = args['room user'] ?? []
    const session = await this.open(flags)
    const roomId = await roomOf(session, room)
    const advice = 'name users, - for stdin, or --from-file FILE'
    const attendees = await namedUsers(session, users, advice, flags['from-file'])
    const input = {path: {roomId}, body: {attendees}}
    if (flags['dry-run']) return presentPlans(session, [await planOf(session, add, input)])
    const view = await resultView(session, ['room_id', 'added'])
    await confirmChange(session, flags, doingOf(add, input))
    await carryOut(session, add, input)
    const names = attendees.map((user) => safeText(user)).join(', ')
    const sentence = `added ${names} to room ${safeText(roomId)}`
    await presentDone(session, view, {room_id: roomId, added: attendees}, roomId, sentence)
  }
}
