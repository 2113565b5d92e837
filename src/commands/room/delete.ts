import {changeRooms} from '../../cli/changeRooms.js'
import {RoomctlCommand} from '../../cli/command.js'
import {actingFlags, roomsArg, severalFlags} from '../../cli/flags.js'
import {roomTargets} from '../../cli/targets.js'
import {remove} from '../../contract/room.js'

export default class RoomDelete extends RoomctlCommand {
  static override summary = 'Delete rooms'
  static override description =
    `The requester must be host, and a MEETING room is refused (room §10). One text allows RESERVED and ENDED rooms,
another only RESERVED ones: the service decides. A deleted room does not come back, so its name is asked for.`
  static override args = {room: roomsArg}
  static override flags = {...actingFlags, ...severalFlags}
  static override examples = [
    {description: 'Delete a room that was never used', command: '<%= config.bin %> room delete r-townhall --yes'},
    {description: 'Delete several rooms', command: '<%= config.bin %> room delete r-retro r-townhall --yes -o json'},
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RoomDelete)
    const session = await this.open(flags)
    await changeRooms(session, flags, await roomTargets(session, args.room, flags.max), {
      operation: remove,
      input: (roomId, requester_id) => ({path: {roomId}, body: {requester_id}}),
      verb: 'Delete',
      past: 'deleted',
      confirmedBy: 'name',
    })
  }
}
