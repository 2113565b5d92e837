import * as Flags from '@oclif/core/flags'
import {blockTargets} from '../../cli/blockTargets.js'
import {changeOne} from '../../cli/changeOne.js'
import {RoomctlCommand} from '../../cli/command.js'
import {actingFlags, askingFlags, roomAndUsersArg} from '../../cli/flags.js'
import {roomOf} from '../../cli/pick.js'
import {describeRoom} from '../../cli/roomWords.js'
import {block} from '../../contract/attendee.js'
import {safeText} from '../../view/text.js'

export default class AttendeeBlock extends RoomctlCommand {
  static override aliases = ['room:block']
  static override summary = 'Expel attendees and keep them out'
  static override description =
    `The creator or the host may block; only people who are present in a MEETING room can be blocked, and never
the host (room §8). They are removed at once and can neither get a token nor enter until they are restored. The service
does not say who is blocked.`
  static override args = {'room user': roomAndUsersArg}
  static override flags = {
    ...actingFlags,
    ...askingFlags,
    'all-except': Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'USER',
      summary: 'everybody present but the host and these',
    }),
  }
  static override examples = [
    {description: 'Expel ben', command: '<%= config.bin %> attendee block r-standup ben --yes'},
    {description: 'Empty a room but for one', command: '<%= config.bin %> room block r-standup --all-except ben --yes'},
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AttendeeBlock)
    const [room, ...users] = args['room user'] ?? []
    const session = await this.open(flags)
    const roomId = await roomOf(session, room, (room) => room.room_status === 'MEETING')
    const attendees = await blockTargets(session, roomId, users, flags['all-except'])
    const names = attendees.map((user) => safeText(user)).join(', ')
    await changeOne(session, flags, {
      operation: block,
      roomId,
      input: (requester_id) => ({path: {roomId}, body: {requester_id, attendees}}),
      creatorWillDo: true,
      question: (room) => ({
        text: `Block ${names} in ${describeRoom(roomId, room)}?`,
        ...(attendees.length > 1 ? {expected: String(attendees.length)} : {}),
      }),
      result: {blocked: attendees},
      done: `blocked ${names} in room ${safeText(roomId)}`,
    })
  }
}
