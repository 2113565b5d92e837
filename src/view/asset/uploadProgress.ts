import {failureJson} from '../../failure.js'
import {counted, fileSize, type Style, safeText} from '../../text/text.js'
import {nanoseconds} from '../../text/time.js'
import {cutMiddle, fitTo, pad} from '../../text/width.js'
import type {UploadEvent} from '../../upload/model/job.js'
import type {FileSnapshot, ProgressSnapshot} from '../../upload/run/progress.js'
import {barGap, barText, leastBarColumns, longestBar} from '../format/bar.js'

/** More bars than this are not read, and push everything else off the screen. */
const mostBars = 8
const longestName = 40
const shortestBar = 8
/** `1023.9 MiB of 1.0 GiB` */
const sizesWidth = 22
const percentWidth = 4

/**
 * The lines of a run on a terminal: a bar for each of at most eight slow files and one for all, `=` for acknowledged and
 * `-` for sent bytes, with rate, time left and counts below; on a terminal of less than 40 columns one line of numbers. The last column stays free, so that no terminal
 * wraps. Bars are of ASCII: the block characters are one column wide on some terminals and two on others.
 */
export function drawUploads(run: ProgressSnapshot, columns: number, style: Style): string[] {
  const width = columns - 1
  if (columns < leastBarColumns) return [fitTo([percent(run.work), describeSpeed(run)].join(barGap), width).trimEnd()]
  const grid = gridOf(width)
  const long = run.active.filter(({isLong}) => isLong)
  const shown = long.slice(0, mostBars)
  const more = long.length - shown.length
  return [
    ...shown.map((file) => fileLine(file, grid, style)),
    ...(more > 0 ? [`and ${more} more`] : []),
    barLine('total', run.work, grid, style, run),
    style.dim(fitTo(describePace(run), width).trimEnd()),
  ]
}

export function uploadLine(run: ProgressSnapshot): string {
  return `${percent(run.work)}, ${sizes(run)}, ${describePace(run)}`
}

export function uploadShare(run: ProgressSnapshot): number {
  return share(run.work.sent, run.work)
}

export function uploadJson({active, secondsLeft, rate, stalled, work: _, ...counts}: ProgressSnapshot): object {
  const left = secondsLeft === undefined ? null : Math.ceil(secondsLeft)
  return {active: active.length, ...counts, rate: Math.round(rate), seconds_left: left, stalled}
}

interface Grid {
  readonly name: number
  /** 0: there is no room for one. */
  readonly bar: number
  readonly note: number
  readonly rest: number
}

function gridOf(width: number): Grid {
  const name = Math.min(longestName, Math.floor(width * 0.3))
  const rest = width - name - barGap.length
  const room = rest - percentWidth - 2 * barGap.length - sizesWidth
  const bar = room < shortestBar ? 0 : Math.min(longestBar, room)
  return {name, bar, rest, note: rest - percentWidth - barGap.length - (bar === 0 ? 0 : bar + barGap.length)}
}

function fileLine(file: FileSnapshot, grid: Grid, style: Style): string {
  if (file.state === 'sending') return barLine(file.name, file, grid, style)
  const why = file.state === 'stalled' ? 'nothing moves' : (file.why ?? '')
  const text = `${file.state} at ${percent(file)}: ${safeText(why)}`
  return `${label(file.name, grid.name)}${barGap}${style.yellow(fitTo(text, grid.rest).trimEnd())}`
}

/** `shown`: the sizes that stand after the bar of `part`. */
function barLine(name: string, part: Part, {name: nameWidth, bar, note}: Grid, style: Style, shown = part): string {
  const parts = [
    label(name, nameWidth),
    ...(bar === 0 ? [] : [barText(share(part.acked, part), share(part.sent, part), bar, style)]),
    pad(percent(part), percentWidth, true),
    fitTo(sizes(shown), note).trimEnd(),
  ]
  return parts.join(barGap)
}

/** Cut in the middle: files of one folder differ at the end of their paths. */
function label(name: string, width: number): string {
  return pad(cutMiddle(safeText(name), width), width)
}

type Part = Readonly<Record<'acked' | 'sent' | 'bytes', number>>

/** From 0 to 1; a file may grow while it is sent, and is then refused. */
function share(part: number, {bytes}: Part): number {
  return bytes === 0 ? 0 : Math.min(1, part / bytes)
}

/** The share that is sent. Rounded down, and 100% only if all is acknowledged. */
function percent(part: Part): string {
  const most = part.acked < part.bytes ? 99 : 100
  return `${Math.min(most, Math.floor(share(part.sent, part) * 100))}%`
}

function sizes({sent, bytes}: Part): string {
  return `${fileSize(sent)} of ${fileSize(bytes)}`
}

function describePace(run: ProgressSnapshot): string {
  const {done, files, failed} = run
  const counts = [`${done} of ${counted(files, 'file')} done`, ...(failed > 0 ? [`${failed} failed`] : [])]
  return [describeSpeed(run), ...counts].join(', ')
}

function describeSpeed({rate, secondsLeft, stalled, active}: ProgressSnapshot): string {
  if (stalled) return 'stalled'
  const [first] = active
  if (first?.why !== undefined && active.every(({state}) => state === 'waiting'))
    return `waiting: ${safeText(first.why)}`
  const speed = `${fileSize(Math.round(rate))}/s`
  const left = Math.ceil(secondsLeft ?? 0)
  return left === 0 ? speed : `${speed}, ${nanoseconds(left * 1e9)} left`
}

/** An event in a line of its own; undefined if the bars, the lines about all files or the results say enough. */
export function uploadEventText(event: UploadEvent): string | undefined {
  if (event.kind === 'warned') return `warning: ${event.text}`
  if (event.kind === 'waiting' && event.isSaid) return `${event.key} waits: ${event.why}`
  return event.kind === 'renewed' ? `warning: ${event.key} starts over: ${event.why}` : undefined
}

/** An event as one line of JSON for programs, in the names of the results; undefined for `sent`, which proves nothing. */
export function uploadEventJson(event: UploadEvent): string | undefined {
  const {kind} = event
  if (kind === 'sent') return undefined
  return JSON.stringify({
    event: kind,
    ...(kind === 'warned' ? {message: event.text} : {file: event.key, ...factsOf(event)}),
  })
}

function factsOf(event: Exclude<UploadEvent, {readonly kind: 'sent' | 'warned'}>): object {
  switch (event.kind) {
    case 'begun':
      return {bytes: event.size, resumed_from: event.from}
    case 'acked':
      return {acked: event.offset}
    case 'waiting':
      return {ms: Math.round(event.ms), why: event.why}
    case 'renewed':
      return {why: event.why}
    case 'done':
      return {uuid: event.result.uuid, sha256: event.result.sha256}
    case 'failed':
      return {error: failureJson(event.failure)}
  }
}
