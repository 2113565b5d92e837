import {appendFileSync, statSync} from 'node:fs'
import path from 'node:path'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {errorJson, failureWarning, runItem} from '../../cli/output/failures.js'
import {isStdoutName, type OutputFile, outputFile} from '../../cli/output/outputFile.js'
import type {Environment} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import {reasonOf} from '../../storage/disk/privateFile.js'
import type {UploadEvent, UploadJob} from '../../upload/model/job.js'
import type {Uploaded} from '../../upload/run/uploadAll.js'
import {resultStart} from '../../upload/sync/scan.js'
import {drawStepSummary} from '../../view/asset/stepSummary.js'
import type {UploadRow} from '../../view/asset/transfers.js'
import {outcomeWords} from '../../view/format/outcome.js'
import {type CiKind, CiLog, type CiSystem} from './ciLog.js'

/** Reports of a run besides stdout: the log of a CI system, and a file. */
export interface ReportOptions {
  readonly ci?: CiLog
  readonly result?: OutputFile
}

const resultKind = {what: 'file of results', starts: [resultStart, /^\[\]\n$/u]}

interface ReportFlags {
  readonly ci: string
  readonly result?: string | undefined
  readonly overwrite: boolean
  readonly progress: string
}

export function readReportFlags(session: Session, flags: ReportFlags): ReportOptions {
  const {ci, result: given, overwrite, progress} = flags
  const result =
    given === undefined ? undefined : outputFile(session, given, {flag: '--result', kind: resultKind, overwrite})
  const system = detectCi(ci as CiKind, session.runtime.env)
  if (system === undefined) return result === undefined ? {} : {result}
  const isJson = progress === 'json'
  const hasLines = !isJson && progress !== 'none' && session.output.format !== 'ids'
  const log = new CiLog(session, {system, hasLines, hasAnnotations: !isJson})
  return {ci: log, ...(result === undefined ? {} : {result})}
}

/** The CI system of stderr; `auto` detects it by the variable that each sets to `true`. */
function detectCi(kind: CiKind, env: Environment): CiSystem | undefined {
  if (kind !== 'auto') return kind === 'none' ? undefined : kind
  if (env.GITHUB_ACTIONS === 'true') return 'github'
  return env.GITLAB_CI === 'true' ? 'gitlab' : undefined
}

type ReportedFile = Pick<UploadJob, 'key' | 'path'>

/** The step summary of GitHub holds this many bytes; a larger one is not shown at all. */
const summaryBytes = 1024 * 1024

/** Reports the outcome of a run of uploads to the CI system and the result file, also if it failed as a whole. */
export class UploadReport {
  #title: string | undefined
  #files: readonly ReportedFile[] = []
  #isFinished = false
  /** The keys of started files, and the results of finished ones. */
  readonly #begun = new Set<string>()
  readonly #ended = new Map<string, Uploaded>()

  constructor(
    private readonly session: Session,
    private readonly options: ReportOptions,
  ) {}

  /** Whether each failure is shown at its file. */
  get hasAnnotations(): boolean {
    const {ci} = this.options
    return ci?.options.system === 'github' && ci.options.hasAnnotations
  }

  /** Reports the plan of the files. */
  expect(title: string, files: readonly ReportedFile[], container?: string): void {
    this.#title = title
    this.#files = files
    if (this.options.ci && container !== undefined) this.options.ci.target = ` to ${container}`
  }

  take(event: UploadEvent): void {
    if (event.kind === 'begun') this.#begun.add(event.key)
  }

  ended(uploaded: Uploaded): void {
    this.#ended.set(uploaded.job.key, uploaded)
  }

  /** The outcome of the files; `failures` by their files. Returns the Failure of a result file that cannot be written. */
  finish(
    rows: readonly UploadRow[],
    failures: ReadonlyMap<string, Failure>,
    counts: string,
  ): Promise<Failure | undefined> {
    this.#isFinished = true
    const {ci} = this.options
    ci?.end(isFileShown(this.session) ? [] : rows.filter((row) => outcomeWords(row) !== 'unchanged'))
    const paths = new Map(this.#files.filter(({key}) => failures.has(key)).map(({key, path: file}) => [key, file]))
    for (const [key, failure] of failures) ci?.failed(failure, paths.get(key) ?? key)
    this.#summarize(rows, counts)
    return this.#writeResult(rows)
  }

  /** Waits for the whole run, and reports its failure before it throws it. */
  async whole<T>(run: Promise<T>): Promise<T> {
    try {
      return await run
    } catch (error) {
      await this.failed(toFailure(error))
      throw error
    }
  }

  /** The run failed as a whole, before, between or after its files. */
  private async failed(failure: Failure): Promise<void> {
    if (this.#isFinished) return
    const {ci, result} = this.options
    const ended = new Map([...this.#ended].map(([key, one]) => [key, uploadRow(this.session, one)]))
    ci?.end([...ended.values()])
    ci?.failed(failure)
    const error = errorJson(this.session, failure)
    const rows = this.#files.map(({key: file}): UploadRow => {
      const outcome = this.#begun.has(file) ? 'unknown' : 'not-tried'
      return ended.get(file) ?? {file, uuid: null, bytes: null, sha256: null, outcome, error}
    })
    if (this.#title !== undefined) this.#summarize([...ended.values()], `failed: ${error.message}`)
    const unwritten = result === undefined ? undefined : await this.#writeResult(rows)
    if (unwritten) this.session.warn(failureWarning(this.session, unwritten))
  }

  async #writeResult(rows: readonly UploadRow[]): Promise<Failure | undefined> {
    const {result} = this.options
    if (result === undefined) return undefined
    const own = rows.map(({file, uuid, sha256, bytes, outcome, error}) => {
      return {file, uuid, sha256, bytes, outcome, ...(error ? {error} : {})}
    })
    try {
      await result.write(`${JSON.stringify(own, null, 2)}\n`)
      return undefined
    } catch (error) {
      return new Failure({...toFailure(error).facts, outcome: 'applied'}, {cause: error})
    }
  }

  /** Adds the run to the page of its job, behind what the step has written there. */
  #summarize(rows: readonly UploadRow[], counts: string): void {
    const {runtime, warn} = this.session
    const {GITHUB_STEP_SUMMARY: file = ''} = runtime.env
    if (this.options.ci?.options.system !== 'github' || file === '') return
    const why = this.#appendSummary(file, rows, counts)
    if (why !== undefined) warn(`warning: the step summary was not written: ${why}`)
  }

  #appendSummary(file: string, rows: readonly UploadRow[], counts: string): string | undefined {
    try {
      const there = statSync(file, {throwIfNoEntry: false})
      if (there && !there.isFile()) return 'it is not a file'
      const room = summaryBytes - (there?.size ?? 0)
      const text = drawStepSummary({title: this.#title ?? 'roomctl', counts, rows}, room)
      if (text === '') return 'it is full (1 MiB)'
      appendFileSync(file, this.session.secrets.mask(text))
      return undefined
    } catch (error) {
      return reasonOf(error) ?? 'the operating system refused it'
    }
  }
}

/** The outcome of one file as a result shows it. */
export function uploadRow(session: Session, one: Uploaded): UploadRow {
  const {uuid = null, bytes = null, sha256 = null, resumedFrom: from} = one.result ?? {}
  const {outcome, ...why} = runItem(session, one)
  return {file: one.job.key, uuid, bytes, sha256, outcome, ...(from === undefined ? {} : {resumed_from: from}), ...why}
}

/** Whether the results on stdout name their files, with any columns. */
function isFileShown({output: {columns = []}}: Session): boolean {
  return columns.length === 0 || columns.some((name) => name.toLowerCase() === 'file')
}

export function reportedFiles({result}: {readonly result?: string | undefined}): string[] {
  return result === undefined || isStdoutName(result) ? [] : [path.resolve(result)]
}
