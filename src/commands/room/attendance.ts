import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, repeatableFlag, rowFlags, severalArg, timeFlags, valueFlag} from '../../cli/flags/flags.js'
import {parsePastFlag} from '../../cli/flags/parsePastFlag.js'
import {isForPeople, presentList, presentLong} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {Attendance} from '../../features/watch/attendance.js'
import {TimeAxis} from '../../features/watch/presenceCells.js'
import {readRecording} from '../../features/watch/recording.js'
import {counted, noStyle} from '../../text/text.js'
import {attendanceList} from '../../view/room/attendance.js'
import {drawTimeline, leastTimelineColumns, type TimelineRow} from '../../view/room/timeline.js'

export default class RoomAttendance extends LocalCommand {
  static override summary = 'Show who was in which room, and for how long'
  static override readsMany = true
  static override rows = attendanceList
  static override description =
    `Reads recordings of room watch --initial -o ndjson, in any order, and calls no service. Polling does not see the moment when
somebody enters or leaves, so the minutes lie between least and most; a return within one interval is not seen. Time that nobody
watched, because the watch was restarted or slept, its clock was set, or the service was out of reach, is shown as unseen and is not in
least; a session across it is one. For a session that is open at either end of the recording, most is unknown (null). Somebody who
leaves and returns has another session. Recordings that overlap narrow the bounds. --since and --until cut sessions. --threshold keeps
users whose least is that share of the time that the room was MEETING. On a terminal with colour, shows a timeline.`
  static override args = {file: severalArg('FILE', 'recordings; - is stdin')}
  static override flags = {
    ...rowFlags,
    ...timeFlags,
    room: repeatableFlag('ROOM', 'only this room; repeatable'),
    user: repeatableFlag('USER', 'only this user; repeatable'),
    since: valueFlag('TIME', 'count from this time: 2h (ago), 2026-12-01T09:00+09:00'),
    until: valueFlag('TIME', 'count up to this time'),
    threshold: valueFlag('85%', 'only users who were there for this share of the meeting'),
  }
  static override examples = commandExamples({
    'Who was in a room, from a recording': 'roomctl room attendance events.ndjson --room r-standup',
    'Who attended most of it, for a spreadsheet':
      'roomctl room attendance events.ndjson --room r-standup --threshold 85% -o csv',
    'The last two hours, of several recordings': 'roomctl room attendance events.ndjson events.ndjson.1 --since 2h',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RoomAttendance)
    const session = await this.open(flags)
    const {since, until} = flags
    const files = args.file ?? []
    if (files.length === 0) {
      throw wrongUsage('room attendance needs the recording of a watch', {
        why: 'the service keeps no history of who was in a room; a watch records it from now on',
        try: 'roomctl room watch --initial -o ndjson >> events.ndjson',
      })
    }
    const span = {
      since: since === undefined ? Number.NEGATIVE_INFINITY : parsePastFlag(session, '--since', since),
      until: until === undefined ? Number.POSITIVE_INFINITY : parsePastFlag(session, '--until', until),
    }
    const choice = {
      rooms: flags.room && new Set(flags.room),
      users: flags.user && new Set(flags.user),
      threshold: flags.threshold === undefined ? undefined : shareOf(flags.threshold),
    }
    let axis: TimeAxis | undefined
    let count = () => 0
    const read = () =>
      readRecording(session.runtime, files, (repeated) => {
        axis = drawsTimeline(session) ? new TimeAxis() : undefined
        const reader = new Attendance({...span, ...choice, repeated, axis})
        count = () => reader.events
        return reader
      })
    const {reader: attendance, cut, setBack} = await session.waiting.during(() => `reading events: ${count()}`, read)
    if (cut.lines > 0) {
      session.warn(`note: ${counted(cut.lines, 'line')} cut by a kill skipped, the first at ${cut.first}`)
    }
    if (setBack !== undefined)
      session.warn(`warning: the clock was set back at ${setBack}: repeated times count as unseen`)
    if (axis) await presentTimeline(session, attendance.timeline(), axis)
    else await presentList(session, attendance.rows(), attendanceList)
  }
}

/** Whether to draw a timeline: two tones need colour, and requested columns need a table. */
function drawsTimeline(session: Session): boolean {
  const {style, columns = 0} = session.view
  return (
    isForPeople(session) && session.runtime.stdout.isTerminal && style !== noStyle && columns >= leastTimelineColumns
  )
}

async function presentTimeline(session: Session, rows: readonly TimelineRow[], axis: TimeAxis): Promise<void> {
  if (rows.length === 0) return presentList(session, rows, attendanceList)
  await presentLong(session, `${drawTimeline(rows, {...axis, from: axis.from ?? 0}, session.view)}\n`)
}

/** Throws Failure (usage). */
function shareOf(text: string): number {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%$/u.exec(text)?.[1])
  if (percent > 0 && percent <= 100) return percent / 100
  throw wrongUsage(`--threshold takes a percentage, not ${text}`, {try: '--threshold 85%'})
}
