import {type Failure, onFailure} from '../../failure.js'
import {uuidOf} from './addresses.js'
import {interrupted, stopped, type UploadFailure, valueRefused} from './failures.js'
import {askSizeLimit, untold} from './requests.js'
import {type Circumstances, type Decision, gone, isVanished, retryPolicy} from './retryPolicy.js'
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
    const {run, state, chunkSize} = this.transfer
    if (decision.do === 'stop') {
      // A service that refuses an offset before it has read the part may reset the connection, and its answer is lost.
      if (decision.exhausted && failed.failure.kind === 'lost' && state.isRefusedWithoutHead && this.canRestart)
        return untold
      throw await this.#stopped(failed, decision.exhausted, chunkSize.advice)
    }
    if (decision.do === 'restart') return this.#restart(failed, decision)
    if (decision.do === 'useLedger') run.service.head = 'no'
    else if (decision.do === 'shrink') chunkSize.refused(state.last.size)
    else if (decision.do === 'dropChecksums') this.#dropChecksums()
    else return this.#guess(failed)
    return undefined
  }

  async #restart(failed: Failed, {why, ifReadable}: Extract<Decision, {do: 'restart'}>): Promise<string> {
    const {service} = this.transfer.run
    if (ifReadable && !(await this.#canRead())) throw await this.#stopped(failed)
    // An upload that vanished says nothing of HEAD.
    if (why === gone && service.head === 'no') service.head = 'unknown'
    return why
  }

  /** Starting over helps only if the service can be at another offset; the one it reports is followed as often as failures are retried. */
  async #guess(failed: Failed): Promise<string | undefined> {
    const {run, state} = this.transfer
    const {settings} = run.context
    const {failure} = failed
    const said = failure.kind === 'answered' ? failure.offset : undefined
    const isFollowed = this.#met.failures <= settings.attempts
    if (state.tryNextOffset(isFollowed ? (said ?? (await this.#storedBytes())) : undefined)) return undefined
    if (state.isCertain && (state.acked === 0 || !this.canRestart)) throw await this.#stopped(failed)
    return untold
  }

  /** Whether the container can be read: then a refusal is about the upload alone. */
  async #canRead(): Promise<boolean> {
    const {run, item} = this.transfer
    return run.context.listedAs(item.job).then(
      () => true,
      onFailure(
        () => true,
        () => false,
      ),
    )
  }

  async #stopped(failed: Failed, exhausted = false, advice?: string): Promise<Failure> {
    const {run, item, state} = this.transfer
    const {step, failure} = failed
    const status = failure.kind === 'answered' ? failure.status : 0
    const isGone = !this.canRestart && isVanished(step, status)
    const sizeLimit = step === 'create' && valueRefused.includes(status) ? await askSizeLimit(this.transfer) : undefined
    // Without HEAD, 403 to a part may be about the upload alone.
    const isOfUpload = status !== 403 || (step === 'patch' && run.service.head === 'no')
    const stale = state.isUnproven && isOfUpload ? item.id : undefined
    const chunk = {offset: state.assumed, size: state.last.size}
    const about = {size: item.source.size, sizeLimit, chunk, stale, isGone}
    return stopped(item.job, {...failed, exhausted, access: run.context.access, advice, about})
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
