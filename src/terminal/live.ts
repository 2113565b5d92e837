import type {OutputWriter} from './output.js'

const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'
const eraseLine = '\u001b[K'
const eraseBelow = '\u001b[J'

/** The keys that stop or end a process without its doing. */
const signals = ['SIGTSTP', 'SIGQUIT'] as const

/**
 * A block of lines at the end of a terminal that is drawn again in its place: one write for a frame, and nothing is erased
 * before something else stands there, so that it does not flicker. What others write to the same output appears above it. The
 * cursor is hidden meanwhile and comes back with `end`, at the end of the process, and while it is stopped (Ctrl-Z).
 */
export class Live {
  readonly #output: OutputWriter
  readonly #width: (line: string) => number
  #lines: readonly string[] = []
  #columns: number | undefined
  readonly #leave = () => this.end()
  /** Ctrl-Z and Ctrl-\: what they do by themselves is done once the block is gone. */
  readonly #yield = (signal: NodeJS.Signals) => {
    this.end()
    process.kill(process.pid, signal === 'SIGTSTP' ? 'SIGSTOP' : signal)
  }

  /** `width` tells how many columns a line takes, its colours left out. */
  constructor(output: OutputWriter, width: (line: string) => number) {
    this.#output = output
    this.#width = width
  }

  /** Draws the lines, each of them narrower than the terminal; the last ones where there are more than fit its height. */
  draw(lines: readonly string[]): void {
    const {columns, rows = 24} = this.#output
    const shown = lines.slice(-Math.max(1, rows - 1))
    if (columns === this.#columns && same(shown, this.#lines)) return
    const first = this.#columns === undefined
    if (first && shown.length === 0) return
    if (first) this.#begin()
    const frame = `${first ? hideCursor : this.#toTop()}${block(shown)}`
    this.#lines = shown
    this.#columns = columns
    void this.#output.paint(frame)
  }

  /** Takes the block away. It can be drawn again. */
  end(): void {
    this.#finish(`${this.#toTop()}${eraseBelow}`)
  }

  /** Ends as `end` does, and leaves the block where it stands, without the echo of Ctrl-C below it. */
  leave(): void {
    this.#finish(`\r${eraseLine}`)
  }

  #finish(frame: string): void {
    if (this.#columns === undefined) return
    void this.#output.paint(`${frame}${showCursor}`)
    this.#lines = []
    this.#columns = undefined
    this.#output.above = undefined
    process.off('exit', this.#leave)
    for (const signal of signals) process.off(signal, this.#yield)
  }

  #begin(): void {
    this.#output.above = (text) => `${this.#toTop()}${text.replaceAll('\n', `${eraseLine}\n`)}${block(this.#lines)}`
    process.on('exit', this.#leave)
    for (const signal of signals) process.on(signal, this.#yield)
  }

  /** Back to the block's first line. A terminal that became narrower has wrapped the lines that no longer fit. */
  #toTop(): string {
    const columns = this.#output.columns ?? Number.POSITIVE_INFINITY
    const rows = this.#lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(this.#width(line) / columns)), 0)
    return rows === 0 ? '\r' : `\u001b[${rows}A\r`
  }
}

/** The lines over whatever stands there, and nothing below them. */
function block(lines: readonly string[]): string {
  return `${lines.map((line) => `${line}${eraseLine}\n`).join('')}${eraseBelow}`
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((line, at) => line === others[at])
}
