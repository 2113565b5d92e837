import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {
  commandExamples,
  roomFlags,
  roomSelectionFlags,
  severalArg,
  switchFlag,
  timeFlags,
  valueFlag,
} from '../../cli/flags/flags.js'
import {requireId} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {assertNamedOrChosen, intervalFlag, readSelection, watchBudgetFlag} from '../../features/room/roomFlags.js'
import {checkWatchOutput, openLimited, readCallBudget, readInterval} from '../../features/watch/flags.js'
import {watchRooms} from '../../features/watch/watchRooms.js'

export default class RoomWatch extends RoomctlCommand {
  static override summary = 'Watch rooms and print changes'
  static override description =
    `Polls the rooms and prints a line for each change: a room appears or disappears, its state or another field changes,
somebody joins, leaves, is added or removed, the host changes. It does not join rooms, and changes between two polls can be
missed. The presenter is shown if the service sends the room's metadata. Without ROOM, it watches all rooms, or those that
match --where and the other filters as they appear, and their attendees during a meeting; attendees of other rooms are read when the room's row
changes. With -o ndjson each line is an object: the event happened between \`after\` and \`at\`, which are of the readings of
its own room; a return within one interval is not seen. During an outage it keeps polling. A gap event shows since when nothing was seen,
also if the watch slept or its clock was set; a looked event, at least
once a minute and at the end, shows until when all rooms were seen. room attendance computes who was there from these lines. Here --timeout limits the whole watch. With --until, exits with
0 when the expression is true for all watched rooms, or 12 at the timeout or once it can no longer be true. Exits with 9 if it ends during an outage, and
with 10 if the service was never reached. --budget, for all calls and their retries, is spent on the list first, then on rooms
whose row changed, then on meetings, the least recently read first. To look at the list instead: room list --watch.`
  static override baseFlags = {
    ...roomFlags,
    timeout: valueFlag('10m', 'stop watching after this time'),
  }
  static override args = {room: severalArg('ROOM', 'room ids (default: all rooms)')}
  static override flags = {
    ...timeFlags,
    interval: intervalFlag,
    ...roomSelectionFlags(),
    until: valueFlag('EXPR', 'stop once all watched rooms match the expression'),
    initial: switchFlag('print the current rooms first'),
    budget: watchBudgetFlag,
  }
  static override examples = commandExamples({
    'Who joins and leaves a room, for one second': 'roomctl room watch r-standup --interval 1s --timeout 1s',
    'Wait up to half an hour for a meeting to start':
      "roomctl room watch r-standup --until 'status=MEETING and present>0' --timeout 30m",
    'All changes of test rooms, for a program':
      "roomctl room watch --where 'name~^test' --initial -o ndjson --timeout 1s",
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RoomWatch)
    const limited = await openLimited(this.config, flags)
    checkWatchOutput(limited.session)
    const named = (args.room ?? []).map((id) => requireId('ROOM', id))
    const ids = [...new Set(limited.session.byName ? await idsOfNames(limited.session, named) : named)]
    assertNamedOrChosen(ids, flags)
    const {tz} = limited.session.resolved.values
    await watchRooms(limited, {
      ids,
      where: await readSelection(flags, tz),
      until: await readSelection({where: flags.until}, tz),
      intervalMs: readInterval(flags.interval),
      initial: flags.initial,
      budget: readCallBudget(limited.session.runtime, flags.budget),
    })
  }
}

async function idsOfNames(session: Session, names: readonly string[]): Promise<readonly string[]> {
  const {roomsByName} = await import('../../cli/prompts/pickers.js')
  return roomsByName(session, names)
}
