import {Failure, fileFailure} from '../../failure.js'
import {interruptedRun, type Outcome, runAll} from '../../selection/run.js'
import {grouped} from '../../text/text.js'
import type {Uploader} from '../engine/uploadState.js'
import {
  type ListedFile,
  type PresentFile,
  provenPresent,
  type UploadEvent,
  type UploadJob,
  type UploadResult,
} from '../model/job.js'

export interface UploadTask {
  readonly job: UploadJob
  readonly there?: (PresentFile & Pick<UploadResult, 'bytes'>) | undefined
  /** The key of the file that it belongs to: it waits for its uuid, which becomes the link. */
  readonly after?: string | undefined
  /** Its turn: it waits until all files of earlier turns are at the service. */
  readonly turn?: Turn | undefined
  /** The digest in the manifest. Hex. */
  readonly sha256?: string | undefined
}

/** Catalogs refer to all other files, and their hash files to them. */
export type Turn = 0 | 1 | 2

export function turnOf({role, name}: Pick<ListedFile, 'role' | 'name'>): Turn {
  if (role !== 'catalog') return 0
  return /\.hash$/iu.test(name) ? 2 : 1
}

/**
 * The outcome of a file. One that is done has a reason if it was not verified; a failed one has a result if every byte was sent, a
 * skipped one if it is in the container.
 */
export type Uploaded = Outcome<UploadResult> & {readonly job: UploadJob}

/** The acknowledged bytes of an incomplete file. */
export interface ReachedBytes {
  readonly acked: number
  readonly bytes: number
}

export interface UploadAllOptions {
  readonly concurrency: number
  readonly failFast: boolean
  readonly signal: AbortSignal
  readonly emit: (event: UploadEvent) => void
  /** Verifies a file at the service, uploaded or unchanged; its Failure becomes that of the file. */
  readonly verify: (task: UploadTask, result: UploadResult) => Promise<unknown>
  /** Undefined of a file that has not started. */
  readonly reached?: (key: string) => ReachedBytes | undefined
  /** Called for each file that was sent or failed, as soon as its outcome is known. */
  readonly settled?: (uploaded: Uploaded) => void
  readonly ended?: (uploaded: Uploaded) => void
}

/**
 * Uploads files, several at a time; the outcomes are in their order. A file that links to another starts once that is done, and
 * never if it is not; one of a later turn starts once all before are done. A refused credential stops the rest, and so does a failure with `failFast`. Throws only internal errors.
 */
export async function uploadAll(
  uploader: Pick<Uploader, 'upload'>,
  tasks: readonly UploadTask[],
  options: UploadAllOptions,
): Promise<Uploaded[]> {
  const ends = new Map<string, Uploaded>()
  const needed = new Set(tasks.map(({after}) => after))
  const keys = new Set(tasks.flatMap(({job}) => (needed.has(job.key) ? job.key : [])))
  const isWaiting = ({after}: UploadTask) => after !== undefined && keys.has(after)
  const waiting = grouped(tasks.filter(isWaiting), ({after}) => after ?? '')
  const [first = [], ...later] = [0, 1, 2].map((turn) => tasks.filter((task) => (task.turn ?? 0) === turn))
  const started = first.filter((task) => !isWaiting(task))
  let left = first.length
  const kept = ({job}: UploadTask, outcome: Outcome<UploadResult>): void => {
    const {key} = job
    const end = {job, ...outcome}
    ends.set(key, end)
    options.ended?.(end)
    const uuid = outcome.outcome === 'failed' ? undefined : outcome.result?.uuid
    const reason = `not started: it belongs to ${key}, which is not done`
    for (const next of waiting.get(key) ?? []) {
      if (uuid === undefined) kept(next, {outcome: 'not-tried', reason})
      else started.push({...next, job: {...next.job, link: uuid}})
    }
    left -= 1
    startTurn()
  }
  const startTurn = (): void => {
    if (left > 0 || later.length === 0) return
    const [own = []] = later.splice(0, 1)
    left = own.length
    const missing = [...ends.values()].find((end) => end.outcome === 'failed' || !end.result)
    const reason = `not started: a catalog is sent last, and ${missing?.job.key} is not done`
    if (!missing || options.signal.aborted) started.push(...own)
    else for (const task of own) kept(task, {outcome: 'not-tried', reason})
    startTurn()
  }
  startTurn()
  await runAll(started, (task) => attempt(uploader, task, options), {...options, what: 'file', kept})
  return tasks.flatMap(({job}) => ends.get(job.key) ?? [])
}

/** Of a file that another run has brought to the service, during this one or unheard before. */
const byAnother = {reason: 'unchanged', proven_by: 'other-run'} as const

/** Sends a file, unless present, and verifies it: an earlier run may have ended before that. */
async function attempt(
  uploader: Pick<Uploader, 'upload'>,
  task: UploadTask,
  options: UploadAllOptions,
): Promise<Outcome<UploadResult>> {
  const {job, there, sha256} = task
  const {key} = job
  let result: UploadResult | undefined = there && presentResult(task, there)
  try {
    if (there?.changedUpload !== undefined) throw changedSince(key, there.changedUpload)
    result ??= await uploader.upload(job)
    assertManifestDigest(key, sha256, result)
    await options.verify(task, result)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return afterFailure(task, error, result, options)
  }
  // A present file needs nothing.
  if (!there) options.emit({kind: 'done', key, result})
  const outcome = succeeded(result, there)
  if (outcome.outcome === 'done') options.settled?.({job, ...outcome})
  return outcome
}

function presentResult({job: {key, path}}: UploadTask, there: NonNullable<UploadTask['there']>): UploadResult {
  const {changedUpload: _, isUnlisted: __, ...present} = there
  return {key, path, ...present, sentBytes: 0}
}

/** The failure of a file uploaded by this machine whose bytes differ by the plan (`--verify download`). */
function changedSince(key: string, upload: string): Failure {
  return fileFailure(`${key}: changed at the service since it was uploaded`, {
    code: 'bytes-differ',
    why: 'its bytes there differ, and this run sent nothing',
    try: {sentence: 'before you upload it again', command: ['asset forget', upload]},
    outcome: 'none',
  })
}

function afterFailure(
  {job, there}: UploadTask,
  failure: Failure,
  result: UploadResult | undefined,
  {signal, emit, settled, reached}: UploadAllOptions,
): Outcome<UploadResult> {
  const tell = there ? undefined : settled
  if (signal.aborted && failure.facts.exit === 'interrupted') {
    // It was not tried to its end, and the service may have it all the same.
    if (failure.facts.outcome === 'unknown') tell?.({outcome: 'failed', job, failure})
    return result ? succeeded(result, there, 'not verified: interrupted') : unfinished(reached?.(job.key))
  }
  emit({kind: 'failed', key: job.key, failure})
  // An upload by another process is not a change of this one.
  const failed = {outcome: 'failed', failure, ...(result && !result.uploadedByOtherProcess ? {result} : {})} as const
  tell?.({job, ...failed})
  return failed
}

function succeeded(result: UploadResult, there: PresentFile | undefined, reason?: string): Outcome<UploadResult> {
  const present = there ? provenPresent(there) : result.uploadedByOtherProcess && byAnother
  const why = reason === undefined ? {} : {reason}
  return present
    ? {outcome: 'skipped', result, ...(reason === undefined ? present : {reason})}
    : {outcome: 'done', result, ...why}
}

function unfinished(reached: ReachedBytes | undefined): Outcome<UploadResult> {
  return reached === undefined
    ? {outcome: 'not-tried', reason: interruptedRun}
    : {outcome: 'skipped', reason: 'unfinished', percent: percentOf(reached)}
}

/** Rounded down: 100 is all of it. */
export function percentOf({acked, bytes}: ReachedBytes): number {
  return Math.floor((100 * acked) / Math.max(1, bytes))
}

/** The file may have been rewritten since the plan was made. */
function assertManifestDigest(key: string, expected: string | undefined, {sha256}: UploadResult): void {
  if (expected === undefined || sha256 === expected) return
  throw fileFailure(`${key} was uploaded, but is not the file that the manifest names`, {
    code: 'bytes-differ',
    why: `its sha256 is ${sha256}, not ${expected}: it has changed since it was read for the plan`,
    try: 'run the command again once nothing writes the file any more',
    outcome: 'applied',
  })
}
