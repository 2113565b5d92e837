import type {PresenceRow} from '../../view/room/timeline.js'

/** Cells of the time axis: enough for the widest terminal, and few enough for thousands of people. */
const cellCount = 256

/** The time axis of a recording of unknown length: its cells double in length when all are used. */
export class TimeAxis {
  from: number | undefined
  to = 0
  cellMs = 1000

  cover(from: number, to: number): void {
    if (to < from) return
    this.from ??= from
    this.to = Math.max(this.to, to)
    while (this.to > this.from + cellCount * this.cellMs) this.cellMs *= 2
  }
}

/** In which cells of the axis a person certainly, or possibly, was in a room, as milliseconds. */
export class PresenceCells implements PresenceRow {
  readonly certain = new Float32Array(cellCount)
  readonly possible = new Float32Array(cellCount)
  #cellMs: number

  constructor(private readonly axis: TimeAxis) {
    this.#cellMs = axis.cellMs
  }

  add(kind: 'certain' | 'possible', from: number, to: number): void {
    if (to <= from) return
    this.axis.cover(from, to)
    this.fit()
    const start = this.axis.from ?? from
    const cells = this[kind]
    for (let at = Math.max(from, start); at < to; ) {
      const cell = Math.floor((at - start) / this.#cellMs)
      const end = Math.min(to, start + (cell + 1) * this.#cellMs)
      cells[cell] = (cells[cell] ?? 0) + end - at
      at = end
    }
  }

  /** Adapts the cells to the axis. */
  fit(): void {
    for (; this.#cellMs < this.axis.cellMs; this.#cellMs *= 2) {
      for (const cells of [this.certain, this.possible]) {
        for (let cell = 0; cell < cellCount; cell += 1) {
          cells[cell] = (cells[2 * cell] ?? 0) + (cells[2 * cell + 1] ?? 0)
        }
      }
    }
  }
}
