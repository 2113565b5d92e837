import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requesterFlags, roomsArg} from '../../cli/flags/flags.js'
import {bulkFlags} from '../../features/bulk/flags.js'
import {endRooms, mutateRooms} from '../../features/room/roomMutations.js'

export default class RoomEnd extends RoomctlCommand {
  static override changes = true
  static override summary = 'End rooms'
  static override description =
    `Only the host can end a room, and only a MEETING room can be ended. Several ids, - for ids on stdin, or rooms
that flags choose are confirmed once and ended together, with one result for each in order. Beside -, the flags filter its ids. Rooms
that flags choose are read again before the change, and skipped if they no longer match.`
  static override args = {room: roomsArg}
  static override flags = {...requesterFlags, ...bulkFlags}
  static override examples = commandExamples({
    'End a room as its host': 'roomctl room end r-standup --yes',
    'End every test room that has been open for eight hours': "roomctl room end --match 'test-*' --older-than 8h --yes",
    'The same from a list of ids': "roomctl room list --status meeting --match 'test-*' -q | roomctl room end - --yes",
    'Rooms for more than 100 people, which no flag chooses':
      'roomctl room list --query "[?max_attendee_count > \\`100\\`].room_id" -r | roomctl room end - --dry-run',
    'See what would be sent, and what would be refused': 'roomctl room end r-standup r-review --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RoomEnd)
    await mutateRooms(session, flags, args.room, endRooms)
  }
}
