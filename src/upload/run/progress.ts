import type {UploadEvent} from '../model/job.js'
import type {ReachedBytes} from './uploadAll.js'

/** The state of one active file, for drawing. */
export interface FileSnapshot {
  readonly name: string
  readonly bytes: number
  /** Acknowledged bytes, and these plus those sent since. */
  readonly acked: number
  readonly sent: number
  /** It takes long enough to be looked at. */
  readonly isLong: boolean
  readonly state: 'sending' | 'waiting' | 'stalled'
  readonly why?: string
}

/** The state of a run, for drawing: the active files, and the totals. */
export type ProgressSnapshot = ReturnType<UploadProgress['snapshot']>

/** Silence that counts as stalled, and the time before an estimate is shown. */
const stalledMs = 10_000
const guessMs = 3_000
/** A file that takes less has no bar of its own. */
const longMs = 1_000
/** Weight of the requests of a file, in bytes: small files take as long as their requests. */
const requestsWeight = 64 * 1024

interface FileState {
  readonly name: string
  readonly bytes: number
  acked: number
  /** Left for the service and not acknowledged. */
  ahead: number
  readonly begunAt: number
  movedAt: number
  waiting?: {readonly until: number; readonly why: string} | undefined
  end?: 'done' | 'failed'
}

/** Aggregates upload events; no rendering. */
export class UploadProgress {
  readonly #now: () => number
  readonly #files = new Map<string, FileState>()
  /** The files under way in rows of their own: a new one takes a row that is free, so that none changes its place. */
  readonly #rows: (FileState | undefined)[] = []
  /** The files to upload, as far as known, and their total bytes. */
  readonly #total = {files: 0, bytes: 0}
  #startedAt: number | undefined
  #pace: TransferRate | undefined
  /** The rate of bytes plus the weight of finished files. */
  #workPace: TransferRate | undefined

  constructor(now: () => Date) {
    this.#now = () => now().getTime()
  }

  add(sizes: readonly number[]): void {
    this.#total.files += sizes.length
    this.#total.bytes += sum(sizes, (size) => size)
  }

  take(event: UploadEvent): void {
    if (event.kind === 'warned') return
    const now = this.#now()
    if (event.kind === 'begun') this.#begin(event, now)
    const file = this.#files.get(event.key) ?? this.#begin({key: event.key, size: 0, from: 0}, now)
    if (event.kind === 'sent') this.#move(file, file.ahead + event.bytes, now)
    else if (event.kind === 'acked') this.#ack(file, event.offset, now)
    else if (event.kind === 'waiting') Object.assign(file, {ahead: 0, waiting: {until: now + event.ms, why: event.why}})
    else if (event.kind === 'renewed') Object.assign(file, {ahead: 0, acked: 0, movedAt: now})
    else if (event.kind === 'done' || event.kind === 'failed') this.#end(file, event.kind)
  }

  /** The acknowledged bytes of a file; undefined if it was not started. */
  reached(key: string): ReachedBytes | undefined {
    return this.#files.get(key)
  }

  snapshot() {
    const now = this.#now()
    const all = [...this.#files.values()]
    const count = (end: FileState['end']) => all.filter((file) => file.end === end).length
    const active = this.#rows.filter((file) => file !== undefined).map((file) => fileSnapshot(file, now))
    const rate = this.#pace?.rate(now) ?? 0
    const stalled = active.length > 0 && active.every(({state}) => state === 'stalled')
    const left = stalled ? undefined : this.#secondsLeft(all, now)
    const [acked, sent] = [sum(all, (file) => file.acked), sum(all, sentOf)]
    const {files, bytes} = this.#total
    const done = count('done')
    const weight = this.#fileWeight
    return {
      active,
      files,
      done,
      failed: count('failed'),
      bytes,
      acked,
      sent,
      /** The same plus the weight of the files. */
      work: {acked: acked + done * weight, sent: sent + done * weight, bytes: bytes + files * weight},
      rate,
      /** No file has moved for a while, and none waits for a known reason. */
      stalled,
      // Not known yet, or nothing moves.
      ...(left === undefined ? {} : {secondsLeft: left}),
    }
  }

  #begin({key, size, from}: {key: string; size: number; from: number}, now: number): FileState {
    this.#startedAt ??= now
    this.#pace ??= new TransferRate(now)
    this.#workPace ??= new TransferRate(now)
    const file: FileState = {name: key, bytes: size, acked: from, ahead: 0, begunAt: now, movedAt: now}
    // Its own row if it starts again, otherwise the first free one.
    const row = this.#rows.indexOf(this.#files.get(key))
    this.#rows[row === -1 ? this.#rows.length : row] = file
    this.#files.set(key, file)
    return file
  }

  #move(file: FileState, ahead: number, now: number): void {
    for (const pace of [this.#pace, this.#workPace]) pace?.add(Math.max(0, ahead - file.ahead), now)
    Object.assign(file, {ahead, movedAt: now, waiting: undefined})
  }

  /** Bytes that were not reported as sent count when acknowledged, so every adapter has a rate. */
  #ack(file: FileState, offset: number, now: number): void {
    this.#move(file, Math.max(file.ahead, offset - file.acked), now)
    Object.assign(file, {acked: offset, ahead: 0})
  }

  /** A file can still fail after its last byte, when it is read back. */
  #end(file: FileState, end: 'done' | 'failed'): void {
    if (end === 'done') {
      file.acked = file.bytes
      this.#workPace?.add(this.#fileWeight, this.#now())
    }
    file.end = end
    const row = this.#rows.indexOf(file)
    if (row !== -1) this.#rows[row] = undefined
  }

  get #fileWeight(): number {
    return this.#total.files > 1 ? requestsWeight : 0
  }

  #secondsLeft(all: readonly FileState[], now: number): number | undefined {
    const rate = this.#workPace?.rate(now) ?? 0
    if (this.#startedAt === undefined || now - this.#startedAt < guessMs || rate < 1) return undefined
    const weight = this.#fileWeight
    const settled = sum(all, (file) => {
      if (file.end === 'failed') return file.bytes + weight
      return sentOf(file) + (file.end === 'done' ? weight : 0)
    })
    return Math.max(0, this.#total.bytes + this.#total.files * weight - settled) / rate
  }
}

function fileSnapshot(file: FileState, now: number): FileSnapshot {
  const {name, bytes, acked, waiting, movedAt, begunAt} = file
  const facts = {name, bytes, acked, sent: sentOf(file), isLong: now - begunAt > longMs}
  if (waiting && now < waiting.until) return {...facts, isLong: true, state: 'waiting', why: waiting.why}
  const quietSince = Math.max(movedAt, waiting?.until ?? 0)
  return {...facts, state: now - quietSince >= stalledMs ? 'stalled' : 'sending'}
}

/** Bytes that are sent again do not count. */
function sentOf({bytes, acked, ahead}: FileState): number {
  return Math.min(bytes, acked + ahead)
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

const windowMs = 10_000

/** An exponential moving average over about ten seconds, which does not jump with each chunk. Times: milliseconds of a forward clock. */
export class TransferRate {
  readonly #startedAt: number
  #at: number
  /** Bytes, each weighted by its age as of `#at`. */
  #weighted = 0

  constructor(now: number) {
    this.#startedAt = now
    this.#at = now
  }

  add(bytes: number, now: number): void {
    this.#weighted = this.#weighted * decay(now - this.#at) + bytes
    this.#at = now
  }

  rate(now: number): number {
    const spanMs = windowMs * (1 - decay(now - this.#startedAt))
    return spanMs <= 0 ? 0 : (this.#weighted * decay(now - this.#at) * 1000) / spanMs
  }
}

function decay(ms: number): number {
  return Math.exp(-Math.max(0, ms) / windowMs)
}
