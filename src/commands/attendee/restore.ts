import {changeOne} from '../../cli/changeOne.js'
import {RoomctlCommand} from '../../cli/command.js'
import {actingFlags, changeFlags, roomAndUsersArg} from '../../cli/flags.js'
import {roomOf} from '../../cli/pick.js'
import {namedUsers} from '../../cli/targets.js'
import {restore} from '../../contract/attendee.js'
import {safeText} from '../../view/text.js'

export default class AttendeeRestore extends RoomctlCommand {
  static override aliases = ['room:restore']
  static override summary = 'Let blocked attendees enter again'
  static override description =
    `Only the host may restore, in a MEETING or IDLE room, and every user named must be blocked now (room §9).`
  static override args = {'room user': roomAndUsersArg}
  static override flags = {...actingFlags, ...changeFlags}
  static override examples = [
    {description: 'Let dora in again', command: '<%= config.bin %> attendee restore r-standup dora'},
    {
      description: 'The same under the room topic',
      command: '<%= config.bin %> room restore r-standup dora --as ann -o json',
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AttendeeRestore)
    const [room, ...users] = args['room user'] ?? []
    const session = await this.open(flags)
    const roomId = await roomOf(session, room)
    const advice = 'name the users to restore; the service does not say who is blocked, so none can be offered'
    const attendees = await namedUsers(session, users, advice)
    const names = attendees.map((user) => safeText(user)).join(', ')
    await changeOne(session, flags, {
      operation: restore,
      roomId,
      input: (requester_id) => ({path: {roomId}, body: {requester_id, attendees}}),
      result: {restored: attendees},
      done: `restored ${names} in room ${safeText(roomId)}`,
    })
  }
}
