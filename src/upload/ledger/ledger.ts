import {join} from 'node:path'
import {Turns, takeUpload} from './claim.js'
import {GroupCommit} from './commit.js'
import type {Chunk, Ledger, LedgerEntry, UploadTarget} from './entry.js'
import type {Folded} from './fold.js'
import {LedgerFile} from './ledgerFile.js'
import type {LedgerRecord} from './ledgerRecord.js'
import {Presence} from './presence.js'
import {fileFailure, keepPrivateFolder} from './privateFile.js'
import {tidy, untilTidied} from './tidy.js'

/** The name of the ledger's file in its folder. */
export const ledgerFileName = 'uploads.jsonl'

export interface LedgerOptions {
  readonly now: () => Date
  /** Says something on stderr: that lines are damaged. A sentence without a stop. */
  readonly warn?: (text: string) => void
}

/**
 * Opens the ledger of uploads in a folder. Nothing is made before the first record is written or the first upload claimed, so
 * that looking needs no right to write. Raises a Failure (file) where it cannot be read.
 */
export async function openLedger(dir: string, options: LedgerOptions): Promise<Ledger> {
  const {now, warn = () => undefined} = options
  const file = new LedgerFile(join(dir, ledgerFileName), warn)
  file.read()
  return new FileLedger(dir, file, now)
}

class FileLedger implements Ledger {
  readonly #dir: string
  readonly #now: () => Date
  readonly #file: LedgerFile
  readonly #commit: GroupCommit<LedgerRecord>
  readonly #turns = new Turns()
  #presence: Promise<Presence> | undefined
  #isPresent = false

  constructor(dir: string, file: LedgerFile, now: () => Date) {
    this.#dir = dir
    this.#file = file
    this.#now = now
    this.#commit = new GroupCommit(
      (records) => this.#file.append(records),
      () => this.#file.sync(),
    )
  }

  find(id: string): LedgerEntry | undefined {
    return this.#said().find(id)
  }

  list(): readonly LedgerEntry[] {
    return this.#said().list()
  }

  unfinished(target: UploadTarget): readonly LedgerEntry[] {
    return this.#said().unfinished((entry) => sameTarget(entry, target))
  }

  begin(entry: Parameters<Ledger['begin']>[0]): Promise<void> {
    const at = this.#at()
    return this.#add({kind: 'entry', entry: {...entry, begunAt: at, updatedAt: at, acked: []}})
  }

  created(id: string, url: string): Promise<void> {
    return this.#add({kind: 'created', id, at: this.#at(), url})
  }

  sending(id: string, chunk: Chunk): Promise<void> {
    return this.#add({kind: 'sending', id, at: this.#at(), chunk})
  }

  acked(id: string, chunk: Chunk): Promise<void> {
    return this.#add({kind: 'acked', id, at: this.#at(), chunk})
  }

  done(id: string, facts: {readonly uuid: string; readonly sha256: string | null}): Promise<void> {
    return this.#add({kind: 'done', id, at: this.#at(), uuid: facts.uuid, sha256: facts.sha256})
  }

  forget(id: string): Promise<void> {
    return this.#add({kind: 'forget', id, at: this.#at()})
  }

  async claim(id: string): Promise<() => Promise<void>> {
    const endTurn = await this.#turns.take(id)
    try {
      const presence = await this.#present()
      await this.#guarded(() => takeUpload(presence, id))
      return async () => {
        // Whoever has it next, in this process or another, finds what was said of it.
        this.#commit.give()
        endTurn()
        await this.#guarded(async () => presence.drop(id))
      }
    } catch (error) {
      endTurn()
      throw error
    }
  }

  hurry(): void {
    this.#commit.hurry()
  }

  async close(): Promise<void> {
    await this.#commit.drained()
    const presence = await this.#presence
    this.#presence = undefined
    this.#isPresent = false
    try {
      if (presence) tidy(presence, this.#file)
    } finally {
      presence?.leave()
      this.#file.close()
    }
  }

  #at(): string {
    return this.#now().toISOString()
  }

  /** What the ledger says, also of what was only just added. */
  #said(): Folded {
    this.#commit.give()
    return this.#file.read()
  }

  async #add(record: LedgerRecord): Promise<void> {
    if (!this.#isPresent) await this.#present()
    await this.#commit.add(record)
  }

  /** Joins those that work with this ledger, before the first thing is written. */
  #present(): Promise<Presence> {
    this.#presence ??= this.#enter().catch((error: unknown) => {
      this.#presence = undefined
      throw error
    })
    return this.#presence
  }

  #enter(): Promise<Presence> {
    return this.#guarded(async () => {
      keepPrivateFolder(this.#dir, (name) => name === 'runs' || name.startsWith(ledgerFileName))
      const presence = new Presence(this.#dir)
      try {
        await untilTidied(presence)
        this.#file.beginWriting()
        this.#isPresent = true
        return presence
      } catch (error) {
        presence.leave()
        throw error
      }
    })
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw fileFailure('cannot write the ledger of uploads', this.#file.path, error)
    }
  }
}

function sameTarget(one: UploadTarget, other: UploadTarget): boolean {
  return (
    one.name === other.name &&
    one.container === other.container &&
    one.platform === other.platform &&
    one.description === other.description &&
    one.link === other.link &&
    one.base === other.base
  )
}
