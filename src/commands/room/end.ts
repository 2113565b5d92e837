import {bulkFlags} from '../../cli/bulkFlags.js'
import {changeRoom} from '../../cli/changeRoom.js'
import {changeRooms} from '../../cli/changeRooms.js'
import {RoomctlCommand} from '../../cli/command.js'
import {actingFlags, roomsArg} from '../../cli/flags.js'
import {endRooms} from '../../cli/roomChange.js'

export default class RoomEnd extends RoomctlCommand {
  static override summary = 'End rooms for everybody in them'
  static override description =
    `Only the host can end a room, and only a MEETING room can be ended (room §11). Several ids, or - for ids on
stdin, are ended one after the other, with one result for each.`
  static override args = {room: roomsArg}
  static override flags = {...actingFlags, ...bulkFlags}
  static override examples = [
    {description: 'End a room as its host', command: '<%= config.bin %> room end r-standup --yes'},
    {
      description: 'End every test room',
      command:
        "<%= config.bin %> room list --status meeting --where 'name~^test' -q | <%= config.bin %> room end - --yes",
    },
    {
      description: 'See what would be sent, and what would be refused',
      command: '<%= config.bin %> room end r-standup r-review --dry-run',
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RoomEnd)
    const session = await this.open(flags)
    await changeRooms(session, flags, args.room, endRooms, (roomId) =>
      changeRoom(session, flags, roomId, endRooms, 'yes'),
    )
  }
}
