import {createHash} from 'node:crypto'
import {closeSync, fdatasync, fstatSync, lstatSync, readSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'
import {promisify} from 'node:util'
import {Failure} from '../../api/contract/failure.js'
import {
  appendLines,
  openPrivateFile,
  openToAppend,
  readPrivateFile,
  syncFolder,
} from '../../storage/disk/privateFile.js'
import {systemCode, systemReason, UnusableFile} from '../../storage/disk/reason.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'
import {type LedgerRecord, lineOf, OtherVersion} from './entry.js'
import {packIndex, unpackIndex} from './finished.js'
import {IndexMismatch, LedgerState, type StateSummary} from './ledgerState.js'

const syncData = promisify(fdatasync)

/** Half a million uploads; a text of V8 holds no more. */
const maxBytes = 500 * 1024 * 1024
const blockBytes = 2 ** 20
/** So many damaged lines are named; a person needs no more to look at them. */
const namedLines = 5
/** What is read for one line that is asked for. */
const lineBytes = 2 ** 13
/** So much may follow what the index tells of before it is rewritten: some hundreds of uploads, read in a few milliseconds. */
const unindexedBytes = 2 ** 18
/** So much of the ledger before the end of what the index tells of proves that it tells of this one. */
const provenBytes = 4096

/** What the index tells of: the ledger up to an offset. */
interface IndexHeader extends StateSummary {
  readonly covered: number
  readonly proof: string
}
/** What is written within this time shares its way to the disk (group commit): a sync for each record costs more than sending. */
const syncMs = 100

/**
 * The file of the ledger, an append-only event log of several processes, and the state that its lines come to. Every member
 * raises a Failure (file) that names the file.
 */
export class LedgerFile {
  readonly path: string
  readonly #warn: (text: string) => void
  #state = this.#newState()
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
  /** Up to where the index tells of it; whether one is looked for. */
  #covered = 0
  #isIndexed = true
  /** How often another file has taken its place. */
  #replaced = 0
  /** What was read last for a line that was asked for. */
  #block: {readonly from: number; readonly bytes: Buffer} = {from: 0, bytes: Buffer.alloc(0)}
  #isWarned = false
  #syncing: NodeJS.Timeout | undefined
  /** Why a sync failed that nobody waited for. */
  #failure: unknown

  constructor(path: string, warn: (text: string) => void) {
    this.path = path
    this.#warn = warn
  }

  /** What the ledger says now, also of what other processes have appended. */
  read<T>(ask: (state: LedgerState) => T): T {
    try {
      return ask(this.#upToDate())
    } catch (error) {
      if (!(error instanceof IndexMismatch)) throw error
      if (!this.#isIndexed) throw changedMeanwhile(this.path)
      this.#isIndexed = false
      this.#begin()
      return ask(this.#upToDate())
    }
  }

  /** How much of the file has been taken in, in bytes; and how often another file has taken its place. */
  get end(): {readonly offset: number; readonly file: number} {
    return {offset: this.#taken, file: this.#replaced}
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
      const line = lineOf(record)
      const written = appendLines(this.#descriptor, line, size === this.#end)
      this.#end = size + written
      // What nobody wrote into need not be read again.
      if (this.#taken !== size || fstatSync(this.#descriptor).size !== this.#end) return
      this.#state.apply(record, this.#end - Buffer.byteLength(line))
      this.#taken = this.#end
      this.#seen = this.#end
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
   * Rewrites the file with the fewest lines (log compaction), where that is worth it, in one step: a reader, or a kill, finds the
   * old or the new. Nobody else may be writing it. Where it fails, it is as it was.
   */
  compact(): void {
    this.read((state) => {
      if (!state.isUntidy) return
      this.#guard('write', () => replaceFile(this.path, this.#compacted(state)))
      rmSync(this.#indexPath, {force: true})
    })
  }

  /** A process that was stopped for long has lost the lock, and others may have written since. */
  *#compacted(state: LedgerState): Generator<Buffer> {
    yield* state.compacted()
    if (this.#follow() !== this.#seen) throw changedMeanwhile(this.path)
  }

  /**
   * Writes the index of the uploads that are done, where much has come since it was written. It is a cache: one that does not tell of
   * this ledger, or is not there, costs the reading of all of it, and whoever writes last is right.
   */
  index(): void {
    try {
      const {damaged} = this.#upToDate()
      if (this.#descriptor === undefined || damaged.length > 0 || this.#taken - this.#covered < unindexedBytes) return
      const {summary, rows} = this.#state.packed()
      const proof = proofOf(this.#descriptor, this.#taken)
      replaceFile(this.#indexPath, packIndex({...summary, covered: this.#taken, proof}, rows))
      this.#covered = this.#taken
    } catch (error) {
      if (!(error instanceof Failure || error instanceof IndexMismatch) && systemCode(error) === undefined) throw error
    }
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

  /** Opens the file, again where another one has taken its place; gives its size, 0 where there is none to be read. */
  #follow(): number {
    const stat = lstatSync(this.path, {throwIfNoEntry: false})
    if (this.#descriptor !== undefined && stat?.ino === this.#inode && stat.size >= this.#seen) return stat.size
    this.#retire()
    if (this.#isWriting) this.#descriptor = openToAppend(this.path, {maxBytes})
    else if (stat) this.#descriptor = openPrivateFile(this.path, {maxBytes})
    if (this.#isWriting && !stat) syncFolder(dirname(this.path))
    const {ino, size} = this.#descriptor === undefined ? {ino: 0, size: 0} : fstatSync(this.#descriptor)
    if (ino !== this.#inode || size < this.#seen) {
      if (this.#inode !== 0) this.#replaced += 1
      this.#begin()
    }
    this.#inode = ino
    return size
  }

  /** From the beginning of the file, or from where its index ends. */
  #begin(): void {
    this.#state = this.#newState()
    this.#block = {from: 0, bytes: Buffer.alloc(0)}
    this.#end = -1
    const known = this.#isIndexed && this.#descriptor !== undefined ? this.#readIndex(this.#descriptor) : undefined
    if (known) this.#state.restore(known.header, known.rows)
    this.#covered = known?.header.covered ?? 0
    this.#taken = this.#covered
    this.#seen = this.#covered
  }

  #newState(): LedgerState {
    return new LedgerState((offset) => this.#lineAt(offset))
  }

  #upToDate(): LedgerState {
    this.#guard('read', () => {
      if (this.#follow() !== this.#seen) this.#takeIn()
    })
    return this.#state
  }

  get #indexPath(): string {
    return `${this.path}.index`
  }

  /** The index, where there is one that tells of this file. */
  #readIndex(descriptor: number): {header: IndexHeader; rows: Uint32Array} | undefined {
    try {
      const bytes = readPrivateFile(this.#indexPath, {maxBytes})
      const index = bytes && unpackIndex(bytes)
      if (!index) return undefined
      // The digest in it says that nobody else wrote it.
      const header = index.header as IndexHeader
      const isOfThis =
        header.covered <= fstatSync(descriptor).size && header.proof === proofOf(descriptor, header.covered)
      return isOfThis ? {header, rows: index.rows} : undefined
    } catch (error) {
      if (error instanceof UnusableFile || systemCode(error) !== undefined) return undefined
      throw error
    }
  }

  #retire(): void {
    if (this.#descriptor !== undefined) this.#retired.push(this.#descriptor)
    this.#descriptor = undefined
  }

  #takeIn(): void {
    if (this.#descriptor === undefined) return
    // One block for all: freed ones stay until the next collection.
    let space = Buffer.allocUnsafe(Math.min(blockBytes, fstatSync(this.#descriptor).size - this.#taken + 1))
    for (let isLast = false; !isLast; ) {
      const block = readInto(space, this.#descriptor, this.#taken)
      const end = this.#takeLines(block)
      isLast = block.length < space.length
      this.#seen = this.#taken + block.length - end
      // A line that is longer than the block.
      if (end === 0 && !isLast) space = Buffer.allocUnsafe(2 * space.length)
    }
    const {damaged} = this.#state
    if (damaged.length === 0 || this.#isWarned) return
    this.#isWarned = true
    const [named, more] = [damaged.slice(0, namedLines).join(', '), damaged.length - namedLines]
    const lines = damaged.length === 1 ? `line ${named}` : `lines ${named}${more > 0 ? ` and ${more} more` : ''}`
    const were = damaged.length === 1 ? 'is damaged and was' : 'are damaged and were'
    this.#warn(`${lines} of the ledger of uploads ${this.path} ${were} skipped`)
  }

  /** Takes in the whole lines of a block; gives where the last one ends. */
  #takeLines(block: Buffer): number {
    const offset = this.#taken
    let from = 0
    for (let end = block.indexOf(0x0a); end !== -1; end = block.indexOf(0x0a, from)) {
      this.#state.take(block.toString('utf8', from, end), offset + from)
      from = end + 1
    }
    this.#taken = offset + from
    return from
  }

  #lineAt(offset: number): string {
    for (let bytes = lineBytes; ; bytes *= 4) {
      const {from, bytes: block} = this.#block
      const isHere = offset >= from && offset < from + block.length
      const end = isHere ? block.indexOf(0x0a, offset - from) : -1
      if (end !== -1) return block.toString('utf8', offset - from, end)
      if (this.#descriptor === undefined || (isHere && from === offset && block.length < bytes / 4)) return ''
      this.#block = {from: offset, bytes: readInto(Buffer.allocUnsafe(bytes), this.#descriptor, offset)}
      if (this.#block.bytes.length === 0) return ''
    }
  }
}

function changedMeanwhile(path: string): Failure {
  const message = `cannot read the ledger of uploads ${path}: another program changed it meanwhile`
  return new Failure({exit: 'file', message, try: 'run the command again'})
}

/** What a file holds from an offset on, as much as there is space for. */
function readInto(bytes: Buffer, descriptor: number, offset: number): Buffer {
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, offset + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

function proofOf(descriptor: number, end: number): string {
  const bytes = Math.min(end, provenBytes)
  return createHash('sha256')
    .update(readInto(Buffer.allocUnsafe(bytes), descriptor, end - bytes))
    .digest('hex')
}

/** The failure of a file of the ledger. `doing`: `cannot read the ledger of uploads`. An error that is not the system's is raised again. */
export function ledgerFailure(doing: string, path: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  const elsewhere = 'keep the ledger in another folder with --state-dir DIR'
  if (error instanceof OtherVersion) {
    const message = `the ledger of uploads ${path} is of another version of roomctl`
    return new Failure({exit: 'file', message, try: `move it away, or ${elsewhere}`}, {cause: error})
  }
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
  return new Failure({exit: 'file', message, why, try: `fix that, or ${elsewhere}`}, {cause: error})
}
