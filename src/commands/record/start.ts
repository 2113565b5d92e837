import {layouts, start} from '../../api/contract/record.js'
import {byWord, wordOf} from '../../api/contract/shapes.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, defaultedFlag, requesterFlags, roomArg} from '../../cli/flags/flags.js'
import {parseWireName} from '../../cli/flags/parseValues.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import {mutate} from '../../features/mutation/mutate.js'
import {roomResult} from '../../features/room/roomMutations.js'

export default class RecordStart extends RoomctlCommand {
  static override changes = true
  static override summary = 'Start recording a room'
  static override description = 'Only the host may record, and only a MEETING room that is not being recorded.'
  static override args = {room: roomArg}
  static override flags = {
    ...requesterFlags,
    ...changeFlags,
    layout: defaultedFlag(layouts.map(wordOf).join('|'), wordOf(layouts[0]), 'layout of the recording'),
  }
  static override examples = commandExamples({
    'Record everybody in a grid': 'roomctl record start r-standup --layout grid',
    'See the request without sending it': 'roomctl record start r-standup --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RecordStart)
    const roomId = await pickRoom(session, args.room, 'record.start')
    const layout = parseWireName('--layout', flags.layout, byWord(layouts))
    await mutate(session, flags, {
      operation: start,
      input: () => ({path: {roomId}, body: {layout}}),
      ...roomResult({done: (room) => `started recording ${room} in layout ${layout}`, value: {layout}}),
    })
  }
}
