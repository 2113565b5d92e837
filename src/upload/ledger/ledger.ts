import {join} from 'node:path'
import {Failure, onFailure} from '../../failure.js'
import {keepPrivateFolder, makePrivateFolder, systemCode} from '../../storage/disk/privateFile.js'
import {SharedLog} from '../../storage/log/log.js'
import {someOf} from '../../text/text.js'
import {Claims, claimsFolder, type Waiter} from './claims.js'
import {
  type Chunk,
  type FinishedEntry,
  isFinished,
  type LedgerEntry,
  type LedgerRecord,
  LedgerState,
  logForm,
  type NewEntry,
  sameTarget,
  type UploadTarget,
} from './entry.js'
import {FinishedUploads, type Place} from './finished.js'
import {ledgerFailure} from './ledgerFailure.js'

export const ledgerFileName = 'uploads.jsonl'

export function isOfLedger(name: string): boolean {
  return name === claimsFolder || name.startsWith(ledgerFileName)
}

export interface LedgerOptions {
  readonly now: () => Date
  /** Says something on stderr: that lines are damaged, that an upload was taken over. A sentence without a full stop. */
  readonly warn?: (text: string) => void
}

/** An upload claimed by this process. Its records are written at once, so a kill loses none. */
export type Claim = Awaited<ReturnType<Ledger['claim']>>

/** The newest finished uploads that the log keeps, and the number at which others are archived: every command reads the whole log. */
const keptFinished = 50
const mostFinished = 150
/** At most this many damaged lines are listed. */
const namedLines = 5

/** Opens the ledger in a folder, which is made with the first claim: reading needs no right to write. Throws Failure (file). */
export async function openLedger(dir: string, {now, warn = () => undefined}: LedgerOptions): Promise<Ledger> {
  return new Ledger(dir, now, warn)
}

/**
 * The ledger of uploads: an event log (uploads.jsonl) shared by several processes, and the archive
 * (finished.ts). Claims alone write it. Every member throws a Failure (file).
 */
export class Ledger {
  readonly #state = new LedgerState()
  readonly #log: SharedLog<LedgerRecord>
  readonly #finished: FinishedUploads
  readonly #openedAt: string
  /** The uuids of uploads that were finished in the log when this ledger was opened, and by this process since. */
  readonly #known: Set<string>
  readonly #warned = new Set<string>()
  #claims: Claims | undefined

  constructor(
    private readonly dir: string,
    private readonly now: () => Date,
    private readonly warn: (text: string) => void,
  ) {
    this.#log = new SharedLog(join(dir, ledgerFileName), logForm, this.#state)
    this.#finished = new FinishedUploads(this.#log.path, (path, lines) => this.#warnDamaged(path, lines))
    this.#openedAt = now().toISOString()
    this.#known = new Set([...this.#upToDate().finished.values()].map(({done}) => done.uuid))
  }

  /** Every entry that was not forgotten, the oldest first. A long ledger is read whole for it. */
  list(): readonly LedgerEntry[] {
    return inOrder(this.#merged(() => this.#finished.all()))
  }

  /** Unfinished uploads and the newest finished ones, the oldest first. */
  recent(): readonly LedgerEntry[] {
    return inOrder(this.#merged(() => []))
  }

  findUnfinished(id: string): LedgerEntry | undefined {
    return this.#upToDate().unfinished.get(id)
  }

  /** Unfinished uploads, the oldest first; of one target, with whatever content. */
  unfinished(target?: UploadTarget): readonly LedgerEntry[] {
    const all = [...this.#upToDate().unfinished.values()]
    return target ? all.filter((entry) => sameTarget(entry, target)) : all
  }

  /** Finished uploads to these places, for any platform, those to each the oldest first. */
  finishedAs(places: readonly Place[]): readonly FinishedEntry[] {
    const wanted = new Set(places.map(placeText))
    const entries = this.#merged(() => this.#finished.placedIn(places))
    return entries.filter(isFinished).filter((entry) => wanted.has(placeText(entry)))
  }

  named(ids: ReadonlySet<string>): readonly LedgerEntry[] {
    return this.#merged(() => this.#finished.named(ids)).filter(({id}) => ids.has(id))
  }

  /** The upload to a place that another process has finished since this ledger was opened. */
  finishedMeanwhile(id: string, place: Place): FinishedEntry | undefined {
    const {finished, forgotten} = this.#upToDate()
    const logged = finished.get(id)
    if (logged) return this.#known.has(logged.done.uuid) ? undefined : logged
    // Another process may have archived it; compare the times.
    if (this.#log.replaced === 0 || forgotten.has(id)) return undefined
    const moved = this.#guarded('read', () => this.#finished.placedIn([place]).findLast((entry) => entry.id === id))
    return moved && moved.done.at >= this.#openedAt && !this.#known.has(moved.done.uuid) ? moved : undefined
  }

  /**
   * Keeps other processes from the same upload until it is released. A taken one is waited for with a waiter, else throws a Failure
   * (state). A claim ends with its process; of another machine, a minute after its last touch.
   */
  async claim(id: string, waiter?: Waiter) {
    const claims = this.#guarded('write', () => this.#enter())
    try {
      await claims.take(id, waiter)
    } catch (error) {
      if (waiter?.signal.aborted) throw error
      throw ledgerFailure('write', this.#log.path, error)
    }
    const add = (record: LedgerRecord) => this.#guarded('write', () => this.#log.append(record))
    const event = <Kind extends string>(kind: Kind) => ({kind, id, at: this.now().toISOString()}) as const
    return {
      /** A new upload, before its first byte; takes the place of an unfinished one of the same id. */
      begin: (entry: NewEntry) => {
        const at = this.now().toISOString()
        add({kind: 'entry', id, ...entry, begunAt: at, updatedAt: at, acked: []})
      },
      /** The service certainly refused to create what began. */
      withdraw: () => add(event('withdrawn')),
      created: (url: string) => add({...event('created'), url}),
      sending: (chunk: Chunk) => add({...event('sending'), ...chunk}),
      acked: (chunk: Chunk) => add({...event('acked'), ...chunk}),
      done: (facts: {readonly uuid: string; readonly sha256: string | null}) => {
        this.#known.add(facts.uuid)
        add({...event('done'), ...facts})
      },
      forget: () => add(event('forget')),
      release: () => this.#guarded('write', () => claims.drop(id)),
    }
  }

  /** Forgets an upload. Returns the Failure (state) if another process works on it. */
  async forget(id: string): Promise<Failure | undefined> {
    const isHeld = ({facts}: Failure) => facts.exit === 'state'
    const claim = await this.claim(id).catch(onFailure(isHeld, (failure) => failure))
    if (claim instanceof Failure) return claim
    claim.forget()
    claim.release()
    return undefined
  }

  /**
   * Whether a line was ever damaged: that this ledger has nothing of an upload then proves nothing, and what a container lists under
   * its name has to be read.
   */
  get hasLost(): boolean {
    this.#upToDate()
    return this.#hasLost()
  }

  #hasLost(): boolean {
    return this.#state.hasLost || this.#log.damaged.length > 0 || this.#finished.untidy.size > 0
  }

  /** Settles when all that was recorded is on the disk. */
  async sync(): Promise<void> {
    await this.#log.sync().catch((error) => {
      throw ledgerFailure('write', this.#log.path, error)
    })
  }

  async close(): Promise<void> {
    const claims = this.#claims
    this.#claims = undefined
    try {
      if (claims) {
        await this.sync()
        await this.#tidy(claims)
      }
    } finally {
      claims?.close()
      this.#log.close()
    }
  }

  /** Archived uploads, and those of the log, which wins. */
  #merged(ofLongAgo: () => readonly FinishedEntry[]): LedgerEntry[] {
    // The log first: an entry that another process archives meanwhile is then in both.
    const {unfinished, finished, forgotten} = this.#upToDate()
    const earlier = this.#guarded('read', ofLongAgo).filter(({id}) => !forgotten.has(id))
    const merged = new Map<string, LedgerEntry>()
    for (const entry of [...earlier, ...finished.values(), ...unfinished.values()]) {
      merged.delete(entry.id)
      merged.set(entry.id, entry)
    }
    return [...merged.values()]
  }

  #upToDate(): LedgerState {
    this.#guarded('read', () => this.#log.read())
    this.#warnDamaged(this.#log.path, this.#log.damaged)
    return this.#state
  }

  #warnDamaged(path: string, damaged: readonly number[]): void {
    if (damaged.length === 0 || this.#warned.has(path)) return
    this.#warned.add(path)
    const named = someOf(damaged.map(String), namedLines)
    const [lines, were] = damaged.length === 1 ? ['line', 'is damaged and was'] : ['lines', 'are damaged and were']
    this.warn(`${lines} ${named} of the ledger of uploads ${path} ${were} skipped`)
  }

  /** If it cannot be tidied up, another process will. */
  async #tidy(claims: Claims): Promise<void> {
    try {
      await claims.sweep()
      if (this.#isUntidy()) await claims.whileAlone(() => this.#compact())
    } catch (error) {
      if (!(error instanceof Failure) && systemCode(error) === undefined) throw error
    }
  }

  /** Damaged lines, many finished uploads, or far more lines than uploads: one of a single part has three to five. */
  #isUntidy(): boolean {
    const {unfinished, finished} = this.#upToDate()
    const {damaged, lines} = this.#log
    if (damaged.length > 0 || this.#finished.untidy.size > 0 || finished.size >= mostFinished) return true
    return lines > 1000 && lines > 6 * (unfinished.size + finished.size)
  }

  /** Moves all but the newest finished uploads out of the log and rewrites it. A kill in between leaves some in both, which is harmless. */
  #compact(): void {
    if (!this.#isUntidy()) return
    const {unfinished, finished, forgotten} = this.#state
    const moved = [...finished.values()].slice(0, Math.max(0, finished.size - keptFinished))
    this.#finished.change(moved, forgotten)
    const kept = inOrder([...[...finished.values()].slice(moved.length), ...unfinished.values()])
    const records = kept.map((entry): LedgerRecord => ({kind: 'entry', ...entry}))
    this.#log.compact(this.#hasLost() ? [{kind: 'lost', at: this.now().toISOString()}, ...records] : records)
  }

  /** Joins those that write the ledger. */
  #enter(): Claims {
    if (this.#claims) return this.#claims
    makePrivateFolder(this.dir)
    keepPrivateFolder(this.dir, {isOurs: isOfLedger})
    this.#log.open()
    this.#claims = new Claims(this.dir, this.#log.path, this.warn)
    return this.#claims
  }

  #guarded<T>(verb: 'read' | 'write', work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw ledgerFailure(verb, this.#log.path, error)
    }
  }
}

function inOrder(entries: LedgerEntry[]): LedgerEntry[] {
  return entries.sort((one, other) => (one.begunAt < other.begunAt ? -1 : Number(one.begunAt > other.begunAt)))
}

function placeText({base, container, name}: Place): string {
  return JSON.stringify([base, container, name])
}
