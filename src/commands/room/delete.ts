import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requesterFlags, roomsArg, withMeaning} from '../../cli/flags/flags.js'
import {bulkFlags} from '../../features/bulk/flags.js'
import {deleteRooms, mutateRooms} from '../../features/room/roomMutations.js'

export default class RoomDelete extends RoomctlCommand {
  static override changes = true
  static override summary = 'Delete rooms'
  static override description =
    `The requester must be host, and a MEETING room is refused. The document contradicts itself on ENDED rooms: the service
decides. A deletion cannot be undone, so roomctl asks for the name of the room, or for the number of rooms.`
  static override args = {room: roomsArg}
  static override flags = {
    ...requesterFlags,
    ...bulkFlags,
    confirm: withMeaning(bulkFlags.confirm, 'room name or id, number of rooms, or protected profile'),
  }
  static override examples = commandExamples({
    'Delete a room that was never used': 'roomctl room delete r-townhall --yes',
    'Delete several rooms': 'roomctl room delete r-retro r-townhall --yes -o json',
    'Delete rooms that ended': 'roomctl room delete --status ended --older-than 1h --yes',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RoomDelete)
    await mutateRooms(session, flags, args.room, deleteRooms)
  }
}
