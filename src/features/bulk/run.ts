import {toFailure} from '../../cli/errors/errorHandler.js'
import type {ProgressKind} from '../../cli/flags/flags.js'
import {runItem} from '../../cli/output/failures.js'
import {showProgress} from '../../cli/output/progress.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import type {Failure} from '../../failure.js'
import {interruptedRun, type Outcome, type RunItem, runAll, SkipTarget} from '../../selection/run.js'
import {counted} from '../../text/text.js'
import {jsonLine} from '../../view/format/json.js'
import {type BulkSnapshot, bulkJson, bulkLine, drawBulk, shareOf} from '../../view/room/changes.js'
import type {BulkSettings} from './flags.js'

/**
 * Changes several targets with progress on stderr, and returns a row for each, in their order. `make` changes one by the
 * calls of `run`, and returns its requester; it may throw SkipTarget. Throws the Failure of settings that fail them all.
 */
export async function runBulk<Row extends RunItem>(
  session: Session,
  settings: BulkSettings,
  targets: readonly string[],
  make: (id: string, run: Session) => Promise<string | null>,
  rowOf: (id: string, ended: RunItem, requester: string | null) => Row,
): Promise<{readonly rows: readonly Row[]; readonly snapshot: BulkSnapshot}> {
  const run = session.forRun(targets.length)
  const counts = new BulkCounts(session, targets.length)
  const refusals: Failure[] = []

  function settle(id: string, outcome: Outcome<string | null>): Row {
    counts.settled(outcome.outcome)
    if (outcome.outcome === 'failed' && outcome.failure.facts.exit === 'configuration') refusals.push(outcome.failure)
    const ended = runItem(session, outcome)
    if (settings.progress === 'json') session.progress(jsonLine({event: 'settled', id, ...ended}).trimEnd())
    return rowOf(id, ended, outcome.result ?? null)
  }

  const hide = await counts.show(session, settings.progress)
  const forget = onInterrupt(session, () => counts.snapshot().active)
  try {
    const change = (id: string) => counts.during(async () => ({outcome: 'done', result: await make(id, run)}) as const)
    const {concurrency, failFast} = settings
    const {signal} = session.runtime
    const options = {concurrency, failFast, signal, what: 'target', failureOf: toFailure, kept: settle}
    const rows = await runAll(targets, change, options)
    const snapshot = counts.snapshot()
    const [refusal] = refusals
    if (refusal && snapshot.done === 0 && snapshot.failed === refusals.length) throw refusal
    return {rows, snapshot}
  } finally {
    hide()
    forget()
  }
}

/** Asked before each request that changes something. @throws SkipTarget once the command was interrupted. */
export function assertNotInterrupted({runtime}: Session): void {
  if (runtime.signal.aborted) throw new SkipTarget('not-tried', interruptedRun)
}

/** Acknowledges Ctrl-C at once; returns a function that removes the listener. */
function onInterrupt({runtime, output, progress}: Session, active: () => number): () => void {
  const say = () => {
    if (!runtime.stderr.isTerminal && isMachineFormat(output.format)) return
    progress(`finishing ${counted(active(), 'request')}, skipping the rest; Ctrl-C again to stop now`)
  }
  runtime.signal.addEventListener('abort', say, {once: true})
  return () => runtime.signal.removeEventListener('abort', say)
}

/** A few targets that are done in this time need no bar. */
const quickMs = 1000
const few = 3

export class BulkCounts {
  readonly #now: () => number
  readonly #startedAt: number
  readonly #targets: number
  readonly #ended = {done: 0, failed: 0, skipped: 0, 'not-tried': 0}
  #active = 0

  constructor({runtime}: Session, targets: number) {
    this.#now = () => runtime.now().getTime()
    this.#startedAt = this.#now()
    this.#targets = targets
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#active += 1
    try {
      return await work()
    } finally {
      this.#active -= 1
    }
  }

  settled(outcome: Outcome<unknown>['outcome']): void {
    this.#ended[outcome] += 1
  }

  snapshot(): BulkSnapshot {
    const {'not-tried': not_tried, ...ended} = this.#ended
    const ms = this.#now() - this.#startedAt
    return {targets: this.#targets, active: this.#active, ...ended, not_tried, ms}
  }

  /** Shows on stderr how far the run is, until the returned function is called. */
  show(session: Session, kind: ProgressKind): Promise<() => void> {
    return showProgress(session, kind, {
      bars: (columns, style) => {
        const snapshot = this.snapshot()
        return snapshot.targets >= few || snapshot.ms >= quickMs ? drawBulk(snapshot, columns, style) : []
      },
      line: () => bulkLine(this.snapshot()),
      json: () => bulkJson(this.snapshot()),
      share: () => shareOf(this.snapshot()),
    })
  }
}
