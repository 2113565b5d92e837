import type {PresenceCells} from './presenceCells.js'

/** A stretch of time, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The time span to count, in milliseconds since 1970. */
export interface Span {
  readonly since: number
  readonly until: number
  /** Disjoint stretches that clocks showed more than once: nothing is certain in them, and presence may have lasted `times` as long. */
  readonly repeated?: readonly (Stretch & {readonly times: number})[]
}

export type Definite = 'in' | 'out'
/** `between`: between two readings that differ. `unwatched`: in a gap. */
export type PresenceKind = Definite | 'between' | 'unwatched'

const noStretches: NonNullable<Span['repeated']> = []

/** A session that has not ended, which is counted when it does. */
interface OpenSession {
  /** When it may have started; undefined before the first reading. */
  readonly since: number | undefined
  /** When it was seen first and last. */
  readonly from: number
  to: number
}

/** The sessions of one user as sums, in milliseconds, from consecutive stretches of time. */
export class Sessions {
  count = 0
  first = Number.POSITIVE_INFINITY
  last = 0
  least = 0
  unseen = 0
  /** From the first sight to the last of each session. */
  length = 0
  /** The last state seen; absent at first. */
  state: Definite = 'out'
  #open: OpenSession | undefined
  #most = 0
  #isUnbounded = false
  /** When the uncertain time began that is not counted yet; undefined before the first reading. */
  #unsureFrom: number | undefined
  #unsure = 0
  #unseen = 0

  constructor(
    private readonly span: Span,
    private readonly cells: PresenceCells | undefined,
  ) {}

  /** Null if a session is open at an end of the recording. */
  get most(): number | null {
    return this.#isUnbounded ? null : this.#most
  }

  take(kind: PresenceKind, from: number, to: number): void {
    for (const part of this.span.repeated ?? noStretches) {
      if (part.to <= from || part.from >= Math.max(to, from + 1)) continue
      if (from < part.from) this.#take(kind, from, part.from)
      const [begin, end] = [Math.max(from, part.from), Math.min(to, part.to)]
      if (kind === 'in') this.#take('in', begin, begin)
      this.#take('unwatched', begin, end, part.times)
      if (to > part.to) this.take(kind, part.to, to)
      return
    }
    this.#take(kind, from, to)
  }

  #take(kind: PresenceKind, from: number, to: number, times = 1): void {
    const ms = this.#between(from, to)
    if (kind === 'in') {
      const open = this.#begin(from)
      this.#addUnsure(from)
      this.least += ms
      this.#most += ms
      open.to = to
      this.#restart(to)
      this.cells?.add('certain', this.#clip(from), this.#clip(to))
    } else if (kind === 'out') {
      if (this.#open) {
        this.#addUnsure(from)
        this.#end(this.#open, from)
      }
      this.#open = undefined
      this.state = 'out'
      this.#restart(to)
    } else {
      this.#unsure += ms * times
      if (kind === 'unwatched') this.#unseen += ms * times
    }
  }

  /** The last session has no end that is known. */
  finish(): void {
    if (this.#open) this.#end(this.#open, undefined)
  }

  #begin(from: number): OpenSession {
    this.state = 'in'
    this.#open ??= {since: this.#unsureFrom, from, to: from}
    return this.#open
  }

  #addUnsure(until: number): void {
    if (this.#unsureFrom === undefined) return
    this.#most += this.#unsure
    this.unseen += this.#unseen
    this.cells?.add('possible', this.#clip(this.#unsureFrom), this.#clip(until))
  }

  #restart(from: number): void {
    this.#unsureFrom = from
    this.#unsure = 0
    this.#unseen = 0
  }

  #end({since: begin, from, to}: OpenSession, end: number | undefined): void {
    const {since, until} = this.span
    if ((end ?? to) <= since || (begin ?? from) >= until) return
    const [first, last] = [this.#clip(from), this.#clip(to)]
    this.count += 1
    this.first = Math.min(this.first, first)
    this.last = Math.max(this.last, last)
    this.length += last - first
    const isOpenEnded = (begin === undefined && from > since) || (end === undefined && to < until)
    this.#isUnbounded ||= isOpenEnded
  }

  #between(from: number, to: number): number {
    return Math.max(0, this.#clip(to) - this.#clip(from))
  }

  #clip(time: number): number {
    return Math.min(Math.max(time, this.span.since), this.span.until)
  }
}
