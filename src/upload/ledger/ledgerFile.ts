import {closeSync, fdatasync, fstatSync, lstatSync, readSync} from 'node:fs'
import {dirname} from 'node:path'
import {promisify} from 'node:util'
import {Failure} from '../../api/contract/failure.js'
import {appendLines, openPrivateFile, openToAppend, syncFolder} from '../../storage/disk/privateFile.js'
import {systemCode, systemReason, UnusableFile} from '../../storage/disk/reason.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'
import {type LedgerRecord, LedgerState, lineOf} from './ledgerState.js'

const syncData = promisify(fdatasync)

/** No ledger comes near it; what is larger is not held in memory. */
const maxBytes = 256 * 1024 * 1024
/** What is written within this time shares its way to the disk (group commit): a sync for each record costs more than sending. */
const syncMs = 100

/**
 * The file of the ledger, an append-only event log of several processes, and the state that its lines come to. Every member
 * raises a Failure (file) that names the file.
 */
export class LedgerFile {
  readonly path: string
  readonly #warn: (text: string) => void
  #state = new LedgerState()
  #descriptor: number | undefined
  /** Of files that another took the place of; closed at the end, as a sync may be under way. */
  readonly #retired: number[] = []
  #inode = 0
  #isWriting = false
  /** Up to where its lines were taken in, and how much of it was looked at: the last line may be half written. */
  #taken = 0
  #seen = 0
  /** Where the last line of this process ends, a whole one. */
  #end = -1
  #isWarned = false
  #syncing: NodeJS.Timeout | undefined
  /** Why a sync failed that nobody waited for. */
  #failure: unknown

  constructor(path: string, warn: (text: string) => void) {
    this.path = path
    this.#warn = warn
  }

  /** What the ledger says now, also of what other processes have appended. */
  read(): LedgerState {
    this.#guard('read', () => {
      if (this.#follow() !== this.#seen) this.#takeIn()
    })
    return this.#state
  }

  /** From now on the file is appended to; makes it. */
  beginWriting(): void {
    this.#guard('write', () => {
      this.#retire()
      this.#isWriting = true
      this.#follow()
    })
  }

  /** Appends a record: the system has it then, and a kill takes nothing away. A power failure may until it is synced. */
  append(record: LedgerRecord): void {
    this.#guard('write', () => {
      const size = this.#follow()
      if (this.#descriptor === undefined) return
      this.#end = size + appendLines(this.#descriptor, lineOf(record), size === this.#end)
    })
    this.#syncing ??= setTimeout(() => {
      this.sync().catch((error) => {
        this.#failure = error
      })
    }, syncMs).unref()
  }

  /** Settles when all that was appended is on the disk. */
  async sync(): Promise<void> {
    clearTimeout(this.#syncing)
    this.#syncing = undefined
    try {
      if (this.#descriptor !== undefined && this.#isWriting) await syncData(this.#descriptor)
    } catch (error) {
      throw ledgerFailure('cannot write the ledger of uploads', this.path, error)
    }
    // The system tells of a write that failed only once.
    if (this.#failure) throw this.#failure
  }

  /**
   * Writes the file anew with the fewest lines (log compaction), where that is worth it, in one step: a reader, or a kill, finds the
   * old or the new. Nobody else may be writing it. Where it fails, it is as it was.
   */
  compact(): void {
    const state = this.read()
    if (state.isUntidy) this.#guard('write', () => replaceFile(this.path, Buffer.from(state.lines())))
  }

  close(): void {
    this.#isWriting = false
    this.#retire()
    for (const descriptor of this.#retired.splice(0)) closeSync(descriptor)
  }

  #guard(verb: 'read' | 'write', work: () => void): void {
    try {
      work()
    } catch (error) {
      throw ledgerFailure(`cannot ${verb} the ledger of uploads`, this.path, error)
    }
  }

  /** Opens the file, anew where another one has taken its place; gives its size, 0 where there is none to be read. */
  #follow(): number {
    const stat = lstatSync(this.path, {throwIfNoEntry: false})
    if (this.#descriptor !== undefined && stat?.ino === this.#inode && stat.size >= this.#seen) return stat.size
    this.#retire()
    if (this.#isWriting) this.#descriptor = openToAppend(this.path, {maxBytes})
    else if (stat) this.#descriptor = openPrivateFile(this.path, {maxBytes})
    if (this.#isWriting && !stat) syncFolder(dirname(this.path))
    const {ino, size} = this.#descriptor === undefined ? {ino: 0, size: 0} : fstatSync(this.#descriptor)
    if (ino !== this.#inode || size < this.#seen) {
      this.#state = new LedgerState()
      this.#taken = 0
      this.#seen = 0
      this.#end = -1
    }
    this.#inode = ino
    return size
  }

  #retire(): void {
    if (this.#descriptor !== undefined) this.#retired.push(this.#descriptor)
    this.#descriptor = undefined
  }

  #takeIn(): void {
    if (this.#descriptor === undefined) return
    const bytes = readFrom(this.#descriptor, this.#taken)
    const end = bytes.lastIndexOf(0x0a) + 1
    for (const line of bytes.toString('utf8', 0, end).split('\n')) if (line !== '') this.#state.take(line)
    this.#seen = this.#taken + bytes.length
    this.#taken += end
    const {damaged} = this.#state
    if (damaged === 0 || this.#isWarned) return
    this.#isWarned = true
    const lines = damaged === 1 ? 'a damaged line' : `${damaged} damaged lines`
    this.#warn(`${lines} of the ledger of uploads ${this.path} ${damaged === 1 ? 'was' : 'were'} skipped`)
  }
}

/** What a file holds from `offset` on. */
function readFrom(descriptor: number, offset: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, fstatSync(descriptor).size - offset))
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, offset + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

/** The failure of a file of the ledger. `doing`: `cannot read the ledger of uploads`. An error that is not the system's is raised again. */
export function ledgerFailure(doing: string, path: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  const elsewhere = 'keep the ledger in another folder with --state-dir DIR'
  if (error instanceof UnusableFile && error.fault !== 'mode') {
    const [unusable, advice] =
      error.fault === 'shared'
        ? [dirname(path), `--state-dir ${dirname(path)}/uploads, or another folder of your own`]
        : [path, `move it away, or ${elsewhere}`]
    const message = `${unusable} is not used for the ledger of uploads: ${error.message}`
    return new Failure({exit: 'file', message, try: advice}, {cause: error})
  }
  const why = systemCode(error) === 'ELOOP' ? 'a link could lead the writing to any other file' : undefined
  const message = `${doing} ${path}: ${systemReason(error)}`
  return new Failure({exit: 'file', message, why, try: `put that right, or ${elsewhere}`}, {cause: error})
}
