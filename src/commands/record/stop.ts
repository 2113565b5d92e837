import {changeOne} from '../../cli/changeOne.js'
import {RoomctlCommand} from '../../cli/command.js'
import {actingFlags, changeFlags, roomArg} from '../../cli/flags.js'
import {roomOf} from '../../cli/pick.js'
import {stop} from '../../contract/record.js'
import {safeText} from '../../view/text.js'

export default class RecordStop extends RoomctlCommand {
  static override summary = 'Stop recording a room'
  static override description = 'Only the host, and only while a recording runs (room §15).'
  static override args = {room: roomArg}
  static override flags = {...actingFlags, ...changeFlags}
  static override examples = [
    {description: 'Stop the recording', command: '<%= config.bin %> record stop r-support'},
    {description: 'Stop it as a host you name', command: '<%= config.bin %> record stop r-support --as carl -o json'},
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RecordStop)
    const session = await this.open(flags)
    const roomId = await roomOf(session, args.room)
    await changeOne(session, flags, {
      operation: stop,
      roomId,
      input: (requester_id) => ({path: {roomId}, body: {requester_id}}),
      result: {recording: false},
      done: `stopped recording room ${safeText(roomId)}`,
    })
  }
}
