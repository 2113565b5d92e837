import {uuidOf} from './addresses.js'
import {interrupted, stopped, type UploadFailure} from './failures.js'
import {untold} from './requests.js'
import {type Circumstances, type Decision, retryPolicy} from './retryPolicy.js'
import type {Ending} from './tusUpload.js'
import type {Transfer} from './uploadState.js'

type Failed = Extract<Ending, {kind: 'failed'}>
type Retry = Extract<Decision, {do: 'retry'}>

const none = {failures: 0, corrupted: 0, locks: 0, lockedMs: 0}

export class FailureRecovery {
  /** The offset at the last failure, and the failures since that progress. */
  #best = -1
  #met = none

  constructor(
    private readonly transfer: Transfer,
    private readonly canRestart: boolean,
  ) {}

  /** Follows the policy, with its waits. Returns why the upload must start over, undefined to continue. Throws Failure if nothing helps. */
  async recover(failed: Failed): Promise<string | undefined> {
    this.#count(failed)
    const decision = retryPolicy(failed.step, failed.failure, this.#circumstances())
    if (decision.do !== 'retry') return await this.#adapt(failed, decision)
    await this.#wait(failed.failure, decision)
    return undefined
  }

  async #adapt(failed: Failed, decision: Exclude<Decision, Retry>): Promise<string | undefined> {
    const {run, item, state, chunkSize} = this.transfer
    const {access} = run.context
    if (decision.do === 'stop') {
      // A service that refuses an offset before it has read the part may reset the connection, and its answer is lost.
      if (decision.exhausted && failed.failure.kind === 'lost' && state.isRefusedWithoutHead && this.canRestart)
        return untold
      throw stopped(item.job, {...failed, exhausted: decision.exhausted, access, advice: chunkSize.advice})
    }
    if (decision.do === 'restart') return decision.why
    if (decision.do === 'useLedger') run.service.head = 'no'
    else if (decision.do === 'shrink') chunkSize.refused(state.last.size)
    else if (decision.do === 'dropChecksums') this.#dropChecksums()
    else return this.#guess(failed)
    return undefined
  }

  /** Starting over helps only if the service can be at another offset; the one it reports is followed as often as failures are retried. */
  async #guess(failed: Failed): Promise<string | undefined> {
    const {run, item, state} = this.transfer
    const {settings, access} = run.context
    const {failure} = failed
    const said = failure.kind === 'answered' ? failure.offset : undefined
    const isFollowed = this.#met.failures <= settings.attempts
    if (state.tryNextOffset(isFollowed ? (said ?? (await this.#storedBytes())) : undefined)) return undefined
    if (state.isCertain && (state.acked === 0 || !this.canRestart))
      throw stopped(item.job, {...failed, exhausted: false, access, advice: undefined})
    return untold
  }

  /** A piece of a lost part may be kept: the offset is then the length of the stored bytes, which is asked once. */
  async #storedBytes(): Promise<number | undefined> {
    const {run, item, state} = this.transfer
    if (!state.url || state.isCertain || state.isRefusedWithoutHead) return undefined
    return run.context.storedBytes(item.job, uuidOf(state.url))
  }

  async #wait(failure: UploadFailure, {ms, all, smaller, locked, reread}: Retry): Promise<void> {
    const {run, item, state, chunkSize} = this.transfer
    const {context, service} = run
    if (smaller) chunkSize.lost(state.last.size, context.settings.attempts - this.#met.failures)
    if (reread) item.content.reread()
    if (locked) this.#met = {...this.#met, lockedMs: this.#met.lockedMs + ms}
    const why = describeFailure(failure)
    const over = context.sleep(ms, context.signal)
    if (all) service.pause(ms, why, over)
    context.emit({kind: 'waiting', key: item.job.key, ms, why})
    await over
    if (context.signal.aborted) throw interrupted(item.job)
  }

  #dropChecksums(): void {
    const {service, context} = this.transfer.run
    if (service.checksum === 'refused') return
    service.checksum = 'refused'
    const {checksum} = context.settings
    const text = `the service does not support ${checksum} checksums, so files are sent without: it cannot detect changed bytes`
    context.emit({kind: 'warned', text})
  }

  #count({failure}: Failed): void {
    const {furthestOffset} = this.transfer.state
    if (furthestOffset > this.#best) this.#met = none
    this.#best = Math.max(this.#best, furthestOffset)
    const {failures, corrupted, locks, lockedMs} = this.#met
    const status = failure.kind === 'answered' ? failure.status : undefined
    this.#met = {
      failures: status === 423 ? failures : failures + 1,
      corrupted: status === 460 ? corrupted + 1 : corrupted,
      locks: status === 423 ? locks + 1 : locks,
      lockedMs,
    }
  }

  #circumstances(): Circumstances {
    const {run, state, chunkSize} = this.transfer
    const {settings, random, now} = run.context
    const {size, checksummed} = state.last
    return {
      ...this.#met,
      attempts: settings.attempts,
      head: run.service.head,
      checksumInDoubt: checksummed && run.service.checksum !== 'accepted',
      canShrink: chunkSize.canShrink(size),
      canRestart: this.canRestart,
      random,
      now: now(),
    }
  }
}

function describeFailure(failure: UploadFailure): string {
  if (failure.kind === 'lost') return failure.error.message
  if (failure.kind === 'stuck') return 'the service acknowledged nothing of what it was sent'
  return `the service answered HTTP ${failure.status}`
}
