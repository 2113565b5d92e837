import {existsSync} from 'node:fs'
import type {ProgressKind} from '../../cli/flags/flags.js'
import {failureWarning} from '../../cli/output/failures.js'
import type {Session} from '../../cli/session/session.js'
import {type Exit, withFacts, wrongUsage} from '../../failure.js'
import {counted, fileSize, shellWord} from '../../text/text.js'
import {nanoseconds} from '../../text/time.js'
import {percentOf, type ReachedBytes, type Uploaded} from '../../upload/run/uploadAll.js'
import type {UploadRow} from '../../view/asset/transfers.js'
import type {ListView} from '../../view/format/columns.js'
import {failureCodes} from '../../view/format/outcome.js'
import {presentRun} from '../bulk/present.js'
import type {UploadReport} from './uploadReport.js'

export interface UploadsFacts<Row extends UploadRow = UploadRow> {
  readonly startedAt: Date
  readonly progress: ProgressKind
  readonly report: UploadReport
  /** The command line that uploads the files that are left. */
  readonly again: string
  readonly view: ListView<Row>
  readonly rows: readonly Row[]
}

/** Outcomes of files that the service has no resource of. */
export function leftOf(outcomes: readonly Uploaded[]): string[] {
  return outcomes.filter(({result}) => !result).map(({job}) => job.key)
}

/**
 * Presents one result for each file and a summary, and ends the command: 0, 11, or the exit of the signal. Throws the Failure of a
 * single file.
 */
export async function presentUploads<Row extends UploadRow>(
  session: Session,
  outcomes: readonly Uploaded[],
  {startedAt, progress, report, again, view, rows}: UploadsFacts<Row>,
): Promise<void> {
  const ms = session.runtime.now().getTime() - startedAt.getTime()
  const kept = keptOf(outcomes)
  const counts = countsOf(outcomes)
  const sum = summary(counts, {ms, codes: failureCodes(rows), kept})
  const failures = new Map(
    outcomes.flatMap((one) => (one.outcome === 'failed' ? [[one.job.key, one.failure] as const] : [])),
  )
  const unwritten = await report.finish(rows, failures, sum)
  const [only] = outcomes
  if (outcomes.length === 1 && only?.outcome === 'failed') {
    if (unwritten) session.warn(failureWarning(session, unwritten))
    if (kept === undefined) throw only.failure
    throw withFacts(only.failure, ({why}) => ({why: `${why === undefined ? '' : `${why}; `}kept ${kept}`}))
  }
  const isNothing = counts.already_there === outcomes.length
  await presentRun(session, {
    ...{rows, view, isExplained: report.hasAnnotations},
    // A failed file may have a uuid: all bytes were sent, and differ.
    isUndone: ({outcome, uuid}) => !(outcome === 'done' || (outcome === 'skipped' && uuid !== null)),
    finished: progress === 'json' ? {...counts, ms} : undefined,
    sum: !isNothing || session.output.format === 'table' ? sum : undefined,
    rest: leftOf(outcomes).length > 0 ? `to resume the rest: ${again}` : undefined,
  })
  if (unwritten) throw unwritten
}

interface RunEnd {
  readonly ms: number
  /** The codes of what failed, in brackets, behind its number. */
  readonly codes: string
  /** The progress of incomplete files: `31 % of 12 MiB`. */
  readonly kept: string | undefined
}

/** The failure of a file that can be resumed. */
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
    ...(counts.already_there > 0 ? [`${counts.already_there} unchanged`] : []),
    ...(failed > 0 ? [`${failed} failed${codes}`] : []),
    ...(counts.not_finished > 0 ? [`${counts.not_finished} not finished`] : []),
    ...(counts.not_verified > 0 ? [`${counts.not_verified} not verified`] : []),
    ...(uploaded && keptPart ? [keptPart] : []),
  ].join(', ')
}

export type ParsedWord =
  | {readonly type: 'arg'; readonly input: string}
  | {readonly type: 'flag'; readonly flag: string; readonly input: string}

/** Above this many files the line would be too long to read. */
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

/** @throws Failure (usage) if the container that was typed is a file or folder here, and the last of the others is not there */
export function assertContainerFirst(command: string, typed: readonly ParsedWord[]): void {
  const [first = '', ...others] = typed.flatMap((word) => (word.type === 'arg' ? [word.input] : []))
  const last = others.at(-1)
  if (last === undefined || last === '-' || !existsSync(first) || existsSync(last)) return
  throw wrongUsage(`no such file: ${last}`, {
    why: `${first} is one, but CONTAINER comes first`,
    try: `if they are swapped: ${retryCommand(command, typed.toReversed(), others.with(-1, first))}`,
  })
}

/** A flag without a value, as typed: `--json`, `--no-sha256`, `-q`. */
function flagWords({flag, input}: {readonly flag: string; readonly input: string}): string[] {
  return input === `--${flag}` || input === `--no-${flag}` || /^-\w$/u.test(input)
    ? [input]
    : [`--${flag}`, shellWord(input)]
}
