import type {OutputWriter} from './output.js'

const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'
const eraseLine = '\u001b[K'
const eraseBelow = '\u001b[J'

/** Signals of keys that do not reach the process otherwise. */
const signals = ['SIGTSTP', 'SIGQUIT'] as const

/**
 * Lines at the end of a terminal that are repainted in place, with one write per frame and without flicker. Other output to
 * the same writer appears above them. The cursor is hidden meanwhile, and restored by `end`, at exit and when the process is
 * stopped (Ctrl-Z).
 */
export class Live {
  #lines: readonly string[] = []
  #columns: number | undefined
  readonly #leave = () => this.end()
  /** Removes the lines before the signal has its default effect. */
  readonly #yield = (signal: NodeJS.Signals) => {
    this.end()
    process.kill(process.pid, signal === 'SIGTSTP' ? 'SIGSTOP' : signal)
  }

  /** `width`: the columns of a line without its colours. */
  constructor(
    private readonly output: OutputWriter,
    private readonly width: (line: string) => number,
  ) {}

  /** Each line must be narrower than the terminal; only the last ones that fit its height are drawn. */
  draw(lines: readonly string[]): void {
    const {columns, rows = 24} = this.output
    const shown = lines.slice(-Math.max(1, rows - 1))
    if (columns === this.#columns && same(shown, this.#lines)) return
    const first = this.#columns === undefined
    if (first && shown.length === 0) return
    if (first) this.#begin()
    const frame = `${first ? hideCursor : this.#toTop()}${block(shown)}`
    this.#lines = shown
    this.#columns = columns
    void this.output.paint(frame)
  }

  /** Removes the lines; they can be drawn again. */
  end(): void {
    if (this.#columns === undefined) return
    void this.output.paint(`${this.#toTop()}${eraseBelow}${showCursor}`)
    this.#lines = []
    this.#columns = undefined
    this.output.live = undefined
    process.off('exit', this.#leave)
    for (const signal of signals) process.off(signal, this.#yield)
  }

  /** The text followed by the lines, which it pushes down. */
  above(text: string): string {
    return `${this.#toTop()}${text.replaceAll('\n', `${eraseLine}\n`)}${block(this.#lines)}`
  }

  #begin(): void {
    this.output.live?.end()
    this.output.live = this
    process.on('exit', this.#leave)
    for (const signal of signals) process.on(signal, this.#yield)
  }

  /** Moves to the first line. A terminal that became narrower has wrapped longer lines. */
  #toTop(): string {
    const columns = this.output.columns ?? Number.POSITIVE_INFINITY
    const rows = this.#lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(this.width(line) / columns)), 0)
    return rows === 0 ? '\r' : `\u001b[${rows}A\r`
  }
}

function block(lines: readonly string[]): string {
  return `${lines.map((line) => `${line}${eraseLine}\n`).join('')}${eraseBelow}`
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((line, at) => line === others[at])
}
