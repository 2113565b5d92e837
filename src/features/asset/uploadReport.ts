import path from 'node:path'
import {toFailure} from '../../cli/errors/errorHandler.js'
import type {ProgressKind} from '../../cli/flags/flags.js'
import {errorJson, failureWarning, runItem} from '../../cli/output/failures.js'
import {isStdoutName, type OutputFile, outputFile} from '../../cli/output/outputFile.js'
import {resolveProgressKind, showProgress} from '../../cli/output/progress.js'
import type {Session} from '../../cli/session/session.js'
import {type Exit, Failure, withFacts} from '../../failure.js'
import {counted, fileSize, safeText} from '../../text/text.js'
import {nanoseconds} from '../../text/time.js'
import type {ListedFile, UploadEvent, UploadJob, UploadResult} from '../../upload/model/job.js'
import {UploadProgress} from '../../upload/run/progress.js'
import {percentOf, type ReachedBytes, type Uploaded} from '../../upload/run/uploadAll.js'
import {resultStart} from '../../upload/sync/scan.js'
import type {UploadRow} from '../../view/asset/transfers.js'
import {
  drawUploads,
  uploadEventJson,
  uploadEventText,
  uploadJson,
  uploadLine,
  uploadShare,
} from '../../view/asset/uploadProgress.js'
import type {ListView} from '../../view/format/columns.js'
import {failureCodes} from '../../view/format/outcome.js'
import {presentRun} from '../bulk/present.js'

const resultKind = {what: 'file of results', starts: [resultStart, /^\[\]\n$/u]}

interface ReportFlags {
  readonly fresh: boolean
  readonly result?: string | undefined
  readonly overwrite: boolean
  readonly progress: string
}

type ReportedFile = Pick<UploadJob, 'key'> & Partial<Pick<ListedFile, 'role'>>

/** Presents a run of uploads: progress on stderr, the outcome on stdout and in the file of results, also if it failed as a whole. */
export class UploadReport {
  readonly progress: UploadProgress
  readonly kind: ProgressKind
  readonly #result: OutputFile | undefined
  readonly #resumeAdvice: string
  #files: readonly ReportedFile[] = []
  #startedAt: Date | undefined
  #isFinished = false
  #stop = () => {}
  /** The keys of started files, and the results of finished ones. */
  readonly #begun = new Set<string>()
  readonly #ended = new Map<string, Uploaded>()

  /** Throws Failure (file) for a file of results that cannot be written. */
  constructor(
    private readonly session: Session,
    {result, overwrite, progress, fresh}: ReportFlags,
  ) {
    this.progress = new UploadProgress(session.runtime.now)
    // The parser lets only the words of the options through.
    this.kind = progress as ProgressKind
    const options = {flag: '--result', kind: resultKind, overwrite} as const
    this.#resumeAdvice = `to resume the rest, run the same command again${fresh ? ' without --fresh' : ''}`
    this.#result = result === undefined ? undefined : outputFile(session, result, options)
  }

  /** Reports the plan of the files. */
  expect(files: readonly ReportedFile[]): void {
    this.#files = files
  }

  start(): void {
    this.#startedAt = this.session.runtime.now()
  }

  /** Shows an event: a line above bars or in a log, or JSON. Failures are left to the results. */
  take(event: UploadEvent): void {
    if (event.kind === 'begun') this.#begun.add(event.key)
    this.progress.take(event)
    const shown = resolveProgressKind(this.session, this.kind)
    if (shown === 'none') return
    const text = shown === 'json' ? uploadEventJson(event) : uploadEventText(event)
    if (text !== undefined) this.session.progress(shown === 'json' ? text : safeText(text))
  }

  /** Starts drawing, once no question can follow. `sizes`: of the files that will be sent. */
  async draw(sizes: readonly number[]): Promise<void> {
    this.progress.add(sizes)
    if (sizes.length === 0) return
    const snapshot = () => this.progress.snapshot()
    const view = {
      bars: (columns: number) => drawUploads(snapshot(), columns, this.session.style),
      line: () => uploadLine(snapshot()),
      json: () => uploadJson(snapshot()),
      share: () => uploadShare(snapshot()),
      isStalled: () => snapshot().stalled,
    }
    this.#stop = await showProgress(this.session, this.kind, view)
  }

  stop(): void {
    this.#stop()
  }

  ended(uploaded: Uploaded): void {
    this.#ended.set(uploaded.job.key, uploaded)
  }

  /**
   * Presents one result for each file and a summary, and ends the command: 0, 11, or the exit of the signal. Throws the Failure of a
   * single file.
   */
  async present(outcomes: readonly Uploaded[], view: ListView<UploadRow>): Promise<void> {
    const {session} = this
    const ms = this.#startedAt ? session.runtime.now().getTime() - this.#startedAt.getTime() : 0
    const rows = this.#rowsOf(outcomes)
    const kept = this.#keptOf(outcomes)
    const counts = countsOf(outcomes)
    const sum = summary(counts, {ms, codes: failureCodes(rows), kept})
    const unwritten = await this.finish(rows)
    const [only] = outcomes
    if (outcomes.length === 1 && only?.outcome === 'failed') {
      if (unwritten) session.warn(failureWarning(session, unwritten))
      if (kept === undefined) throw only.failure
      throw withFacts(only.failure, ({why}) => ({why: `${why === undefined ? '' : `${why}; `}kept ${kept}`}))
    }
    const isNothing = counts.already_there === outcomes.length
    const hasLeft = outcomes.some(({result}) => !result)
    await presentRun(session, {
      rows,
      view,
      // A failed file may have a uuid: all bytes were sent, and differ.
      isUndone: ({outcome, uuid}) => !(outcome === 'done' || (outcome === 'skipped' && uuid !== null)),
      finished: this.kind === 'json' ? {...counts, ms} : undefined,
      sum: !isNothing || session.output.format === 'table' ? sum : undefined,
      rest: hasLeft ? this.#resumeAdvice : undefined,
    })
    if (unwritten) throw unwritten
  }

  /** Writes the file of results. Returns the Failure of one that cannot be written. */
  finish(rows: readonly UploadRow[]): Promise<Failure | undefined> {
    this.#isFinished = true
    return this.#writeResult(rows)
  }

  /** Waits for the whole run, and reports its failure before it throws it. */
  async whole<T>(run: Promise<T>): Promise<T> {
    try {
      return await run
    } catch (error) {
      if (!this.#isFinished) await this.#failed(toFailure(error))
      throw error
    }
  }

  /** The run failed as a whole, before, between or after its files. */
  async #failed(failure: Failure): Promise<void> {
    const rows = this.#rowsOf([...this.#ended.values()])
    const error = errorJson(this.session, failure)
    const ended = new Map(rows.map((row) => [row.file, row]))
    const all = this.#files.map(({key: file}): UploadRow => {
      const outcome = this.#begun.has(file) ? 'unknown' : 'not-tried'
      return ended.get(file) ?? {file, uuid: null, bytes: null, sha256: null, outcome, error}
    })
    const unwritten = await this.#writeResult(all)
    if (unwritten) this.session.warn(failureWarning(this.session, unwritten))
  }

  /** The outcomes as results show them, with the roles of a sync. */
  #rowsOf(outcomes: readonly Uploaded[]): UploadRow[] {
    const roles = new Map(this.#files.flatMap(({key, role}) => (role ? [[key, {role}]] : [])))
    return outcomes.map((upload) => {
      const {uuid = null, bytes = null, sha256 = null, resumedFrom: from} = upload.result ?? {}
      const {outcome, ...why} = runItem(this.session, upload)
      const resumed = from === undefined ? {} : {resumed_from: from}
      return {file: upload.job.key, ...roles.get(upload.job.key), uuid, bytes, sha256, outcome, ...resumed, ...why}
    })
  }

  /** How much of the files that can be resumed is kept: `31 % of 12 MiB`. */
  #keptOf(outcomes: readonly Uploaded[]): string | undefined {
    const isKept = (upload: Uploaded) =>
      !upload.result && (upload.outcome !== 'failed' || cut.has(upload.failure.facts.exit))
    const parts = outcomes.filter(isKept).flatMap(({job}) => this.progress.reached(job.key) ?? [])
    const sum = (of: keyof ReachedBytes) => parts.reduce((total, part) => total + (part.acked > 0 ? part[of] : 0), 0)
    const whole = {acked: sum('acked'), bytes: sum('bytes')}
    return whole.acked === 0 ? undefined : `${percentOf(whole)} % of ${fileSize(whole.bytes)}`
  }

  async #writeResult(rows: readonly UploadRow[]): Promise<Failure | undefined> {
    const own = rows.map(({file, uuid, sha256, bytes, outcome, error}) => {
      return {file, uuid, sha256, bytes, outcome, ...(error ? {error} : {})}
    })
    try {
      await this.#result?.write(`${JSON.stringify(own, null, 2)}\n`)
      return undefined
    } catch (error) {
      return new Failure({...toFailure(error).facts, outcome: 'applied'}, {cause: error})
    }
  }
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

type Counts = ReturnType<typeof countsOf>

function countsOf(outcomes: readonly Uploaded[]) {
  const of = (outcome: Uploaded['outcome']) => outcomes.filter((upload) => upload.outcome === outcome)
  const stored = of('skipped').filter(({result}) => result !== undefined)
  const there = stored.filter((ended) => 'proven_by' in ended).length
  const results = of('done').flatMap(({result}) => result ?? [])
  const sent = results.reduce((sum, {sentBytes}) => sum + sentBytes, 0)
  const own = ({bytes, resumedFrom = 0}: UploadResult) => bytes - resumedFrom
  const bytes = results.reduce((sum, result) => sum + own(result), 0)
  const again = results.reduce((sum, result) => sum + Math.max(0, result.sentBytes - own(result)), 0)
  return {
    done: of('done').length,
    failed: of('failed').length,
    not_finished: of('skipped').length + of('not-tried').length - stored.length,
    already_there: there,
    /** Sent or already there, but not verified since the run was interrupted. */
    not_verified: of('done').filter((ended) => 'reason' in ended).length + stored.length - there,
    /** Bytes of files that this run brought to the service, those that went over the wire, and of these those sent again. */
    bytes,
    sent,
    sent_again: again,
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

export function reportedFiles({result}: {readonly result?: string | undefined}): string[] {
  return result === undefined || isStdoutName(result) ? [] : [path.resolve(result)]
}
