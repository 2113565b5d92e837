import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requesterFlags, roomsArg} from '../../cli/flags/flags.js'
import {bulkFlags} from '../../features/bulk/flags.js'
import {mutateRooms, stopRecordings} from '../../features/room/roomMutations.js'

export default class RecordStop extends RoomctlCommand {
  static override changes = true
  static override summary = 'Stop recording rooms'
  static override description =
    `Only the host may stop a recording. Several ids, - for ids on stdin, or flags that choose rooms give one result for each room.`
  static override args = {room: roomsArg}
  static override flags = {...requesterFlags, ...bulkFlags}
  static override examples = commandExamples({
    'Stop the recording': 'roomctl record stop r-support',
    'Stop it as a specific host': 'roomctl record stop r-support --as carl -o json',
    'Stop the recording of every support room': "roomctl record stop --match '*support*' --yes",
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RecordStop)
    await mutateRooms(session, flags, args.room, stopRecordings)
  }
}
