import {closeSync, fdatasync, fdatasyncSync, fstatSync, lstatSync, readSync} from 'node:fs'
import {dirname} from 'node:path'
import {promisify, TextDecoder} from 'node:util'
import type * as z from 'zod/mini'
import {
  appendLines,
  closeFolder,
  makePrivateFolder,
  openPrivateFile,
  openToAppend,
  syncFolder,
  systemCode,
  thenClose,
} from '../disk/privateFile.js'
import {replaceFile} from '../disk/replaceFile.js'
import {checkLine, logLine, parseLogLine} from './line.js'
import {beginsWithRecord, type Rotation, rotateLog} from './rotate.js'

/**
 * A log: an append-only file of JSON lines that several processes of one user write. Nothing is truncated: an unfinished last line
 * gets a line break before the next append, and readers skip it.
 */
export interface LogForm<T> {
  readonly shape: z.ZodMiniType<T>
  /**
   * The names of the tool's own files beside it: a folder with no others is created, and closed to other users. Absent: the folder
   * is not changed.
   */
  readonly folderHolds?: RegExp
  /** Bytes; a larger file is refused. */
  readonly maxBytes?: number
  /** Appending waits until the disk has the lines. */
  readonly isSynced?: true
  /** Absent: the file grows. */
  readonly rotation?: Rotation
}

/** Appends records in one write, so that concurrent writers do not interleave, after a rotation that is due. Throws the system's error. */
export function appendToLog<T>(path: string, form: LogForm<T>, records: readonly T[]): void {
  const lines = records.map(logLine).join('')
  // Once more if the file was rotated and deleted between its opening and the writing.
  if (!isWritten(path, form, lines)) isWritten(path, form, lines)
}

/** Replaces a log as a whole. `isCurrent` is asked at the last moment: false throws the system's EBUSY. */
export function replaceLog<T>(path: string, records: Iterable<T>, isCurrent = () => true): void {
  replaceFile(path, blocksOf(records, isCurrent))
}

const blockLength = 2 ** 20

function* blocksOf<T>(records: Iterable<T>, isCurrent: () => boolean): Generator<Buffer> {
  let block = ''
  for (const record of records) {
    block += logLine(record)
    if (block.length < blockLength) continue
    yield Buffer.from(block)
    block = ''
  }
  yield Buffer.from(block)
  if (!isCurrent()) throw Object.assign(new Error('changed meanwhile'), {code: 'EBUSY'})
}

/** Whether the lines are in a file that still exists. */
function isWritten<T>(path: string, form: LogForm<T>, lines: string): boolean {
  return thenClose(openRotated(path, form), (file) => {
    const isThere = fstatSync(file).nlink > 0
    appendLines(file, lines)
    if (form.isSynced) fdatasyncSync(file)
    return !isThere || fstatSync(file).nlink > 0
  })
}

function openRotated<T>(path: string, {shape, folderHolds, rotation}: LogForm<T>): number {
  if (!folderHolds) return openToAppend(path)
  closeFolder(dirname(path), (name) => folderHolds.test(name))
  const file = openInFolder(path)
  if (!rotation || fstatSync(file).size < rotation.bytes || !beginsWithRecord(file, shape)) return file
  closeSync(file)
  rotateLog(path, shape, rotation)
  return openInFolder(path)
}

/** Creates the folder only if the open fails: a run of many uploads has many lines. */
function openInFolder(path: string): number {
  try {
    return openToAppend(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  makePrivateFolder(dirname(path))
  return openToAppend(path)
}

const syncData = promisify(fdatasync)
const blockBytes = 64 * 1024
/** Group commit: lines appended within this time share one sync. */
const syncMs = 100

/** A state built from the records of a log (event sourcing). */
export interface LogFold<T> {
  /** Whether the record is valid after those before it; otherwise its line counts as damaged. */
  take(record: T): boolean
  /** Another file has taken the place of the log, which is read from its first line: back to the empty state. */
  restart(): void
}

/** Whether to skip a line without parsing, which is much faster; its checksum is still verified. */
type IsPassed = (line: Buffer) => boolean

/**
 * A log that several processes fold, each reading what others have appended. Unreadable lines are skipped and counted. Every member
 * throws the system's error and an UnusableFile.
 */
export class SharedLog<T> {
  readonly #decoder = new TextDecoder('utf-8', {fatal: true})
  #descriptor: number | undefined
  /** Descriptors of files that another took the place of; closed at the end, as a sync may be under way. */
  readonly #retired: number[] = []
  #inode = 0
  #isAppending = false
  /** The end of the last whole line, and the bytes seen: the last line may be half written. */
  #read = 0
  #seen = 0
  #lines = 0
  #replaced = 0
  #damaged: number[] = []
  #syncing: NodeJS.Timeout | undefined
  /** The error of a sync in the background: the system reports it only once. */
  #failure: unknown

  constructor(
    readonly path: string,
    private readonly form: LogForm<T>,
    private readonly fold: LogFold<T>,
    private readonly isPassed: IsPassed = () => false,
  ) {}

  get lines(): number {
    return this.#lines
  }

  get damaged(): readonly number[] {
    return this.#damaged
  }

  /** Generation, incremented on rotation. */
  get replaced(): number {
    return this.#replaced
  }

  /** Brings the fold up to date with the whole lines of the file. */
  read(): void {
    const size = this.#follow()
    if (size === this.#seen || this.#descriptor === undefined) return
    this.#takeLines(this.#descriptor)
    this.#seen = Math.max(size, this.#read)
  }

  /** Opens the file for appending, and creates it if missing; its folder must exist. */
  open(): void {
    this.#retire()
    this.#isAppending = true
    try {
      this.#follow()
    } catch (error) {
      this.#isAppending = false
      throw error
    }
  }

  /** Appends a record: the system has it then, and a kill takes nothing away. A power cut may, until it is synced. */
  append(record: T): void {
    const size = this.#follow()
    if (this.#descriptor === undefined) throw new Error('the log is not open')
    const isRead = size === this.#read
    const end = size + appendLines(this.#descriptor, logLine(record), isRead)
    this.#syncing ??= setTimeout(() => {
      this.sync().catch((error) => {
        this.#failure = error
      })
    }, syncMs).unref()
    // Lines of this process need not be read again.
    if (!isRead || fstatSync(this.#descriptor).size !== end) return
    this.#read = end
    this.#seen = end
    this.#take(record)
  }

  /** Settles when all that was appended is on the disk. */
  async sync(): Promise<void> {
    clearTimeout(this.#syncing)
    this.#syncing = undefined
    if (this.#descriptor !== undefined && this.#isAppending) await syncData(this.#descriptor)
    if (this.#failure) throw this.#failure
  }

  /** Log compaction, while no other process appends. Throws EBUSY if the file has changed since it was read: another process was only stopped. */
  compact(records: Iterable<T>): void {
    replaceLog(this.path, records, () => this.#follow() === this.#seen)
  }

  /** Closes the file; `read` opens it again. */
  close(): void {
    clearTimeout(this.#syncing)
    this.#isAppending = false
    this.#retire()
    for (const descriptor of this.#retired.splice(0)) closeSync(descriptor)
  }

  /** Opens the file, again after a rotation; returns its size, 0 for a missing file. */
  #follow(): number {
    const stat = lstatSync(this.path, {throwIfNoEntry: false})
    const isSame = stat?.ino === this.#inode && stat.size >= this.#seen
    const isEnough = this.#descriptor !== undefined || (!this.#isAppending && stat?.size === this.#seen)
    if (isSame && isEnough) return stat.size
    this.#retire()
    if (this.#isAppending) this.#descriptor = openToAppend(this.path, this.form)
    else if (stat) this.#descriptor = openPrivateFile(this.path, this.form)
    if (this.#isAppending && !stat) syncFolder(dirname(this.path))
    const {ino, size} = this.#descriptor === undefined ? {ino: 0, size: 0} : fstatSync(this.#descriptor)
    if (ino !== this.#inode || size < this.#seen) this.#restart()
    this.#inode = ino
    return size
  }

  #restart(): void {
    if (this.#inode !== 0) this.#replaced += 1
    this.#read = 0
    this.#seen = 0
    this.#lines = 0
    this.#damaged = []
    this.fold.restart()
  }

  #retire(): void {
    if (this.#descriptor !== undefined) this.#retired.push(this.#descriptor)
    this.#descriptor = undefined
  }

  #takeLines(descriptor: number): void {
    let space = Buffer.allocUnsafe(blockBytes)
    let held = 0
    for (;;) {
      const count = readSync(descriptor, space, held, space.length - held, this.#read + held)
      if (count === 0) return
      const block = space.subarray(0, held + count)
      let from = 0
      for (let to = block.indexOf(0x0a, held); to !== -1; to = block.indexOf(0x0a, from)) {
        this.#takeLine(block, from, to)
        this.#read += to + 1 - from
        from = to + 1
      }
      held = block.length - from
      // A line that is longer than the block.
      if (held === space.length) space = Buffer.concat([space, Buffer.allocUnsafe(space.length)])
      else block.copy(space, 0, from)
    }
  }

  #takeLine(block: Buffer, from: number, to: number): void {
    const line = block.subarray(from, to)
    if (from === to || (this.isPassed(line) && checkLine(line) !== 'damaged')) this.#lines += 1
    else this.#take(parseLogLine(line, this.form.shape, this.#decoder))
  }

  #take(record: T | undefined): void {
    this.#lines += 1
    if (record === undefined || !this.fold.take(record)) this.#damaged.push(this.#lines)
  }
}

/** The current records of a log, and the numbers of its damaged lines. Throws the system's error, and an UnusableFile. */
export function readAtOnce<T>(path: string, form: LogForm<T>, isPassed?: IsPassed) {
  const records: T[] = []
  const take = (record: T) => records.push(record) > 0
  const log = new SharedLog(path, form, {take, restart: () => undefined}, isPassed)
  try {
    log.read()
    return {records, damaged: log.damaged}
  } finally {
    log.close()
  }
}
