import {changeRooms} from '../../cli/changeRooms.js'
import {RoomctlCommand} from '../../cli/command.js'
import {actingFlags, roomsArg, severalFlags} from '../../cli/flags.js'
import {roomTargets} from '../../cli/targets.js'
import {end} from '../../contract/room.js'

export default class RoomEnd extends RoomctlCommand {
  static override summary = 'End rooms for everybody in them'
  static override description =
    `Only the host can end a room, and only a MEETING room can be ended (room §11). Several ids, or - for ids on
stdin, are ended one after the other, with one result for each.`
  static override args = {room: roomsArg}
  static override flags = {...actingFlags, ...severalFlags}
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
    await changeRooms(session, flags, await roomTargets(session, args.room, flags.max), {
      operation: end,
      input: (roomId, requester_id) => ({path: {roomId}, body: {requester_id}}),
      verb: 'End',
      past: 'ended',
      confirmedBy: 'yes',
    })
  }
}
