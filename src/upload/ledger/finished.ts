import {createHash} from 'node:crypto'
import {rmSync} from 'node:fs'
import {dirname} from 'node:path'
import {syncFolder} from '../../storage/disk/privateFile.js'
import {readAtOnce, SharedLog} from '../../storage/log/fold.js'
import {appendToLog} from '../../storage/log/log.js'
import {type FinishedEntry, type FinishedLine, finishedForm, type UploadTarget, version} from './entry.js'
import {ledgerFailure, OtherVersion} from './ledgerFailure.js'

/** A name in a container of a service. */
export type Place = Pick<UploadTarget, 'base' | 'container' | 'name'>

/** Whether the line that begins at an offset of a block is read, by its place and id; the rest of it is not looked at. */
type IsWanted = (block: Buffer, from: number) => boolean

/** The first two digits of the places in each file. */
const shards = Array.from({length: 256}, (_, at) => at.toString(16).padStart(2, '0'))
const placeDigits = 8

const lineStart = `{"v":${version},"place":"`
const idStart = lineStart.length + placeDigits + '","id":"'.length
const [quote, closingBrace] = [0x22, 0x7d]

/** A number for a place, as hex digits. Two places may share one, so whoever looks by it compares the entries. */
function placeHash({base, container, name}: Place): string {
  return createHash('sha1').update(`${base}\n${container}\n${name}`).digest('hex').slice(0, placeDigits)
}

function placeAt(block: Buffer, from: number): string {
  return block.toString('latin1', from + lineStart.length, from + lineStart.length + placeDigits)
}

function idAt(block: Buffer, from: number): string {
  return block.toString('latin1', from + idStart, block.indexOf(quote, from + idStart))
}

/**
 * The uploads that were done long ago, many among few that are not: 256 logs beside that of the ledger, by the places of the uploads,
 * so that a command reads those that its own files can be in. They change only while the log of the ledger is compacted. Every
 * member raises a Failure (file) or the system's error.
 */
export class FinishedUploads {
  readonly #path: string
  readonly #warn: (path: string, damaged: readonly number[]) => void
  /** The files in which damaged lines were found. */
  readonly untidy = new Set<string>()

  /** `path`: of the ledger's log. `warn` is called with the numbers of damaged lines of a file. */
  constructor(path: string, warn: (path: string, damaged: readonly number[]) => void) {
    this.#path = path
    this.#warn = warn
  }

  all(): FinishedEntry[] {
    return this.#read(shards, () => true)
  }

  /** The uploads to these places, those to each in the order in which they were done, and perhaps others. */
  placedIn(places: readonly Place[]): FinishedEntry[] {
    const hashes = new Set(places.map(placeHash))
    const files = new Set([...hashes].map((hash) => hash.slice(0, 2)))
    return this.#read(files, (block, from) => hashes.has(placeAt(block, from)))
  }

  startingWith(prefix: string): FinishedEntry[] {
    return this.#read(shards, (block, from) => idAt(block, from).startsWith(prefix))
  }

  /** Takes in uploads and drops others, so that the disk has it when this returns. Nobody else may do so at the same time. */
  change(added: readonly FinishedEntry[], dropped: ReadonlySet<string>): void {
    const lines = added.map(({id, ...entry}): FinishedLine => ({v: version, place: placeHash(entry), id, ...entry}))
    const isDropped: IsWanted = (block, from) => dropped.has(idAt(block, from))
    for (const shard of shards) {
      const own = lines.filter(({place}) => place.startsWith(shard))
      const isStale = dropped.size > 0 && this.#read([shard], isDropped).length > 0
      if (isStale || this.untidy.has(shard)) this.#rewrite(shard, own, dropped)
      else if (own.length > 0) appendToLog(this.#file(shard), finishedForm, own)
    }
    syncFolder(dirname(this.#path))
  }

  #rewrite(shard: string, added: readonly FinishedLine[], dropped: ReadonlySet<string>): void {
    const lines = new Map<string, FinishedLine>()
    const take = (line: FinishedLine | {readonly v: number}) => Boolean('id' in line && lines.set(line.id, line))
    const log = new SharedLog(this.#file(shard), finishedForm, {take, restart: () => lines.clear()})
    try {
      log.read()
      for (const id of dropped) lines.delete(id)
      for (const line of added) take(line)
      log.compact(lines.values())
      if (lines.size === 0) rmSync(log.path)
    } finally {
      log.close()
    }
  }

  #read(files: Iterable<string>, isWanted: IsWanted): FinishedEntry[] {
    return [...files].flatMap((shard) => this.#readOne(shard, isWanted))
  }

  #readOne(shard: string, isWanted: IsWanted): FinishedEntry[] {
    const path = this.#file(shard)
    try {
      const {records, damaged} = readAtOnce(path, finishedForm, (block, from, to) => {
        const start = block.toString('latin1', from, from + lineStart.length)
        return start === lineStart && block[to - 1] === closingBrace && !isWanted(block, from)
      })
      if (damaged.length > 0) {
        this.untidy.add(shard)
        this.#warn(path, damaged)
      }
      return records.map((line) => {
        if (!('id' in line)) throw new OtherVersion()
        const {v: _, place: __, ...entry} = line
        return entry
      })
    } catch (error) {
      throw ledgerFailure('read', path, error)
    }
  }

  #file(shard: string): string {
    return `${this.#path}.done.${shard}`
  }
}
