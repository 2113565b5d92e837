import {closeSync, fdatasync, fstatSync, lstatSync} from 'node:fs'
import {promisify} from 'node:util'
import {Folded} from './fold.js'
import {type LedgerRecord, lineOf, readLine} from './ledgerRecord.js'
import {appendLines, fileFailure, openToAppend, openToRead, readFrom} from './privateFile.js'

const syncData = promisify(fdatasync)

/**
 * The file of the ledger, and what its lines come to. What other processes append is taken in when it is looked at. Every
 * member raises a Failure (file) that names the file.
 */
export class LedgerFile {
  readonly path: string
  readonly #warn: (text: string) => void
  #folded = new Folded()
  #descriptor: number | undefined
  readonly #retired: number[] = []
  #inode = 0
  #writing = false
  /** Up to where its lines were taken in, and how much of it was looked at: the last line may be half written. */
  #taken = 0
  #seen = 0
  #lines = 0
  #damaged = 0
  #warned = false

  constructor(path: string, warn: (text: string) => void) {
    this.path = path
    this.#warn = warn
  }

  /** How many lines were taken in, and how many of them said nothing. */
  get counts(): {lines: number; damaged: number} {
    return {lines: this.#lines, damaged: this.#damaged}
  }

  /** What the ledger says now. */
  read(): Folded {
    this.#guard('read', () => {
      const size = this.#follow()
      if (size !== this.#seen) this.#takeIn()
    })
    return this.#folded
  }

  /** From now on the file is appended to; makes it. */
  beginWriting(): void {
    this.#guard('write', () => {
      this.#writing = true
      this.#reopen()
    })
  }

  /** Appends records: the system has them then, and a kill takes nothing away. */
  append(records: readonly LedgerRecord[]): void {
    this.#guard('write', () => {
      const size = this.#follow()
      if (this.#descriptor === undefined) return
      const isAllTaken = size === this.#taken
      const bytes = appendLines(this.#descriptor, records.map(lineOf).join(''), isAllTaken)
      const end = size + bytes
      // Where nobody else has written meanwhile, it need not be read to know what stands there.
      if (isAllTaken && fstatSync(this.#descriptor).size === end) this.#takeOwn(records, end)
    })
  }

  /** Settles when all that was appended is on the disk. */
  async sync(): Promise<void> {
    try {
      if (this.#descriptor !== undefined) await syncData(this.#descriptor)
    } catch (error) {
      throw fileFailure('cannot write the ledger of uploads', this.path, error)
    }
  }

  close(): void {
    this.#retire()
    for (const descriptor of this.#retired.splice(0)) closeSync(descriptor)
    this.#writing = false
  }

  #guard(verb: 'read' | 'write', work: () => void): void {
    try {
      work()
    } catch (error) {
      throw fileFailure(`cannot ${verb} the ledger of uploads`, this.path, error)
    }
  }

  /** Opens the file anew where another one has taken its place; gives back its size. */
  #follow(): number {
    const stat = lstatSync(this.path, {throwIfNoEntry: false})
    const isSame = stat !== undefined && stat.ino === this.#inode && stat.size >= this.#seen
    if (this.#descriptor !== undefined && isSame) return stat.size
    if (stat === undefined && this.#descriptor === undefined && !this.#writing) return 0
    this.#reopen()
    return this.#descriptor === undefined ? 0 : fstatSync(this.#descriptor).size
  }

  #reopen(): void {
    const before = this.#descriptor === undefined ? undefined : this.#inode
    this.#retire()
    this.#descriptor = this.#writing ? openToAppend(this.path) : openToRead(this.path)
    const stat = this.#descriptor === undefined ? undefined : fstatSync(this.#descriptor)
    this.#inode = stat?.ino ?? 0
    if (stat === undefined || stat.ino !== before || stat.size < this.#seen) this.#forgetAll()
  }

  #forgetAll(): void {
    this.#folded = new Folded()
    this.#taken = 0
    this.#seen = 0
    this.#lines = 0
    this.#damaged = 0
  }

  /** Closed at the end only: a sync may be under way. */
  #retire(): void {
    if (this.#descriptor !== undefined) this.#retired.push(this.#descriptor)
    this.#descriptor = undefined
  }

  #takeIn(): void {
    if (this.#descriptor === undefined) return
    const bytes = readFrom(this.#descriptor, this.#taken)
    const end = bytes.lastIndexOf(0x0a) + 1
    for (const line of bytes.toString('utf8', 0, end).split('\n')) if (line !== '') this.#take(line)
    this.#seen = this.#taken + bytes.length
    this.#taken += end
    if (this.#damaged > 0 && !this.#warned) this.#warnOfDamage()
  }

  #takeOwn(records: readonly LedgerRecord[], end: number): void {
    for (const record of records) this.#folded.take(record)
    this.#lines += records.length
    this.#taken = end
    this.#seen = end
  }

  #take(line: string): void {
    const record = readLine(line)
    this.#lines += 1
    if (record === 'damaged') this.#damaged += 1
    else if (record !== 'foreign') this.#folded.take(record)
  }

  #warnOfDamage(): void {
    this.#warned = true
    const lines = this.#damaged === 1 ? 'a damaged line' : `${this.#damaged} damaged lines`
    this.#warn(`${lines} of the ledger of uploads ${this.path} ${this.#damaged === 1 ? 'was' : 'were'} skipped`)
  }
}
