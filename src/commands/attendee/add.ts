import * as Flags from '@oclif/core/flags'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {roomAndUsersArg} from '../../cli/flags/flags.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {confirmChange, describeChange} from '../../cli/prompts/confirm.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import {bulkFlags} from '../../features/bulk/flags.js'
import {presentPreviews, previewRequest} from '../../features/mutation/dryRun.js'
import {sendJournaled} from '../../features/mutation/journal.js'
import {changeRooms} from '../../features/room/mutateRoomsChangeRooms.js'
import {namedUsers, roomAndUsers} from '../../features/room/roomArgs.js'
import {addTo} from '../../features/room/roomMutations.js'
import {safeText} from '../../text/text.js'

export default class AttendeeAdd extends RoomctlCommand {
  static override summary = 'Add attendees to a room'
  static override description =
    `Anybody may invite, so no requester is named; those who were not on the list get a notification (room §6).
Refused when the list would grow beyond the room's maximum (AA001) and in an ENDED room (AA002). With --where
every argument is a user, and the rooms are those of the expression.`
  static override args = {'room user': roomAndUsersArg}
  static override flags = {
    ...bulkFlags,
    'from-file': Flags.string({helpValue: 'FILE', summary: 'users, one a line; - is stdin'}),
  }
  static override examples = [
    {description: 'Invite two people', command: '<%= config.bin %> attendee add r-townhall ben carl'},
    {
      description: 'Invite whoever a program names',
      command: 'printf "dora\\neve\\n" | <%= config.bin %> attendee add r-townhall -',
    },
    {
      description: 'Invite somebody to every room that is reserved',
      command: "<%= config.bin %> attendee add zoe --where 'status=RESERVED' --yes",
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AttendeeAdd)
    const session = await this.open(flags)
    const {room, users} = roomAndUsers(args['room user'], {where: flags.where, from: flags['from-file']})
    const rooms = flags.where === undefined ? [await pickRoom(session, room)] : undefined
    const advice = 'name users, - for stdin, or --from-file FILE'
    const attendees = await namedUsers(session, users, advice, flags['from-file'])
    const change = addTo(attendees)
    await changeRooms(session, flags, rooms, change, async (roomId) => {
      const input = change.input(roomId, '')
      if (flags['dry-run']) return presentPreviews(session, [await previewRequest(session, change.operation, input)])
      const view = await resultView(session, ['room_id', 'added'])
      await confirmChange(session, flags, describeChange(change.operation, input))
      await sendJournaled(session, change.operation, input)
      const names = attendees.map((user) => safeText(user)).join(', ')
      const sentence = `added ${names} to room ${safeText(roomId)}`
      await presentDone(session, view, {room_id: roomId, added: attendees}, roomId, sentence)
    })
  }
}
