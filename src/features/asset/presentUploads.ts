import type {ProgressKind} from '../../cli/flags/flags.js'
import {failureWarning} from '../../cli/output/failures.js'
import {afterChange, resolveProgressKind, startBars} from '../../cli/output/present.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {type Exit, failureJson, withFacts} from '../../failure.js'
import {counted, fileSize, safeText, shellWord} from '../../text/text.js'
import {nanoseconds} from '../../text/time.js'
import type {UploadEvent} from '../../upload/model/job.js'
import type {UploadProgress} from '../../upload/run/progress.js'
import {percentOf, type ReachedBytes, type Uploaded} from '../../upload/run/uploadAll.js'
import type {UploadRow} from '../../view/asset/transfers.js'
import {drawUploads, uploadLine} from '../../view/asset/uploadProgress.js'
import {failureCodes, type ListView} from '../../view/format/columns.js'
import {endByRows, presentResults} from '../bulk/present.js'
import type {CiLog} from './ciLog.js'
import {type UploadReport, uploadRow} from './uploadReport.js'

interface ProgressDisplay {
  show(event: UploadEvent): void
  close(): void
}

const checkMs = 1000
/** A log gets one line in this time or for this part of all bytes, whichever is rarer. */
const lineMs = 10_000
const linePart = 0.05

/**
 * Bars on a terminal that can move its cursor, lines elsewhere, JSON events, or lines of a CI log. A single file's failure is left
 * to the end.
 */
export async function showUploadProgress(
  session: Session,
  {progress: kind, ci}: {readonly progress: ProgressKind; readonly ci?: CiLog},
  progress: UploadProgress,
  files: number,
): Promise<ProgressDisplay> {
  const shown = resolveProgressKind(session, kind)
  if (shown === 'none') return {show: () => undefined, close: () => undefined}
  if (shown === 'json') return showJson(session, progress)
  if (ci?.options.hasLines) {
    ci.begin(files)
    return {show: (event) => ci.take(event), close: startLines(session, progress, (text) => ci.line(text))}
  }
  const showsFailures = files > 1 && !isMachineFormat(session.output.format)
  let isBegun = false
  // Nothing is drawn before the first file: until then a question may be asked.
  const draw = () =>
    isBegun ? drawUploads(progress.snapshot(), session.runtime.stderr.columns ?? 80, session.style) : []
  const close = shown === 'bar' ? await startBars(session, draw) : startLines(session, progress, session.progress)
  return {
    show: (event) => {
      isBegun = true
      const text = describeEvent(event)
      if (text !== undefined) session.progress(safeText(text))
      if (event.kind === 'failed' && showsFailures) session.progress(failureWarning(session, event.failure))
    },
    close,
  }
}

function startLines({runtime}: Session, progress: UploadProgress, writeLine: (line: string) => void): () => void {
  let at = runtime.now().getTime()
  let part = 0
  let stalled = false
  return runtime.every(checkMs, () => {
    const now = runtime.now().getTime()
    const snapshot = progress.snapshot()
    const done = snapshot.bytes === 0 ? 0 : snapshot.sent / snapshot.bytes
    const due = now - at >= lineMs && done - part >= linePart
    // That nothing moves any more is said at once, and only once.
    const stops = snapshot.stalled && !stalled
    stalled = snapshot.stalled
    if (!due && !stops) return
    writeLine(uploadLine(snapshot))
    at = now
    part = done
  })
}

function showJson({runtime, progress: writeLine}: Session, progress: UploadProgress): ProgressDisplay {
  const tick = () => {
    const {active, files, done, failed, bytes, acked, sent, rate, secondsLeft, stalled} = progress.snapshot()
    const left = secondsLeft === undefined ? null : Math.ceil(secondsLeft)
    const counts = {active: active.length, files, done, failed, bytes, acked, sent, rate: Math.round(rate)}
    writeLine(JSON.stringify({event: 'progress', ...counts, seconds_left: left, stalled}))
  }
  return {
    show: (event) => {
      const json = eventJson(event)
      if (json !== undefined) writeLine(JSON.stringify(json))
    },
    close: runtime.every(checkMs, tick),
  }
}

/** An event in a line of its own; undefined where the bars, the lines about all files or its failure say enough. */
function describeEvent(event: UploadEvent): string | undefined {
  if (event.kind === 'warned') return `warning: ${event.text}`
  if (event.kind === 'waiting' && event.isSaid) return `${event.key} waits: ${event.why}`
  return event.kind === 'renewed' ? `${event.key} starts over: ${event.why}` : undefined
}

/** An event as one object for programs, in the names of the results; undefined for `sent`, of which there are too many and which proves nothing. */
function eventJson(event: UploadEvent): object | undefined {
  switch (event.kind) {
    case 'sent':
      return undefined
    case 'warned':
      return {event: 'warned', message: event.text}
    case 'begun':
      return {event: 'begun', file: event.key, bytes: event.size, resumed_from: event.from}
    case 'acked':
      return {event: 'acked', file: event.key, acked: event.offset}
    case 'waiting':
      return {event: 'waiting', file: event.key, ms: Math.round(event.ms), why: event.why}
    case 'renewed':
      return {event: 'renewed', file: event.key, why: event.why}
    case 'done':
      return {event: 'done', file: event.key, uuid: event.result.uuid, sha256: event.result.sha256}
    case 'failed':
      return {event: 'failed', file: event.key, error: failureJson(event.failure)}
  }
}

export interface UploadsFacts<Row extends UploadRow = UploadRow> {
  readonly startedAt: Date
  readonly progress: ProgressKind
  readonly report: UploadReport
  /** The command line that uploads what is left of the files of these keys. */
  readonly again: (keys: readonly string[]) => string
  readonly view: ListView<Row>
  readonly rowOf: (row: UploadRow) => Row
}

/**
 * Presents one result for each file and a summary, and ends the command: 0, 11, or the exit of the signal. Raises the Failure of a
 * single file.
 */
export async function presentUploads<Row extends UploadRow>(
  session: Session,
  outcomes: readonly Uploaded[],
  facts: UploadsFacts<Row>,
): Promise<void> {
  const rows = outcomes.map((one) => facts.rowOf(uploadRow(session, one)))
  const ms = session.runtime.now().getTime() - facts.startedAt.getTime()
  const ended = {...facts, ms, codes: failureCodes(rows), kept: keptOf(outcomes)}
  const failures = new Map(
    outcomes.flatMap((one) => (one.outcome === 'failed' ? [[one.job.key, one.failure] as const] : [])),
  )
  const unwritten = await facts.report.finish(rows, failures, summary(countsOf(outcomes), ended))
  const [only] = outcomes
  if (outcomes.length === 1 && only?.outcome === 'failed') {
    if (unwritten) session.warn(failureWarning(session, unwritten))
    const {kept} = ended
    if (kept === undefined) throw only.failure
    throw withFacts(only.failure, ({why}) => ({why: `${why === undefined ? '' : `${why}; `}kept ${kept}`}))
  }
  // What failed may yet have a uuid: every byte was sent, and is not what it should be.
  const isUndone = ({outcome, uuid}: UploadRow) => !(outcome === 'done' || (outcome === 'skipped' && uuid !== null))
  const shown = endByRows(session, rows, isUndone)
  await afterChange(() => presentResults(session, shown, facts.view, isUndone))
  sayHowItWent(session, outcomes, ended)
  if (unwritten) throw unwritten
}

function sayHowItWent(
  session: Session,
  outcomes: readonly Uploaded[],
  facts: Pick<UploadsFacts, 'again' | 'progress'> & RunEnd,
): void {
  const {warn, progress} = session
  const counts = countsOf(outcomes)
  const isNothing = counts.already_there === outcomes.length
  if (facts.progress === 'json') progress(JSON.stringify({event: 'finished', ...counts, ms: facts.ms}))
  else if (!isNothing || session.output.format === 'table') warn(summary(counts, facts))
  const rest = outcomes.filter(({result}) => !result).map(({job}) => job.key)
  if (rest.length > 0) warn(`to resume the rest: ${facts.again(rest)}`)
}

interface RunEnd {
  readonly ms: number
  /** The codes of what failed, in brackets, behind its number. */
  readonly codes: string
  /** What the service has of files that are not whole: `31 % of 12 MiB`. */
  readonly kept: string | undefined
}

/** How a file fails of which the service keeps what it has. */
const cut = new Set<Exit>(['network', 'temporary', 'interrupted'])

function keptOf(outcomes: readonly Uploaded[]): string | undefined {
  const isKept = (one: Uploaded) => one.outcome !== 'failed' || cut.has(one.failure.facts.exit)
  const parts = outcomes.filter(isKept).flatMap(({reached}) => (reached && reached.acked > 0 ? [reached] : []))
  const sum = (of: keyof ReachedBytes) => parts.reduce((total, part) => total + part[of], 0)
  const whole = {acked: sum('acked'), bytes: sum('bytes')}
  return parts.length === 0 ? undefined : `${percentOf(whole)} % of ${fileSize(whole.bytes)}`
}

type Counts = ReturnType<typeof countsOf>

function countsOf(outcomes: readonly Uploaded[]) {
  const of = (outcome: Uploaded['outcome']) => outcomes.filter((one) => one.outcome === outcome)
  const there = of('skipped').filter(({result}) => result).length
  const results = of('done').flatMap(({result}) => result ?? [])
  const sent = results.reduce((sum, {sentBytes}) => sum + sentBytes, 0)
  const bytes = results.reduce((sum, one) => sum + one.bytes - (one.resumedFrom ?? 0), 0)
  return {
    done: of('done').length,
    failed: of('failed').length,
    not_finished: of('skipped').length + of('not-tried').length - there,
    already_there: there,
    /** Sent whole, and not looked at as the run was interrupted. */
    not_verified: outcomes.filter((one) => one.outcome === 'done' && one.reason !== undefined).length,
    /** Bytes of files that this run brought to the service, those that went over the wire, and of these those sent again. */
    bytes,
    sent,
    sent_again: Math.max(0, sent - bytes),
  }
}

function summary(counts: Counts, {ms, codes, kept}: RunEnd): string {
  const {done, failed, bytes} = counts
  const rate = ms > 0 && bytes > 0 ? ` (${fileSize(Math.round((bytes * 1000) / ms))}/s)` : ''
  const uploaded = done > 0 ? `uploaded ${counted(done, 'file')}, ${fileSize(bytes)}` : undefined
  const keptPart = kept === undefined ? undefined : `kept ${kept}`
  return [
    `${uploaded ?? keptPart ?? 'nothing uploaded'} in ${nanoseconds(ms * 1e6)}${rate}`,
    ...(counts.sent_again > 0 ? [`${fileSize(counts.sent_again)} sent again`] : []),
    ...(counts.already_there > 0 ? [`${counts.already_there} already there`] : []),
    ...(failed > 0 ? [`${failed} failed${codes}`] : []),
    ...(counts.not_finished > 0 ? [`${counts.not_finished} not finished`] : []),
    ...(counts.not_verified > 0 ? [`${counts.not_verified} not verified`] : []),
    ...(uploaded && keptPart ? [keptPart] : []),
  ].join(', ')
}

export type ParsedWord =
  | {readonly type: 'arg'; readonly input: string}
  | {readonly type: 'flag'; readonly flag: string; readonly input: string}

/** More files than this make a line that nobody reads. */
const mostFiles = 20

/** The command line for the rest of a run: as typed, with the files that are `left`, and without `--fresh`, which would start over. */
export function retryCommand(command: string, words: readonly ParsedWord[], left: readonly string[]): string {
  if (left.length > mostFiles) return `the same command with the ${left.length} files that are not done`
  const given = words.flatMap((word) => (word.type === 'arg' ? [word.input] : []))
  const args = [...given.slice(0, 1), ...given.slice(1).filter((input) => left.includes(input))].map(shellWord)
  const flags = words.flatMap((word) => (word.type === 'flag' && word.flag !== 'fresh' ? flagWords(word) : []))
  const dashed = args.some((word) => word.startsWith('-'))
  return ['roomctl', command, ...(dashed ? [...flags, '--', ...args] : [...args, ...flags])].join(' ')
}

/** A flag without a value comes as it was typed: `--json`, `--no-sha256`, `-q`. */
function flagWords({flag, input}: {readonly flag: string; readonly input: string}): string[] {
  return input === `--${flag}` || input === `--no-${flag}` || /^-\w$/u.test(input)
    ? [input]
    : [`--${flag}`, shellWord(input)]
}
