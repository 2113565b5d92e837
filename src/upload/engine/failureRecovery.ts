import {backoffMs, retryAfterMs} from '../../api/http/wire/retry.js'
import {type Failure, onFailure} from '../../failure.js'
import {uuidOf} from './addresses.js'
import {isRefusal, type Step, stopped, type UploadFailure, valueRefused} from './failures.js'
import {askSizeLimit, type Restart} from './requests.js'
import type {Ending} from './tusUpload.js'
import {type Transfer, waitFor} from './uploadState.js'

type Failed = Extract<Ending, {kind: 'failed'}>
type Answered = Extract<UploadFailure, {kind: 'answered'}>

const backoff = {retries: 0, baseMs: 500, capMs: 30_000}
/** A longer wait is left to the user. */
const longestAskedMs = 300_000
const lockedBudgetMs = 120_000
const lockedMs = 1_000
/** Answers of a gateway that did not wait for the end of a part. */
const gatewayTimeouts = [408, 502, 504]

interface Retry {
  /** What the service asks for, in milliseconds. */
  readonly askedMs?: number | undefined
  /** The chunk may be too large for the line, or for something on the way. */
  readonly smaller?: boolean
}

/** What is done about the failures of an upload (docs/reliability.md). Times are in milliseconds. */
export class FailureRecovery {
  /** The offset at the last failure, and the failures since that progress, and the wait for locks. Locks do not count as failures. */
  #best = -1
  #failures = 0
  #lockedMs = 0

  constructor(
    private readonly transfer: Transfer,
    /** Whether the upload may start over; it may once. */
    private readonly canRestart: boolean,
  ) {}

  /** Waits, or changes how the file is sent. Returns why the upload must start over, undefined to continue. Throws Failure if nothing helps. */
  async recover(failed: Failed): Promise<Restart | undefined> {
    this.#count(failed)
    const {step, failure} = failed
    // A create is not idempotent: repeat it only if the service certainly did nothing.
    if (step === 'create' && !isPostponed(failure)) throw await this.#stopped(failed)
    if (failure.kind === 'answered') return this.#recoverAnswered(failed, failure)
    if (failure.kind === 'lost') return this.#recoverLost(failed, failure)
    // A smaller offset in an answer means lost bytes; without HEAD it is unknown which.
    if (failure.isBehind && this.transfer.run.service.head === 'no') return this.#startOver(failed, 'behind')
    return this.#retry(failed)
  }

  async #recoverLost(failed: Failed, {error}: Extract<UploadFailure, {kind: 'lost'}>): Promise<Restart | undefined> {
    const {problem, sent} = error
    const isFinal = problem === 'aborted' || problem === 'too-large' || (problem === 'tls' && sent === 'no')
    if (isFinal) throw await this.#stopped(failed)
    // A service that refuses an offset before it has read the part may reset the connection, and its answer is lost.
    if (this.#isExhausted && this.transfer.state.isRefusedWithoutHead && this.canRestart) return 'untold'
    return this.#retry(failed, {smaller: failed.step === 'patch' && sent !== 'no'})
  }

  async #recoverAnswered(failed: Failed, answer: Answered): Promise<Restart | undefined> {
    const {step} = failed
    const {status, retryAfter, date} = answer
    const askedMs = retryAfterMs({'retry-after': retryAfter, date}, this.transfer.run.context.now())
    if (status === 423) return this.#waitForLock(failed)
    if (gatewayTimeouts.includes(status)) return this.#retry(failed, {askedMs, smaller: step === 'patch'})
    const isTemporary = status === 425 || status === 429 || (status >= 500 && !(step === 'head' && status === 501))
    if (isTemporary) return this.#retry(failed, {askedMs})
    return step === 'head' ? this.#recoverHead(failed, status) : this.#recoverPart(failed, answer)
  }

  async #recoverHead(failed: Failed, status: number): Promise<Restart | undefined> {
    const {service} = this.transfer.run
    if (status === 405 || status === 501 || (status === 404 && service.head !== 'yes')) {
      service.head = 'no'
      return undefined
    }
    // Servers of tus may answer so for an upload that they no longer have (tus 1.0.0, HEAD).
    if (isVanished('head', status) && (status !== 403 || (await this.#canRead()))) return this.#startOver(failed)
    throw await this.#stopped(failed)
  }

  async #recoverPart(failed: Failed, {status, offset}: Answered): Promise<Restart | undefined> {
    const {run, item, state, chunkSize} = this.transfer
    const {size, checksummed} = state.last
    if (isVanished('patch', status)) return this.#startOver(failed)
    if (status === 409) return run.service.head === 'no' ? this.#guess(failed, offset) : this.#retry(failed)
    if (status === 460) {
      item.content.reread()
      return this.#retry(failed)
    }
    if (status === 400 && checksummed && run.service.checksum !== 'accepted') this.#dropChecksums()
    else if (status === 413 && chunkSize.canShrink(size)) chunkSize.refused(size)
    else throw await this.#stopped(failed)
    return undefined
  }

  async #startOver(failed: Failed, why: Restart = 'gone'): Promise<Restart> {
    const {service} = this.transfer.run
    if (!this.canRestart) throw await this.#stopped(failed)
    // An upload that vanished says nothing of HEAD.
    if (why === 'gone' && service.head === 'no') service.head = 'unknown'
    return why
  }

  /** Starting over helps only if the service can be at another offset; the one it reports is followed as often as failures are retried. */
  async #guess(failed: Failed, said: number | undefined): Promise<Restart | undefined> {
    const {run, state} = this.transfer
    const isFollowed = this.#failures <= run.context.settings.attempts
    if (state.tryNextOffset(isFollowed ? (said ?? (await this.#storedBytes())) : undefined)) return undefined
    if (state.isCertain && (state.acked === 0 || !this.canRestart)) throw await this.#stopped(failed)
    return 'untold'
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

  async #stopped(failed: Failed, exhausted = false): Promise<Failure> {
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
    return stopped(item.job, {...failed, exhausted, access: run.context.access, about})
  }

  /** A piece of a lost part may be kept: the offset is then the length of the stored bytes, which is asked once. */
  async #storedBytes(): Promise<number | undefined> {
    const {run, item, state} = this.transfer
    if (!state.url || state.isCertain || state.isRefusedWithoutHead) return undefined
    return run.context.storedBytes(item.job, uuidOf(state.url))
  }

  get #isExhausted(): boolean {
    return this.#failures >= this.transfer.run.context.settings.attempts
  }

  async #retry(failed: Failed, {askedMs = 0, smaller}: Retry = {}): Promise<undefined> {
    const {run, state, chunkSize} = this.transfer
    const {random, settings} = run.context
    if (this.#isExhausted || askedMs > longestAskedMs) throw await this.#stopped(failed, true)
    const {size} = state.last
    if (smaller && chunkSize.canShrink(size)) chunkSize.lost(size, settings.attempts - this.#failures)
    await this.#wait(failed, backoffMs({...backoff, random}, this.#failures, askedMs))
  }

  /** Another request writes to a locked upload, probably our own lost one, which ends by itself. */
  async #waitForLock(failed: Failed): Promise<undefined> {
    const {attempts} = this.transfer.run.context.settings
    if (this.#lockedMs >= lockedBudgetMs || attempts === 1) throw await this.#stopped(failed, true)
    this.#lockedMs += lockedMs
    await this.#wait(failed, lockedMs)
  }

  async #wait({failure}: Failed, ms: number): Promise<void> {
    const {run, item} = this.transfer
    await waitFor(run, item.job, ms, describeFailure(failure))
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
    if (furthestOffset > this.#best) [this.#failures, this.#lockedMs] = [0, 0]
    this.#best = Math.max(this.#best, furthestOffset)
    if (failure.kind !== 'answered' || failure.status !== 423) this.#failures += 1
  }
}

function isPostponed(failure: UploadFailure): boolean {
  if (failure.kind === 'lost') return isRefusal(failure)
  return failure.kind === 'answered' && failure.status === 429
}

/** Whether a refusal may mean that the upload is gone. */
function isVanished(step: Step, status: number): boolean {
  return status === 404 || status === 410 || (status === 403 && step === 'head')
}

function describeFailure(failure: UploadFailure): string {
  if (failure.kind === 'lost') return failure.error.message
  if (failure.kind === 'stuck') return 'the service acknowledged nothing of what it was sent'
  return `the service answered HTTP ${failure.status}`
}
