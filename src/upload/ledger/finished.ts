import {createHash} from 'node:crypto'
import type {UploadTarget} from './entry.js'

/** Where the ledger tells of an upload that is done: offsets of lines, which come to its entry again when they are read. */
export interface FinishedRow {
  readonly id: string
  /** See `targetHash`. */
  readonly place: number
  readonly entry: number
  readonly created?: number
  /** Absent where the line of the entry tells of the end, too. */
  readonly done?: number
  /** Of its parts; the index leaves them out, for they prove nothing any more. */
  readonly parts?: readonly number[]
}

/** Numbers of 32 bits in a row of the index: two of the id, its place, three offsets. */
const width = 6
const none = 0xffff_ffff
/** This many rows are held as they came, each some hundred bytes. */
const mostRecent = 4096
const isHexId = /^[0-9a-f]{16}$/u

/**
 * A number for where an upload goes: its container and its name (FNV-1a, 32 bits). Two places may share one, so whoever looks by
 * it compares the entries.
 */
export function targetHash({base, container, name}: Pick<UploadTarget, 'base' | 'container' | 'name'>): number {
  let hash = 0x811c9dc5
  const text = `${base}\n${container}\n${name}`
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/**
 * The uploads that are done, many among few that are not, as rows of numbers in place of their entries: those of the index in one
 * array that is searched where it lies, those that came since by their ids.
 */
export class FinishedUploads {
  /** Sorted by id. */
  #rows: Uint32Array
  readonly #dropped = new Set<number>()
  #others = 0
  #recent: Map<string, FinishedRow>

  constructor(rows: Uint32Array = new Uint32Array(), recent: readonly FinishedRow[] = []) {
    this.#rows = rows
    this.#recent = new Map(recent.map((row) => [row.id, row]))
  }

  get size(): number {
    return this.#rows.length / width - this.#dropped.size + this.#recent.size
  }

  find(id: string): FinishedRow | undefined {
    const at = this.#indexOf(id)
    return this.#recent.get(id) ?? (at === undefined ? undefined : this.#row(at))
  }

  put(row: FinishedRow): void {
    this.drop(row.id)
    this.#recent.set(row.id, row)
    if (this.#recent.size >= mostRecent + this.#others) this.#others = this.packed().others.length
  }

  drop(id: string): void {
    if (this.#recent.delete(id)) return
    const at = this.#indexOf(id)
    if (at !== undefined) this.#dropped.add(at)
  }

  /** The oldest first, as all that follow. */
  all(): FinishedRow[] {
    return this.#select(() => true)
  }

  /** Those of a place, and perhaps others. */
  placedIn(places: ReadonlySet<number>): FinishedRow[] {
    return this.#select((at) => places.has(this.#rows[at + 2] ?? 0)).filter(({place}) => places.has(place))
  }

  startingWith(prefix: string): FinishedRow[] {
    const digits = prefix.slice(0, 8)
    if (!/^[0-9a-f]*$/u.test(prefix)) return this.#select(() => false).filter(({id}) => id.startsWith(prefix))
    const least = Number.parseInt(digits.padEnd(8, '0'), 16)
    const most = Number.parseInt(digits.padEnd(8, 'f'), 16)
    const isNear = (at: number) => (this.#rows[at] ?? 0) >= least && (this.#rows[at] ?? 0) <= most
    return this.#select(isNear).filter(({id}) => id.startsWith(prefix))
  }

  /**
   * What the constructor makes the same of again; ids of another form than our own are not in the array. From now on this holds no
   * more than that.
   */
  packed(): {rows: Uint32Array; others: FinishedRow[]} {
    const recent = [...this.#recent.values()].map(({parts: _, ...row}) => row)
    const others = recent.filter(({id}) => !isHexId.test(id))
    const ours = recent.filter(({id}) => isHexId.test(id)).sort((one, other) => (one.id < other.id ? -1 : 1))
    this.#rows = this.#merged(ours)
    this.#dropped.clear()
    this.#recent = new Map(others.map((row) => [row.id, row]))
    return {rows: this.#rows, others}
  }

  /** The array with more rows, sorted too, none of which it has. */
  #merged(more: readonly FinishedRow[]): Uint32Array {
    const rows = new Uint32Array((this.size - this.#recent.size + more.length) * width)
    const dropped = [...this.#dropped].sort((one, other) => one - other)
    let [from, to, passed] = [0, 0, 0]
    const copyUntil = (end: number) => {
      while (from < end) {
        // As far as the next one that was dropped, in one step.
        const gap = dropped[passed] ?? Number.POSITIVE_INFINITY
        const until = Math.min(gap, end)
        rows.set(this.#rows.subarray(from, until), to)
        to += until - from
        from = until
        if (until !== gap) continue
        from += width
        passed += 1
      }
    }
    for (const {id, place, entry, created = none, done = none} of more) {
      copyUntil(this.#firstFrom(id))
      rows.set([...numbersOf(id), place, entry, created, done], to)
      to += width
    }
    copyUntil(this.#rows.length)
    return rows
  }

  #select(isWanted: (at: number) => boolean): FinishedRow[] {
    const found = [...this.#recent.values()]
    for (let at = 0; at < this.#rows.length; at += width) {
      if (isWanted(at) && !this.#dropped.has(at)) found.push(this.#row(at))
    }
    return found.sort((one, other) => one.entry - other.entry)
  }

  #row(at: number): FinishedRow {
    const [high = 0, low = 0, place = 0, entry = 0, created = none, done = none] = this.#rows.subarray(at, at + width)
    const id = [high, low].map((part) => part.toString(16).padStart(8, '0')).join('')
    return {id, place, entry, ...(created === none ? {} : {created}), ...(done === none ? {} : {done})}
  }

  /** Where the row of an upload begins. */
  #indexOf(id: string): number | undefined {
    if (this.#rows.length === 0 || !isHexId.test(id)) return undefined
    const at = this.#firstFrom(id)
    const [high, low] = numbersOf(id)
    const isFound = this.#rows[at] === high && this.#rows[at + 1] === low && !this.#dropped.has(at)
    return isFound ? at : undefined
  }

  /** Where the first row begins whose id is not less (binary search). */
  #firstFrom(id: string): number {
    const [high, low] = numbersOf(id)
    let from = 0
    let to = this.#rows.length / width
    while (from < to) {
      const at = (from + to) >>> 1
      const here = this.#rows[at * width] ?? 0
      const isBefore = here < high || (here === high && (this.#rows[at * width + 1] ?? 0) < low)
      if (isBefore) from = at + 1
      else to = at
    }
    return from * width
  }
}

function numbersOf(id: string): readonly [number, number] {
  return [Number.parseInt(id.slice(0, 8), 16), Number.parseInt(id.slice(8), 16)]
}

const indexVersion = 1

/** The bytes of an index: the digest of what follows, a line of JSON, and the rows. */
export function packIndex(header: object, rows: Uint32Array): Buffer {
  const line = Buffer.from(`${JSON.stringify({...header, version: indexVersion})}\n`)
  const content = Buffer.concat([line, Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)])
  return Buffer.concat([Buffer.from(`${digestOf(content)}\n`), content])
}

/** What was packed; undefined for bytes that were damaged, or that another version wrote. */
export function unpackIndex(bytes: Buffer): {header: unknown; rows: Uint32Array} | undefined {
  const start = bytes.indexOf(0x0a) + 1
  const content = bytes.subarray(start)
  if (start === 0 || bytes.toString('latin1', 0, start - 1) !== digestOf(content)) return undefined
  const end = content.indexOf(0x0a) + 1
  const header = JSON.parse(content.toString('utf8', 0, end))
  // An array of numbers wants to begin at one.
  const rows = new Uint8Array(content.subarray(end))
  return header.version === indexVersion ? {header, rows: new Uint32Array(rows.buffer)} : undefined
}

function digestOf(content: Buffer): string {
  return createHash('sha1').update(content).digest('hex')
}
