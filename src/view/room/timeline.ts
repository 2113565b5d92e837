import {grouped, safeText} from '../../text/text.js'
import {utcSecond} from '../../text/time.js'
import {displayWidth, fitTo} from '../../text/width.js'
import type {ViewContext} from '../format/columns.js'
import {type AttendanceRow, minutesText} from './attendance.js'

/** Milliseconds of presence in each cell of a time axis. */
export interface PresenceRow {
  readonly certain: ArrayLike<number>
  readonly possible: ArrayLike<number>
}

/** A time axis from `from` to `to` in milliseconds since 1970, in cells of one length. */
interface Axis {
  readonly from: number
  readonly to: number
  readonly cellMs: number
}

export type TimelineRow = AttendanceRow & {readonly cells: PresenceRow}

/** Below this many columns a table says more. */
export const leastTimelineColumns = 40

const longestName = 20
const gap = '  '

/** A row for each user of each room: certain and possible presence, and minutes. Load the widths first. */
export function drawTimeline(rows: readonly TimelineRow[], axis: Axis, context: ViewContext): string {
  const {style, columns = 80, shortTime, time} = context
  const width = columns - 1
  const minutes = rows.map((row) => `${minutesText(row.minutes_least)}–${minutesText(row.minutes_most)}`)
  const last = Math.max('MINUTES'.length, ...minutes.map((text) => text.length))
  const names = rows.map(({user_id: user}) => displayWidth(safeText(user)))
  const first = Math.min(longestName, Math.max('USER'.length, ...names))
  const bar = Math.max(1, width - first - last - 2 * gap.length)
  const [begin, end] = [axis.from, axis.to].map((ms) => (shortTime ?? time)(utcSecond(ms)))
  const scale = `${begin}${' '.repeat(Math.max(1, bar - displayWidth(`${begin}${end}`)))}${end}`
  const heading = `${fitTo('USER', first)}${gap}${fitTo(scale, bar)}${gap}${'MINUTES'.padStart(last)}`
  const line = (row: TimelineRow) => {
    const text = minutes[rows.indexOf(row)] ?? ''
    return `${fitTo(safeText(row.user_id), first)}${gap}${paint(row.cells, axis, bar, style)}${gap}${text.padStart(last)}`
  }
  const parts = Array.from(
    grouped(rows, (row) => row.room_id),
    ([room, people]) => [fitTo(safeText(room), width).trimEnd(), style.bold(heading), ...people.map(line)].join('\n'),
  )
  return [...parts, `${style.green(certain)} certain${gap}${style.yellow(possible)} possible`].join('\n\n')
}

const [certain, possible] = ['█', '░']

/** A column is certain if most of it is, and never empty if the user may have been present. */
function paint(
  {certain: sure, possible: unsure}: PresenceRow,
  axis: Axis,
  width: number,
  style: ViewContext['style'],
): string {
  const columnMs = Math.max(1, (axis.to - axis.from) / width)
  const signs = Array.from({length: width}, (_, at) => {
    const [from, to] = [(at * columnMs) / axis.cellMs, ((at + 1) * columnMs) / axis.cellMs]
    const ms = part(sure, from, to)
    if (2 * ms >= columnMs) return certain
    return ms + part(unsure, from, to) > 0 ? possible : ' '
  }).join('')
  return signs.replaceAll(/█+/gu, (text) => style.green(text)).replaceAll(/░+/gu, (text) => style.yellow(text))
}

/** The sum of cells; the first and the last may be partial. */
function part(cells: ArrayLike<number>, from: number, to: number): number {
  let sum = 0
  for (let cell = Math.floor(from); cell < to; cell += 1) {
    sum += (cells[cell] ?? 0) * (Math.min(to, cell + 1) - Math.max(from, cell))
  }
  return sum
}
