import type {ProgressKind} from '../../cli/flags/flags.js'
import {resolveProgressKind, startBars} from '../../cli/output/liveProgress.js'
import type {Session} from '../../cli/session/session.js'
import {type BulkSnapshot, bulkJson, bulkLine, drawBulk} from '../../view/room/changes.js'

/** Milliseconds between two looks at whether a line is due, and between two lines of a log. */
const lookMs = 1000
const lineMs = 5000
/** A few targets that are done in this time need no bar. */
const quickMs = 1000
const few = 3

/** Counts what becomes of the targets of a run. */
export class BulkCounts {
  readonly #now: () => number
  readonly #startedAt: number
  readonly #targets: number
  readonly #ended = {done: 0, failed: 0, skipped: 0}
  #active = 0

  constructor({runtime}: Session, targets: number) {
    this.#now = () => runtime.now().getTime()
    this.#startedAt = this.#now()
    this.#targets = targets
  }

  /** Counts a target as under way while `work` is. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#active += 1
    try {
      return await work()
    } finally {
      this.#active -= 1
    }
  }

  settled(outcome: 'done' | 'failed' | 'skipped'): void {
    this.#ended[outcome] += 1
  }

  snapshot(): BulkSnapshot {
    return {targets: this.#targets, active: this.#active, ...this.#ended, ms: this.#now() - this.#startedAt}
  }
}

/** Shows on stderr how a run goes on, until the function it gives back is called. */
export async function showBulk(session: Session, kind: ProgressKind, counts: BulkCounts): Promise<() => void> {
  const {runtime, progress, style} = session
  const shown = resolveProgressKind(session, kind)
  if (shown === 'none') return () => undefined
  if (shown === 'json') return runtime.every(lookMs, () => progress(JSON.stringify(bulkJson(counts.snapshot()))))
  if (shown === 'bar') {
    return startBars(session, () => {
      const snapshot = counts.snapshot()
      const needed = snapshot.targets >= few || snapshot.ms >= quickMs
      return needed ? drawBulk(snapshot, runtime.stderr.columns ?? 80, style) : []
    })
  }
  let at = runtime.now().getTime()
  return runtime.every(lookMs, () => {
    const now = runtime.now().getTime()
    if (now - at < lineMs) return
    progress(bulkLine(counts.snapshot()))
    at = now
  })
}
