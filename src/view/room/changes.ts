import type {RunItem} from '../../selection/run.js'
import {type Style, safeText, tally} from '../../text/text.js'
import {nanoseconds, withTimes} from '../../text/time.js'
import {fitTo} from '../../text/width.js'
import {barGap, barText, leastBarColumns, longestBar} from '../format/bar.js'
import type {ListView, ViewContext} from '../format/columns.js'
import {errorCodeColumn, errorColumn, failureCodes, outcomeColumn, outcomeWords} from '../format/outcome.js'

export interface ChangeResult extends RunItem {
  readonly room_id: string
  /** The requester; null if nothing was sent. */
  readonly requester_id: string | null
  /** The users of the change, if any. */
  readonly attendees?: readonly string[]
}

export const changeResults: ListView<ChangeResult> = {
  id: ({room_id: id}) => id,
  empty: 'nothing to change',
  columns: [
    {name: 'room_id', label: 'id', id: true},
    outcomeColumn,
    {name: 'requester_id', label: 'as'},
    errorCodeColumn,
    errorColumn,
  ],
}

export interface BulkSnapshot {
  readonly targets: number
  readonly active: number
  readonly done: number
  readonly failed: number
  readonly skipped: number
  readonly not_tried: number
  readonly ms: number
}

/** A run on a terminal: a bar, and counts below it. The last column stays free, so that no terminal wraps. */
export function drawBulk(run: BulkSnapshot, columns: number, style: Style): string[] {
  const width = columns - 1
  const pace = fitTo(describePace(run), width).trimEnd()
  if (columns < leastBarColumns) return [pace]
  const count = `${settled(run)} of ${run.targets}`
  const bar = Math.min(longestBar + 2, width - count.length - barGap.length)
  return [`${barText(shareOf(run), 0, bar, style)}${barGap}${count}`, style.dim(pace)]
}

export function bulkLine(run: BulkSnapshot): string {
  return `${settled(run)} of ${run.targets}: ${describePace(run)}`
}

export function bulkJson(run: BulkSnapshot): object {
  const {ms: _, ...counts} = run
  return {...counts, rate: Math.round(rateOf(run) * 10) / 10, seconds_left: secondsLeft(run) ?? null}
}

/** The outcome of all targets, in one line: `37 ended, 3 failed (ER001), 1 not started in 4.2 s`. */
export function bulkSummary({done, failed, ms}: BulkSnapshot, past: string, rows: readonly RunItem[]): string {
  const others = rows.filter(({outcome}) => outcome === 'skipped' || outcome === 'not-tried').map(outcomeWords)
  const counts = [`${done} ${past}`, ...(failed > 0 ? [`${failed} failed${failureCodes(rows)}`] : []), ...tally(others)]
  return `${counts.join(', ')} in ${elapsed(ms)}`
}

function describePace(run: BulkSnapshot): string {
  const {done, failed, skipped, not_tried: untried, active} = run
  const left = secondsLeft(run)
  return [
    `${done} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(untried > 0 ? [`${untried} not started`] : []),
    `${active} under way`,
    ...(rateOf(run) > 0 ? [`${rateOf(run).toFixed(1)}/s`] : []),
    ...(left === undefined || left === 0 ? [] : [`${nanoseconds(left * 1e9)} left`]),
  ].join(', ')
}

function settled({done, failed, skipped, not_tried: untried}: BulkSnapshot): number {
  return done + failed + skipped + untried
}

export function shareOf(run: BulkSnapshot): number {
  return settled(run) / Math.max(1, run.targets)
}

/** Targets per second, without skipped ones. */
function rateOf({done, failed, ms}: BulkSnapshot): number {
  return ms > 0 ? ((done + failed) * 1000) / ms : 0
}

function secondsLeft(run: BulkSnapshot): number | undefined {
  const rate = rateOf(run)
  return rate > 0 ? Math.ceil((run.targets - settled(run)) / rate) : undefined
}

/** Tenths of a second below a minute, in which most runs end. */
function elapsed(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : nanoseconds(ms * 1e6)
}

/** One line of a watch: time, room, event. The time is RFC 3339 of the watcher's own clock. */
export function watchLine(at: string, roomId: string, words: string, {style, time}: ViewContext): string {
  return `${style.dim(time(at))}  ${safeText(roomId)}  ${safeText(withTimes(words, time))}\n`
}
