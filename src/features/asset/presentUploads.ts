import type {Exit} from '../../api/contract/failure.js'
import type {ProgressKind} from '../../cli/flags/flags.js'
import {failureWarning} from '../../cli/output/failures.js'
import {afterChange} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {fileSize, nanoseconds} from '../../text/bytes.js'
import {counted, shellWord} from '../../text/text.js'
import {percentOf, type ReachedBytes, type Uploaded} from '../../upload/run/uploadAll.js'
import {type UploadRow, uploadRows} from '../../view/asset/transfers.js'
import type {ListView} from '../../view/format/columns.js'
import {failureCodes} from '../../view/format/outcome.js'
import {endByRows, presentResults} from '../bulk/present.js'
import {type UploadReport, uploadRow} from './uploadReport.js'

export interface UploadsFacts {
  readonly startedAt: Date
  readonly progress: ProgressKind
  readonly report: UploadReport
  /** The command line that uploads what is left of the files of these keys. */
  readonly again: (keys: readonly string[]) => string
  /** What the files are in a sync, by their keys. */
  readonly roles?: ReadonlyMap<string, string>
  readonly view?: ListView<UploadRow>
}

/**
 * Presents one result for each file and a summary, and ends the command: 0, 11, or the exit of the signal. Raises the Failure of a
 * single file.
 */
export async function presentUploads(
  session: Session,
  outcomes: readonly Uploaded[],
  facts: UploadsFacts,
): Promise<void> {
  const rows = outcomes.map((one) => uploadRow(session, one, facts.roles?.get(one.job.key)))
  const ms = session.runtime.now().getTime() - facts.startedAt.getTime()
  const ended = {...facts, ms, codes: failureCodes(rows), kept: keptOf(outcomes)}
  const failures = new Map(
    outcomes.flatMap((one) => (one.outcome === 'failed' ? [[one.job.key, one.failure] as const] : [])),
  )
  const unwritten = await facts.report.finish(rows, failures, summary(countsOf(outcomes), ended))
  const [only] = outcomes
  if (outcomes.length === 1 && only?.outcome === 'failed') {
    if (unwritten) session.warn(failureWarning(session, unwritten))
    throw only.failure
  }
  // What failed may yet have a uuid: every byte was sent, and is not what it should be.
  const isUndone = ({outcome, uuid}: UploadRow) => !(outcome === 'done' || (outcome === 'skipped' && uuid !== null))
  const shown = endByRows(session, rows, isUndone)
  await afterChange(() => presentResults(session, shown, facts.view ?? uploadRows, isUndone))
  sayHowItWent(session, outcomes, ended)
  if (unwritten) throw unwritten
}

function sayHowItWent(session: Session, outcomes: readonly Uploaded[], facts: UploadsFacts & RunEnd): void {
  const {warn, progress} = session
  const counts = countsOf(outcomes)
  if (facts.progress === 'json') progress(JSON.stringify({event: 'finished', ...counts, ms: facts.ms}))
  else warn(summary(counts, facts))
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
    /** Not tried, or interrupted. */
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
  const {
    done,
    failed,
    not_finished: unfinished,
    already_there: there,
    not_verified: unseen,
    bytes,
    sent_again: again,
  } = counts
  const rate = ms > 0 && bytes > 0 ? ` (${fileSize(Math.round((bytes * 1000) / ms))}/s)` : ''
  const uploaded = done > 0 ? `uploaded ${counted(done, 'file')}, ${fileSize(bytes)}` : undefined
  const keptPart = kept === undefined ? undefined : `kept ${kept}`
  return [
    `${uploaded ?? keptPart ?? 'nothing uploaded'} in ${nanoseconds(ms * 1e6)}${rate}`,
    ...(again > 0 ? [`${fileSize(again)} sent again`] : []),
    ...(there > 0 ? [`${there} already there`] : []),
    ...(failed > 0 ? [`${failed} failed${codes}`] : []),
    ...(unfinished > 0 ? [`${unfinished} not finished`] : []),
    ...(unseen > 0 ? [`${unseen} not verified`] : []),
    ...(uploaded && keptPart ? [keptPart] : []),
  ].join(', ')
}

/** A word of a command line as the parser read it: an argument, or a flag with its value. */
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
