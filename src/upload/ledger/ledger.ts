import {join} from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import {keepPrivateFolder, makePrivateFolder} from '../../storage/disk/privateFile.js'
import {systemCode} from '../../storage/disk/reason.js'
import {Claims, claimsFolder, type Waiter} from './claims.js'
import {
  type Chunk,
  type FinishedEntry,
  isFinished,
  type LedgerEntry,
  type LedgerRecord,
  type NewEntry,
  sameTarget,
  type UploadTarget,
} from './entry.js'
import {LedgerFile, ledgerFailure} from './ledgerFile.js'

/** The name of the ledger's file in its folder. */
export const ledgerFileName = 'uploads.jsonl'

/** Whether an entry of a ledger's folder is part of the ledger, by its name. */
export function isOfLedger(name: string): boolean {
  return name === claimsFolder || name.startsWith(ledgerFileName)
}

export interface LedgerOptions {
  readonly now: () => Date
  /** Says something on stderr: that lines are damaged, that an upload was taken over. A sentence without a full stop. */
  readonly warn?: (text: string) => void
}

/**
 * The ledger of uploads: an append-only event log (uploads.jsonl, 0600, in a folder of 0700) that several processes share. It is
 * written by claims alone. Every member raises a Failure (file) that names the file when it cannot be read or written.
 */
export interface Ledger {
  find(id: string): LedgerEntry | undefined
  /** Every entry that was not forgotten, the oldest first; `newest`: at most this many finished ones. A long ledger is read whole for it. */
  list(newest?: number): readonly LedgerEntry[]
  /** Unfinished uploads, the oldest first; of one target, with whatever content. */
  unfinished(target?: UploadTarget): readonly LedgerEntry[]
  /** Finished uploads under the names of these targets, for any platform, the oldest first. */
  finishedAs(targets: readonly Pick<UploadTarget, 'base' | 'container' | 'name'>[]): readonly FinishedEntry[]
  /** Those whose id begins so. */
  startingWith(prefix: string): readonly LedgerEntry[]
  /** The ids of uploads, of finished ones those that begin so. */
  ids(prefix: string): readonly string[]
  /** The upload, where another process has finished it since this ledger was opened. */
  finishedMeanwhile(id: string): FinishedEntry | undefined
  /**
   * Keeps others, in this process and in others, from the same upload until the claim is released. One that is taken is waited for
   * where there is a waiter, else it raises a Failure (state) that says who has it. A claim of a process that is gone is
   * none; one of another machine holds for as long as it was touched within a minute.
   */
  claim(id: string, waiter?: Waiter): Promise<Claim>
  /** Settles when all that was recorded is on the disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** An upload that nobody else may work on. What it records is with the system at once, where a kill takes nothing away. */
export interface Claim {
  /** A new upload, before its first byte; takes the place of an entry of the same id. */
  begin(entry: NewEntry): void
  created(url: string): void
  sending(chunk: Chunk): void
  acked(chunk: Chunk): void
  done(facts: {readonly uuid: string; readonly sha256: string | null}): void
  forget(): void
  /** The entry as it was before. */
  restore(entry: LedgerEntry): void
  release(): void
}

/**
 * Opens the ledger of uploads in a folder. Nothing is made before the first upload is claimed, so that looking needs no right to
 * write. Raises a Failure (file) where it cannot be read.
 */
export async function openLedger(dir: string, {now, warn = () => undefined}: LedgerOptions): Promise<Ledger> {
  return new FileLedger(dir, new LedgerFile(join(dir, ledgerFileName), warn), {now, warn})
}

class FileLedger implements Ledger {
  readonly #dir: string
  readonly #now: () => Date
  readonly #warn: (text: string) => void
  readonly #file: LedgerFile
  /** Where the file ended, and when it was, as this ledger was opened. */
  readonly #opened: {readonly offset: number; readonly file: number; readonly at: string}
  /** The uuids of what this process has finished. */
  readonly #own = new Set<string>()
  #claims: Claims | undefined

  constructor(dir: string, file: LedgerFile, {now, warn}: Required<LedgerOptions>) {
    this.#dir = dir
    this.#file = file
    this.#now = now
    this.#warn = warn
    file.read(() => undefined)
    this.#opened = {...file.end, at: now().toISOString()}
  }

  find(id: string): LedgerEntry | undefined {
    return this.#file.read((state) => state.find(id))
  }

  list(newest?: number): readonly LedgerEntry[] {
    return this.#file.read((state) => state.list(newest))
  }

  unfinished(target?: UploadTarget): readonly LedgerEntry[] {
    const all = this.#file.read((state) => state.unfinished())
    return target ? all.filter((entry) => sameTarget(entry, target)) : all
  }

  finishedAs(targets: readonly Pick<UploadTarget, 'base' | 'container' | 'name'>[]): readonly FinishedEntry[] {
    return this.#file.read((state) => state.finishedAs(targets))
  }

  startingWith(prefix: string): readonly LedgerEntry[] {
    return this.#file.read((state) => state.startingWith(prefix))
  }

  ids(prefix: string): readonly string[] {
    return this.#file.read((state) => state.ids(prefix))
  }

  finishedMeanwhile(id: string): FinishedEntry | undefined {
    const doneAt = this.#file.read((state) => state.doneAt(id))
    const {offset, file, at} = this.#opened
    if (doneAt === undefined || (file === this.#file.end.file && doneAt < offset)) return undefined
    const entry = this.find(id)
    // In a file that was rewritten the lines have other places, but the clock goes on.
    const isSince = file === this.#file.end.file || (entry?.done?.at ?? '') >= at
    return entry && isFinished(entry) && isSince && !this.#own.has(entry.done.uuid) ? entry : undefined
  }

  async claim(id: string, waiter?: Waiter): Promise<Claim> {
    const claims = this.#guarded(() => this.#enter())
    try {
      await claims.take(id, waiter)
    } catch (error) {
      if (waiter?.signal.aborted) throw error
      throw this.#failureOf(error)
    }
    const at = () => this.#now().toISOString()
    const add = (record: LedgerRecord) => this.#file.append(record)
    return {
      begin: (entry) => add({kind: 'entry', id, ...entry, begunAt: at(), updatedAt: at(), acked: []}),
      created: (url) => add({kind: 'created', id, at: at(), url}),
      sending: (chunk) => add({kind: 'sending', id, at: at(), ...chunk}),
      acked: (chunk) => add({kind: 'acked', id, at: at(), ...chunk}),
      done: (facts) => {
        this.#own.add(facts.uuid)
        add({kind: 'done', id, at: at(), ...facts})
      },
      forget: () => add({kind: 'forget', id, at: at()}),
      restore: (entry) => add({kind: 'entry', ...entry}),
      release: () => this.#guarded(() => claims.drop(id)),
    }
  }

  sync(): Promise<void> {
    return this.#file.sync()
  }

  async close(): Promise<void> {
    const claims = this.#claims
    this.#claims = undefined
    try {
      if (claims) {
        await this.#file.sync()
        await this.#tidy(claims)
      }
    } finally {
      this.#file.index()
      claims?.close()
      this.#file.close()
    }
  }

  /** What cannot be tidied up stays as it is, until another process can. */
  async #tidy(claims: Claims): Promise<void> {
    try {
      await claims.sweep()
      if (this.#file.read(({isUntidy}) => isUntidy)) await claims.whileAlone(() => this.#file.compact())
    } catch (error) {
      if (!(error instanceof Failure) && systemCode(error) === undefined) throw error
    }
  }

  /** Joins those that write the ledger. */
  #enter(): Claims {
    if (this.#claims) return this.#claims
    makePrivateFolder(this.#dir)
    keepPrivateFolder(this.#dir, {isOurs: isOfLedger})
    this.#file.beginWriting()
    this.#claims = new Claims(this.#dir, this.#file.path, this.#warn)
    return this.#claims
  }

  #guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw this.#failureOf(error)
    }
  }

  #failureOf(error: unknown): Failure {
    return ledgerFailure('cannot write the ledger of uploads', this.#file.path, error)
  }
}

/** The outcome of forgetting one upload. */
export interface Forgotten {
  readonly entry: LedgerEntry
  /** Another process works on it. */
  readonly failure?: Failure
}

/** Drops uploads from the ledger, but those that another process works on. Raises a Failure (file) of the ledger. */
export async function forgetAll(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<Forgotten[]> {
  const forgotten = await Promise.all(entries.map((entry) => forgetOne(ledger, entry)))
  await ledger.sync()
  return forgotten
}

async function forgetOne(ledger: Ledger, entry: LedgerEntry): Promise<Forgotten> {
  try {
    const claim = await ledger.claim(entry.id)
    claim.forget()
    claim.release()
    return {entry}
  } catch (error) {
    if (!(error instanceof Failure && error.facts.exit === 'state')) throw error
    return {entry, failure: error}
  }
}
