import type {PresenceCells} from './presenceCells.js'
import {type Definite, type PresenceKind, Sessions, type Span, type Stretch} from './sessions.js'

/** The state of a user by one run of the watch. */
interface View<Run> {
  readonly run: Run
  state: PresenceKind
  /** The state after all pending marks, and the time of its last reading. */
  latest: PresenceKind
  readAt: number
  /** With `readAt`, the last change, if it is pending and no mark. */
  changedAfter: number | undefined
  /** The end of the last gap of this run. */
  blindTo: number
}

interface Mark<Run> {
  readonly at: number
  readonly view: View<Run>
  /** A state from then on, a state that was read at that moment alone, or the limits of what the run watched. */
  readonly what: Definite | 'between' | 'saw-in' | 'saw-out' | 'blind' | 'wake' | 'end'
  /** Of `blind`. */
  readonly until: number
}

interface Piece extends Stretch {
  readonly kind: PresenceKind
}

/**
 * The presence of one user in one room by several runs of the watch, merged by time: in or out if one of them read it, and
 * none contradicts. Times are settled in order and become sums, so that memory follows people and not events.
 */
export class Presence<Run> {
  readonly sessions: Sessions
  // Arrays of a few items are replaced: one that grows has room for many, and there are many people.
  #views: readonly View<Run>[] = none
  /** Pending, in the order of their times. */
  #marks: readonly Mark<Run>[] = none
  #settled = Number.NEGATIVE_INFINITY
  /** Since all runs agreed last. */
  #pieces: Piece[] | undefined
  #isContradicted = false

  constructor(
    span: Span,
    readonly cells?: PresenceCells,
  ) {
    this.sessions = new Sessions(span, cells)
  }

  /** The last state read by the run. */
  latest(run: Run): PresenceKind | undefined {
    return this.#views.find((view) => view.run === run)?.latest
  }

  /** The run read it at that time. */
  know(run: Run, state: Definite, at: number): void {
    this.change(run, state, at, at)
  }

  /** It changed between the two times. */
  change(run: Run, to: Definite, after: number, at: number): void {
    const view = this.#viewOf(run)
    if (this.#isAlone(view, after)) this.#changeAlone(view, after)
    else this.#changeMarked(view, to, after, at)
    view.latest = to
    view.readAt = Math.max(view.readAt, at)
  }

  /** A gap of the run. Gaps may overlap. */
  miss(run: Run, from: number, to: number): void {
    const view = this.#viewOf(run)
    this.#markChange()
    this.#mark({what: 'blind', at: from, view, until: to})
    this.#mark({what: 'wake', at: to, view, until: 0})
  }

  /** The run ends: it has seen the room until then. */
  end(run: Run, seen: number): void {
    const view = this.#views.find((one) => one.run === run)
    this.#markChange()
    if (view) this.#mark({what: 'end', at: Math.max(seen, view.readAt), view, until: 0})
  }

  /** Until then no run has anything to add. */
  settle(to: number): void {
    let done = 0
    for (const mark of this.#marks) {
      if (mark.at >= to) break
      this.#pass(mark.at)
      this.#apply(mark)
      done += 1
    }
    if (done > 0) this.#marks = done === this.#marks.length ? none : this.#marks.slice(done)
  }

  /** No event follows. */
  finish(): void {
    this.settle(Number.POSITIVE_INFINITY)
    this.#flush()
    this.sessions.finish()
  }

  /** Fast path: no other run and no gap concerns the change, so it needs no marks. */
  #isAlone(view: View<Run>, after: number): boolean {
    if (this.#views.length > 1) return false
    if (this.#marks.length > 0) this.settle(after)
    return this.#marks.length === 0 && this.#pieces === undefined && view.blindTo <= after
  }

  #changeAlone(view: View<Run>, after: number): void {
    if (view.changedAfter !== undefined) {
      // Times are rounded, and a change is written after its reading: this one may begin before the last one is dated.
      const readAt = Math.min(view.readAt, Math.max(after, this.#settled))
      this.#pass(view.changedAfter)
      view.state = 'between'
      this.#pass(readAt)
      this.sessions.take(view.latest, readAt, readAt)
      view.state = view.latest
    }
    view.changedAfter = Math.max(after, this.#settled)
  }

  #changeMarked(view: View<Run>, to: Definite, after: number, at: number): void {
    this.#markChange()
    const late = this.#marks.filter((mark) => mark.view === view && mark.at >= after && isState(mark))
    if (late.length > 0) {
      this.#marks = this.#marks.filter((mark) => !late.includes(mark))
      const seen = late.findLast(({what}) => what !== 'between')?.what
      if (seen) this.#mark({what: seen === 'in' ? 'saw-in' : 'saw-out', at: after, view, until: 0})
    }
    this.#mark({what: 'between', at: after, view, until: 0})
    this.#mark({what: to, at, view, until: 0})
  }

  /** Converts the pending change to marks. */
  #markChange(): void {
    const view = this.#views.find(({changedAfter}) => changedAfter !== undefined)
    if (view?.changedAfter === undefined) return
    const {changedAfter: at, latest, readAt} = view
    view.changedAfter = undefined
    this.#mark({what: 'between', at, view, until: 0})
    if (latest === 'in' || latest === 'out') this.#mark({what: latest, at: readAt, view, until: 0})
  }

  #viewOf(run: Run): View<Run> {
    const known = this.#views.find((view) => view.run === run)
    if (known) return known
    const lowest = Number.NEGATIVE_INFINITY
    const view: View<Run> = {
      run,
      state: 'unwatched',
      latest: 'unwatched',
      readAt: lowest,
      changedAfter: undefined,
      blindTo: lowest,
    }
    this.#views = [...this.#views, view]
    return view
  }

  /** A late mark counts from the first unsettled time. At equal times, marks that end knowledge come first. */
  #mark(mark: Mark<Run>): void {
    const at = Math.max(mark.at, this.#settled)
    const isFirst = mark.what === 'between' || mark.what === 'blind'
    const behind = this.#marks.findIndex((other) => other.at > at || (other.at === at && isFirst))
    const place = behind === -1 ? this.#marks.length : behind
    this.#marks = this.#marks.toSpliced(place, 0, at === mark.at ? mark : {...mark, at})
  }

  #pass(to: number): void {
    const from = this.#settled
    if (to <= from) return
    const {kind, isAgreed} = this.#merged()
    this.#settled = to
    if (from === Number.NEGATIVE_INFINITY) return
    if (isAgreed) {
      this.#flush()
      this.sessions.take(kind, from, to)
    } else this.#keep({kind, from, to})
  }

  #apply({what, at, view, until}: Mark<Run>): void {
    if (what === 'blind') view.blindTo = Math.max(view.blindTo, until)
    else if (what === 'end') this.#views = this.#views.filter((one) => one !== view)
    else if (what === 'between') view.state = what
    else if (what !== 'wake') {
      const state = what === 'in' || what === 'saw-in' ? 'in' : 'out'
      if (what === state) view.state = state
      this.#isContradicted ||= this.#views.some((one) => one !== view && this.#stateOf(one) === opposite[state])
      this.#keep({kind: state, from: at, to: at})
    }
  }

  /** Wait while another run may contradict it. */
  #keep(piece: Piece): void {
    if (this.#pieces) this.#pieces.push(piece)
    else if (this.#views.length > 1) this.#pieces = [piece]
    else this.sessions.take(piece.kind, piece.from, piece.to)
  }

  #stateOf({state, blindTo}: View<Run>): PresenceKind {
    return blindTo > this.#settled ? 'unwatched' : state
  }

  /** The merged state, and whether all runs with a state agree. */
  #merged(): {readonly kind: PresenceKind; readonly isAgreed: boolean} {
    const [first] = this.#views
    if (first === undefined) return {kind: 'unwatched', isAgreed: true}
    const states = this.#views.length === 1 ? undefined : new Set(this.#views.map((view) => this.#stateOf(view)))
    if (states === undefined) return {kind: this.#stateOf(first), isAgreed: true}
    const isBetween = states.has('between')
    if (states.has('in') && states.has('out')) {
      this.#isContradicted = true
      return {kind: 'between', isAgreed: false}
    }
    const kind = (['in', 'out', 'between'] as const).find((one) => states.has(one)) ?? 'unwatched'
    return {kind, isAgreed: !isBetween}
  }

  /** Between the agreements around a contradiction nothing is certain, except single sightings. */
  #flush(): void {
    if (this.#pieces === undefined) return
    const [pieces, isContradicted] = [this.#pieces, this.#isContradicted]
    this.#pieces = undefined
    this.#isContradicted = false
    const before = this.sessions.state
    let isSeen = false
    for (const {kind, from, to} of pieces) {
      const isUnsure = isContradicted && (kind === 'in' || kind === 'out')
      if (isUnsure && !isSeen && kind === opposite[before]) {
        this.sessions.take(kind, from, from)
        isSeen = true
      }
      this.sessions.take(isUnsure ? 'between' : kind, from, to)
    }
  }
}

function isState({what}: Mark<unknown>): boolean {
  return what === 'in' || what === 'out' || what === 'between'
}

const none: readonly never[] = []

const opposite = {in: 'out', out: 'in'} as const
