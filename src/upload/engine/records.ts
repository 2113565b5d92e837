import {setImmediate as nextTurn} from 'node:timers/promises'
import type {Chunk, Ledger} from '../ledger/entry.js'
import {wholeUpTo} from '../ledger/sample.js'
import type {Algorithm} from '../model/job.js'
import {OnTheirWay} from './onTheirWay.js'
import type {Parcel, Run} from './run.js'

/**
 * Writes into the ledger how far one upload is, with digests that prove to a later run what the bytes were. A record is given to
 * the system within a turn of the event loop, where a kill of this process takes nothing away; that it is on the disk is waited
 * for once, at the end of the file. Of small files that would take longer than the sending, so all of a run are waited for at
 * its end (`settled`), and one that is sent whole has no record of its parts.
 */
export class Records {
  readonly #ledger: Ledger
  readonly #parcel: Parcel
  readonly #algorithm: Algorithm | undefined
  readonly #isSmall: boolean
  readonly #onTheirWay: OnTheirWay

  constructor({context, recorded}: Run, parcel: Parcel, algorithm: Algorithm | undefined) {
    this.#ledger = context.ledger
    this.#parcel = parcel
    this.#algorithm = algorithm
    this.#isSmall = parcel.source.size <= wholeUpTo
    this.#onTheirWay = this.#isSmall ? recorded : new OnTheirWay()
  }

  /** An upload is about to be begun. */
  async begin(): Promise<void> {
    const {job, id, target, source, sample} = this.#parcel
    const facts = {id, ...target, path: job.path, size: source.size, sample, stamp: source.stamp}
    await this.#take(this.#ledger.begin(this.#algorithm ? {...facts, algorithm: this.#algorithm} : facts))
  }

  /** The service has begun it, at this address. */
  async created(url: URL): Promise<void> {
    await this.#take(this.#ledger.created(this.#parcel.id, url.href))
  }

  /** The part is about to be sent. */
  async sending(from: number, to: number): Promise<void> {
    if (!this.#isSmall) await this.#take(this.#ledger.sending(this.#parcel.id, await this.#chunk(from, to)))
  }

  /** The service has the part. */
  async acked(from: number, to: number): Promise<void> {
    const {id, source} = this.#parcel
    const isWhole = from === 0 && to === source.size
    if (!this.#isSmall || !isWhole) this.#onTheirWay.add(this.#ledger.acked(id, await this.#chunk(from, to)))
  }

  /** The service has the file whole. */
  async done(facts: {uuid: string; sha256: string | null}): Promise<void> {
    this.#onTheirWay.add(this.#ledger.done(this.#parcel.id, facts))
    if (!this.#isSmall) await this.settled()
  }

  /** Waits until what an upload that is not whole has left is on the disk. */
  async settled(): Promise<void> {
    this.#ledger.hurry()
    await this.#onTheirWay.settled()
  }

  /** What cannot be written fails here, before anything is sent. A small file is sent sooner than that would be waited for. */
  async #take(written: Promise<void>): Promise<void> {
    this.#onTheirWay.add(written)
    if (!this.#isSmall) await given(written)
  }

  async #chunk(from: number, to: number): Promise<Chunk> {
    if (!this.#algorithm) return {from, to}
    return {from, to, digest: await this.#parcel.content.digest(from, to, this.#algorithm)}
  }
}

/** Waits until a record is with the system, or could not be written: the ledger writes before the second turn of the event loop. */
async function given(written: Promise<void>): Promise<void> {
  await Promise.race([written, nextTurn().then(() => nextTurn())])
}
