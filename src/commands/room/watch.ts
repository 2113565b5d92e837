import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {
  commandExamples,
  repeatableFlag,
  roomSelectionFlags,
  serviceFlags,
  severalArg,
  timeFlags,
  valueFlag,
} from '../../cli/flags/flags.js'
import {readIds} from '../../cli/input/readIds.js'
import {wrongUsage} from '../../failure.js'
import {assertNamedOrChosen, intervalFlag, readSelection, readStates} from '../../features/room/roomFlags.js'
import {checkWatchOutput, openLimited, readInterval} from '../../features/watch/flags.js'
import {watchRooms} from '../../features/watch/watchRooms.js'

export default class RoomWatch extends RoomctlCommand {
  static override summary = 'Watch rooms and print changes'
  static override description =
    `Polls the rooms and prints a line for each change: users who join or leave, hosts, states, and rooms that appear or
disappear. Without ROOM, watches all rooms, or those that the flags choose; a room that matched once stays
watched. It does not join rooms, so a change and its reversal between two polls are not seen. With -o ndjson each line is an
object; the event happened between \`after\` and \`at\`. A gap event says that nothing was seen between them: an outage, or a
pause of more than two intervals and one second. --timeout limits the whole watch. With --until-status, exits with 0 once all
watched rooms have the state, and with 12 if the time runs out first. Exits with 9 if the watch ends during an outage, or the service was never reached.`
  static override baseFlags = {
    ...serviceFlags,
    timeout: valueFlag('10m', 'stop watching after this time'),
  }
  static override args = {room: severalArg('ROOM', 'room ids, or - for stdin (default: all rooms)')}
  static override flags = {
    ...timeFlags,
    interval: intervalFlag,
    ...roomSelectionFlags,
    'until-status': repeatableFlag('STATE', 'stop once all watched rooms are in this state; repeatable'),
  }
  static override examples = commandExamples({
    'Who joins and leaves a room, for one second': 'roomctl room watch r-standup --interval 1s --timeout 1s',
    'Wait up to half an hour for a meeting to start':
      'roomctl room watch r-standup --until-status MEETING --timeout 30m',
    'All changes of test rooms, for a program': "roomctl room watch --match 'test-*' -o ndjson --timeout 1s",
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RoomWatch)
    const limited = await openLimited(this.config, flags)
    checkWatchOutput(limited.session)
    const named = args.room ?? []
    assertNamedOrChosen(named, flags)
    const {ids} = await readIds(limited.session, 'ROOM', named)
    if (named.length > 0 && ids.length === 0) throw wrongUsage('stdin contains no room')
    await watchRooms(limited, {
      ids,
      where: readSelection(flags),
      states: readStates(flags['until-status'], '--until-status'),
      intervalMs: readInterval(flags.interval),
    })
  }
}
