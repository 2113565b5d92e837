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
  type NewEntry,
  sameTarget,
  type UploadTarget,
} from './entry.js'
import {LedgerFile, ledgerFailure} from './ledgerFile.js'
import type {LedgerRecord} from './ledgerState.js'

/** The name of the ledger's file in its folder. */
export const ledgerFileName = 'uploads.jsonl'

export interface LedgerOptions {
  readonly now: () => Date
  /** Says something on stderr: that lines are damaged. A sentence without a stop. */
  readonly warn?: (text: string) => void
}

/**
 * The ledger of uploads: an append-only event log (uploads.jsonl, 0600, in a folder of 0700) that several processes share. It is
 * written by claims alone. Every member raises a Failure (file) that names the file when it cannot be read or written.
 */
export interface Ledger {
  find(id: string): LedgerEntry | undefined
  /** Every entry that was not forgotten, the oldest first. */
  list(): readonly LedgerEntry[]
  /** Unfinished uploads of the same target, with whatever content. */
  unfinished(target: UploadTarget): readonly LedgerEntry[]
  /** The upload, where another process has finished it since this ledger was opened. */
  finishedMeanwhile(id: string): FinishedEntry | undefined
  /**
   * Keeps others, in this process and in others, from the same upload until the claim is released. One that is taken is waited for
   * where there is a waiter, else it raises a Failure (state) that says who has it. A claim of a process that is gone, on this
   * machine or another, is no claim.
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
  release(): void
}

/**
 * Opens the ledger of uploads in a folder. Nothing is made before the first upload is claimed, so that looking needs no right to
 * write. Raises a Failure (file) where it cannot be read.
 */
export async function openLedger(dir: string, {now, warn = () => undefined}: LedgerOptions): Promise<Ledger> {
  return new FileLedger(dir, new LedgerFile(join(dir, ledgerFileName), warn), now)
}

class FileLedger implements Ledger {
  readonly #dir: string
  readonly #now: () => Date
  readonly #file: LedgerFile
  /** The uuids of what was finished before, and by this process. */
  readonly #finished: Set<string>
  #claims: Claims | undefined

  constructor(dir: string, file: LedgerFile, now: () => Date) {
    this.#dir = dir
    this.#file = file
    this.#now = now
    const finished = file.read().list().filter(isFinished)
    this.#finished = new Set(finished.map(({done}) => done.uuid))
  }

  find(id: string): LedgerEntry | undefined {
    return this.#file.read().find(id)
  }

  list(): readonly LedgerEntry[] {
    return this.#file.read().list()
  }

  unfinished(target: UploadTarget): readonly LedgerEntry[] {
    const all = this.#file.read().unfinished()
    return all.filter((entry) => sameTarget(entry, target))
  }

  finishedMeanwhile(id: string): FinishedEntry | undefined {
    const entry = this.find(id)
    return entry && isFinished(entry) && !this.#finished.has(entry.done.uuid) ? entry : undefined
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
        this.#finished.add(facts.uuid)
        add({kind: 'done', id, at: at(), ...facts})
      },
      forget: () => add({kind: 'forget', id, at: at()}),
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
      claims?.close()
      this.#file.close()
    }
  }

  /** What cannot be tidied up stays as it is, until another process can. */
  async #tidy(claims: Claims): Promise<void> {
    try {
      await claims.sweep()
      if (this.#file.read().isUntidy) claims.whileAlone(() => this.#file.compact())
    } catch (error) {
      if (!(error instanceof Failure) && systemCode(error) === undefined) throw error
    }
  }

  /** Joins those that write the ledger. */
  #enter(): Claims {
    if (this.#claims) return this.#claims
    makePrivateFolder(this.#dir)
    keepPrivateFolder(this.#dir, {isOurs: (name) => name === claimsFolder || name.startsWith(ledgerFileName)})
    this.#file.beginWriting()
    this.#claims = new Claims(this.#dir)
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

/** What came of forgetting one upload. */
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
