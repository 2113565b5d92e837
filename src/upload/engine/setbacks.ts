import {interrupted, stopped} from './failures.js'
import type {Ending} from './flight.js'
import {type Means, offsetIn} from './means.js'
import {type Circumstances, type Decision, decide, type Setback} from './policy.js'

type Met = Extract<Ending, {kind: 'setback'}>
type Again = Extract<Decision, {do: 'again'}>

/** What was met on the way of one upload, and what is done about it. */
export class Setbacks {
  readonly #means: Means
  readonly #canRenew: boolean
  /** How far the upload was at the last one. */
  #best = -1
  #count = 0
  #lost = 0
  #spoiled = 0
  #locks = 0
  #lockedMs = 0

  constructor(means: Means, canRenew: boolean) {
    this.#means = means
    this.#canRenew = canRenew
  }

  /**
   * Does what the policy says, and waits as long as it says. Gives why the upload must begin anew where it must, else nothing:
   * it can be gone on with. Raises a Failure where nothing can be done, or the run was interrupted meanwhile.
   */
  async meet(met: Met): Promise<string | undefined> {
    this.#take(met)
    const decision = decide(met.step, met.setback, this.#circumstances())
    if (decision.do === 'again') await this.#wait(met.setback, decision)
    else return this.#turn(met, decision)
    return undefined
  }

  #turn(met: Met, decision: Exclude<Decision, Again>): string | undefined {
    const {run, parcel, standing, chunkSize} = this.#means
    const {access} = run.context
    if (decision.do === 'stop') throw stopped(parcel.job, {...met, exhausted: decision.exhausted, access})
    if (decision.do === 'renew') return decision.why
    if (decision.do === 'ledger') run.service.head = 'no'
    else if (decision.do === 'shrink') chunkSize.refused(standing.last.size)
    else if (decision.do === 'unchecked') this.#dropChecksums()
    else if (!standing.guess(offsetIn(met.headers))) return 'the service does not tell how much of it arrived'
    return undefined
  }

  async #wait(setback: Setback, {ms, all, smaller, locked, reread}: Again): Promise<void> {
    const {run, parcel, standing, chunkSize} = this.#means
    const {context, service} = run
    if (smaller) chunkSize.lost(standing.last.size)
    if (reread) parcel.content.reread()
    if (locked) this.#lockedMs += ms
    const why = words(setback)
    const over = context.sleep(ms, context.signal)
    if (all) service.pause(ms, why, over)
    context.emit({kind: 'waiting', key: parcel.job.key, ms, why})
    await over
    if (context.signal.aborted) throw interrupted(parcel.job)
  }

  #dropChecksums(): void {
    const {service, context} = this.#means.run
    if (service.checksum === 'refused') return
    service.checksum = 'refused'
    const {checksum} = context.settings
    const text = `the service does not take ${checksum} checksums, so the files go without: it cannot tell whether bytes arrive changed`
    context.emit({kind: 'warned', text})
  }

  #take({step, setback}: Met): void {
    const {best} = this.#means.standing
    if (best > this.#best) this.#reset(best)
    const status = setback.kind === 'answered' ? setback.status : undefined
    if (status === 423) this.#locks += 1
    else this.#count += 1
    this.#lost = setback.kind === 'lost' && step === 'patch' ? this.#lost + 1 : 0
    if (status === 460) this.#spoiled += 1
  }

  #reset(best: number): void {
    this.#best = best
    this.#count = 0
    this.#lost = 0
    this.#spoiled = 0
    this.#locks = 0
    this.#lockedMs = 0
  }

  #circumstances(): Circumstances {
    const {run, standing, chunkSize} = this.#means
    const {settings, random, now} = run.context
    const {size, checksummed} = standing.last
    return {
      setbacks: this.#count,
      attempts: settings.attempts,
      lost: this.#lost,
      spoiled: this.#spoiled,
      locks: this.#locks,
      lockedMs: this.#lockedMs,
      head: run.service.head,
      checksumInDoubt: checksummed && run.service.checksum !== 'accepted',
      canShrink: chunkSize.canShrink(size),
      canRenew: this.#canRenew,
      random,
      now: now(),
    }
  }
}

/** A clause without a stop. */
function words(setback: Setback): string {
  if (setback.kind === 'lost') return setback.error.message
  if (setback.kind === 'stuck') return 'the service acknowledged nothing of what it was sent'
  return `the service answered HTTP ${setback.status}`
}
