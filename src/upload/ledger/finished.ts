import {createHash} from 'node:crypto'
import {rmSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {syncFolder} from '../../storage/disk/privateFile.js'
import {membersAt} from '../../storage/log/line.js'
import {appendToLog, readAtOnce, replaceLog} from '../../storage/log/log.js'
import {type FinishedEntry, type FinishedLine, finishedForm, type UploadTarget} from './entry.js'
import {ledgerFailure} from './ledgerFailure.js'

export type Place = Pick<UploadTarget, 'base' | 'container' | 'name'>

/** Whether to parse a line, by its place and id; of others only the checksum is verified. */
type IsWanted = (line: Buffer) => boolean

type Warn = (path: string, damaged: readonly number[]) => void

/** The first two digits of the places in each file. */
const shards = Array.from({length: 256}, (_, at) => at.toString(16).padStart(2, '0'))

const placeDigits = 8
const placeStart = Buffer.from('"place":"')
const idStart = placeDigits + '","id":"'.length
const quote = 0x22

/** A hash of a place, as hex digits. Places may collide, so a lookup compares the entries. */
function placeHash({base, container, name}: Place): string {
  return createHash('sha1').update(`${base}\n${container}\n${name}`).digest('hex').slice(0, placeDigits)
}

/** The position of the place in a line of this version, or of version 1, which has no checksum; undefined for any other line. */
function placeIn(line: Buffer): number | undefined {
  const {length} = placeStart
  const isAt = (from: number) =>
    line.length > from + length + idStart && line.compare(placeStart, 0, length, from, from + length) === 0
  const from = [membersAt, '{"v":1,'.length].find(isAt)
  return from === undefined ? undefined : from + length
}

/** The hash of the place in a line, its eight bytes as one number: a text for each of many lines costs more. */
function placeAt(line: Buffer): number {
  return line.readDoubleLE(placeIn(line))
}

function idAt(line: Buffer): string {
  const from = (placeIn(line) ?? 0) + idStart
  return line.toString('latin1', from, line.indexOf(quote, from))
}

function lineOf({id, ...entry}: FinishedEntry): FinishedLine {
  return {place: placeHash(entry), id, ...entry}
}

function entryOf({place: _, ...entry}: FinishedLine): FinishedEntry {
  return entry
}

/**
 * Archived uploads: 256 logs by their places, so that a command reads only those of its own files. They change only
 * while the ledger's log is compacted. Throws Failure (file) or the system's error.
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
    return this.#read(files, (line) => wanted.has(placeAt(line)))
  }

  named(ids: ReadonlySet<string>): FinishedEntry[] {
    return this.#read(shards, (line) => ids.has(idAt(line)))
  }

  /** Adds and removes uploads, durably. Only one process may do so at a time. */
  change(added: readonly FinishedEntry[], dropped: ReadonlySet<string>): void {
    const isDropped: IsWanted = (line) => dropped.has(idAt(line))
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
    const isPassed = (line: Buffer) => placeIn(line) !== undefined && !isWanted(line)
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
