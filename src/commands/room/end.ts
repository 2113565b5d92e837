import {RoomCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requesterFlags, roomsArg} from '../../cli/flags/flags.js'
import {bulkFlags} from '../../features/bulk/flags.js'
import {endRooms, mutateRooms} from '../../features/room/roomMutations.js'

export default class RoomEnd extends RoomCommand {
  static override changes = true
  static override summary = 'End rooms'
  static override description =
    `Only the host can end a room, and only a MEETING room can be ended. Several ids, - for ids on stdin, or rooms selected by
--where, --older-than, --empty and --match are previewed, confirmed once and ended together, with one result for each in order.`
  static override args = {room: roomsArg}
  static override flags = {...requesterFlags, ...bulkFlags}
  static override examples = commandExamples({
    'End a room as its host': 'roomctl room end r-standup --yes',
    'End every test room that has been open for eight hours':
      "roomctl room end --match 'test-*' --older-than 8h --where status=MEETING --yes",
    'The same from a list of ids':
      "roomctl room list --status meeting --where 'name~^test' -q | roomctl room end - --yes",
    'See what would be sent, and what would be refused': 'roomctl room end r-standup r-review --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RoomEnd)
    await mutateRooms(session, flags, args.room, endRooms)
  }
}
