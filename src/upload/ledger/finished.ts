import {createHash} from 'node:crypto'
import {rmSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {syncFolder} from '../../storage/disk/privateFile.js'
import {appendToLog, readAtOnce, replaceLog} from '../../storage/log/log.js'
import {type FinishedEntry, type FinishedLine, finishedForm, type UploadTarget, version} from './entry.js'
import {ledgerFailure, OtherVersion} from './ledgerFailure.js'

export type Place = Pick<UploadTarget, 'base' | 'container' | 'name'>

/** Whether the line that begins at an offset of a block is read, by its place and its id: the rest of it is not looked at. */
type IsWanted = (block: Buffer, from: number) => boolean

type Warn = (path: string, damaged: readonly number[]) => void

/** The first two digits of the places in each file. */
const shards = Array.from({length: 256}, (_, at) => at.toString(16).padStart(2, '0'))

const placeDigits = 8
const lineStart = Buffer.from(`{"v":${version},"place":"`)
const idStart = lineStart.length + placeDigits + '","id":"'.length
const [quote, closingBrace] = [0x22, 0x7d]

/** A number for a place, as hex digits. Two places may share one, so whoever looks by it compares the entries. */
function placeHash({base, container, name}: Place): string {
  return createHash('sha1').update(`${base}\n${container}\n${name}`).digest('hex').slice(0, placeDigits)
}

/** The hash of the place in a line, its eight bytes as one number: a text for each of many lines costs more. */
function placeAt(block: Buffer, from: number): number {
  return block.readDoubleLE(from + lineStart.length)
}

function idAt(block: Buffer, from: number): string {
  return block.toString('latin1', from + idStart, block.indexOf(quote, from + idStart))
}

function isLine(block: Buffer, from: number, to: number): boolean {
  for (let at = 0; at < lineStart.length; at += 1) if (block[from + at] !== lineStart[at]) return false
  return block[to - 1] === closingBrace && to - from > idStart
}

function lineOf({id, ...entry}: FinishedEntry): FinishedLine {
  return {v: version, place: placeHash(entry), id, ...entry}
}

function entryOf(line: FinishedLine | {readonly v: number}): FinishedEntry {
  if (!('id' in line)) throw new OtherVersion()
  const {v: _, place: __, ...entry} = line
  return entry
}

/**
 * Uploads that were done long ago: 256 logs by their places, so that a command reads only those of its own files. They change only
 * while the ledger's log is compacted. Raises a Failure (file) or the system's error.
 */
export class FinishedUploads {
  readonly untidy = new Set<string>()

  constructor(
    private readonly path: string,
    private readonly warn: Warn,
  ) {}

  all(): FinishedEntry[] {
    return this.#read(shards, () => true)
  }

  /** The uploads to these places, those to each in the order in which they were done, and perhaps others. */
  placedIn(places: readonly Place[]): FinishedEntry[] {
    const hashes = places.map(placeHash)
    const wanted = new Set(hashes.map((hash) => Buffer.from(hash).readDoubleLE()))
    const files = new Set(hashes.map((hash) => hash.slice(0, 2)))
    return this.#read(files, (block, from) => wanted.has(placeAt(block, from)))
  }

  startingWith(prefix: string): FinishedEntry[] {
    return this.#read(shards, (block, from) => idAt(block, from).startsWith(prefix))
  }

  /** Takes in uploads and drops others, so that the disk has it when this returns. Nobody else may do so at the same time. */
  change(added: readonly FinishedEntry[], dropped: ReadonlySet<string>): void {
    const isDropped: IsWanted = (block, from) => dropped.has(idAt(block, from))
    const lines = added.map(lineOf)
    for (const shard of shards) {
      const own = lines.filter(({place}) => place.startsWith(shard))
      const isStale = dropped.size > 0 && this.#readOne(shard, isDropped).length > 0
      if (isStale || this.untidy.has(shard)) this.#rewrite(shard, own, dropped)
      else if (own.length > 0) appendToLog(this.#file(shard), finishedForm, own)
    }
    syncFolder(dirname(this.path))
  }

  #rewrite(shard: string, added: readonly FinishedLine[], dropped: ReadonlySet<string>): void {
    const path = this.#file(shard)
    const {size} = statSync(path)
    const kept = this.#readOne(shard, () => true).filter(({id}) => !dropped.has(id))
    const lines = [...kept.map(lineOf), ...added]
    // A process that was stopped for long may be wrong about being alone.
    replaceLog(path, lines, () => statSync(path).size === size)
    if (lines.length === 0) rmSync(path)
  }

  #read(files: Iterable<string>, isWanted: IsWanted): FinishedEntry[] {
    return [...files].flatMap((shard) => this.#readOne(shard, isWanted))
  }

  #readOne(shard: string, isWanted: IsWanted): FinishedEntry[] {
    const path = this.#file(shard)
    const isPassed = (block: Buffer, from: number, to: number) => isLine(block, from, to) && !isWanted(block, from)
    try {
      const {records, damaged} = readAtOnce(path, finishedForm, isPassed)
      if (damaged.length > 0) {
        this.untidy.add(shard)
        this.warn(path, damaged)
      }
      return records.map(entryOf)
    } catch (error) {
      throw ledgerFailure('read', path, error)
    }
  }

  #file(shard: string): string {
    return `${this.path}.done.${shard}`
  }
}
