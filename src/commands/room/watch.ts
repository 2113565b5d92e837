import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {Failure} from '../../api/contract/failure.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {serviceFlags} from '../../cli/flags/flags.js'
import {requireId} from '../../cli/input/readIds.js'
import {readSelector} from '../../features/room/listRooms.js'
import {roomFilterFlags} from '../../features/room/roomFlags.js'
import {readCallBudget} from '../../features/watch/callBudget.js'
import {checkWatchOutput, intervalFlag, readInterval} from '../../features/watch/flags.js'
import {openLimited} from '../../features/watch/timeLimitedSession.js'
import {watchRooms} from '../../features/watch/watchRooms.js'

export default class RoomWatch extends RoomctlCommand {
  static override summary = 'Watch rooms and print changes'
  static override description =
    `Reads the rooms again and again (room §2, §3) and writes a line for each difference: a room appeared or went, its
state or another field changed, somebody joined, left, was added or removed, the host changed. It joins no room, and what
begins and ends between two looks is not seen. The presenter is told where the service sends the room's metadata.
Without ROOM all rooms of the list are watched, or from then on those that match --where, their people while they are in a meeting: who is added to or removed from
another is seen once its row in the list changes. -o ndjson writes one object a line: each event happened
not before \`after\` and not after \`at\`.
Outages are waited for, and the event gap says since when nothing was seen. --timeout limits the whole watch here: each call keeps
the time that the profile or ROOMCTL_TIMEOUT gives it. With --until the watch ends with 0 once the expression is true for all
watched rooms, and with 12 when --timeout runs out first. A watch that ends while the service cannot be seen ends with 9, and with
10 when it never saw it. --budget reads the list first, then rooms whose row changed, then those in a meeting, the longest unread
first; nothing is retried then but by the next look.`
  static override baseFlags = {
    ...serviceFlags,
    timeout: Flags.string({helpValue: '10m', summary: 'stop watching after this time'}),
  }
  static override args = {
    room: Args.string({
      name: 'ROOM',
      description: 'room ids (default: all rooms)',
      multiple: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    interval: intervalFlag,
    where: roomFilterFlags.where,
    until: Flags.string({helpValue: 'EXPR', summary: 'stop once all watched rooms match the expression'}),
    initial: Flags.boolean({summary: 'print the current rooms first'}),
    budget: Flags.string({
      helpValue: 'N/s',
      exclusive: ['retries'],
      summary: 'at most N calls per second (/m: minute, /h: hour)',
    }),
  }
  static override examples = [
    {
      description: 'Who joins and leaves a room, for one second',
      command: '<%= config.bin %> room watch r-standup --interval 1s --timeout 1s',
    },
    {
      description: 'Wait up to half an hour for a meeting to start',
      command: "<%= config.bin %> room watch r-standup --until 'status=MEETING and present>0' --timeout 30m",
    },
    {
      description: 'All changes of test rooms, for a program',
      command: "<%= config.bin %> room watch --where 'name~^test' --initial -o ndjson --timeout 1s",
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RoomWatch)
    // A call that is repeated would exceed the budget, and the next look repeats it anyway.
    const limited = await openLimited(this.config, flags.budget === undefined ? flags : {...flags, retries: '0'})
    checkWatchOutput(limited.session)
    const ids = [...new Set((args.room ?? []).map((id) => requireId('ROOM', id)))]
    if (ids.length > 0 && flags.where !== undefined) {
      throw new Failure({exit: 'usage', message: 'ROOM and --where cannot be given together'})
    }
    const {tz} = limited.session.resolved.values
    await watchRooms(limited, {
      ids,
      where: await readSelector(flags.where, tz),
      until: await readSelector(flags.until, tz),
      intervalMs: readInterval(flags.interval),
      initial: flags.initial,
      budget: flags.budget === undefined ? undefined : readCallBudget(limited.session.runtime, flags.budget),
    })
  }
}
