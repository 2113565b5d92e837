import {Writable} from 'node:stream'
import headless from '@xterm/headless'
import {OutputWriter} from '../../src/terminal/output.js'

/** The screen of an independent terminal. */
export class Screen extends Writable {
  readonly isTTY = true
  readonly output: OutputWriter
  /** The output, by write. */
  readonly writes: string[] = []
  readonly #terminal: InstanceType<typeof headless.Terminal>

  constructor(columns: number, rows = 24) {
    super({decodeStrings: false})
    this.#terminal = new headless.Terminal({cols: columns, rows, allowProposedApi: true, convertEol: true})
    this.output = new OutputWriter(this)
  }

  get columns(): number {
    return this.#terminal.cols
  }

  get rows(): number {
    return this.#terminal.rows
  }

  resize(columns: number, rows = 24): void {
    this.#terminal.resize(columns, rows)
  }

  /** Waits until all output is on the screen; returns its lines, with those that have scrolled out of it. */
  async lines(): Promise<string[]> {
    // Behind all that was written, also what the stream has not handed over yet.
    await new Promise<void>((resolve) => this.write('', () => resolve()))
    const {active} = this.#terminal.buffer
    const lines = Array.from({length: active.length}, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
  }

  /** The lines by their columns: one character for each, of a letter that takes two columns the second is `\u00b7`. */
  async cells(): Promise<string[]> {
    const lines = await this.lines()
    const {active} = this.#terminal.buffer
    return lines.map((_, row) => {
      const cells = Array.from({length: this.columns}, (_cell, at) => active.getLine(row)?.getCell(at))
      return cells.map((cell) => (cell?.getWidth() === 0 ? '\u00b7' : cell?.getChars().charAt(0) || ' ')).join('')
    })
  }

  /** The visible window, by its columns, without the scrollback. */
  async view(): Promise<string[]> {
    const cells = await this.cells()
    return cells.slice(this.#terminal.buffer.active.baseY)
  }

  /** Whether the cursor is to be seen, by the last word that was said of it. */
  async showsCursor(): Promise<boolean> {
    await this.lines()
    const all = this.writes.join('')
    return all.lastIndexOf('\u001b[?25h') >= all.lastIndexOf('\u001b[?25l')
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    if (chunk !== '') this.writes.push(String(chunk))
    this.#terminal.write(String(chunk), done)
  }
}

/** The screen of a terminal after each frame of what was written, and at the end. Every frame ends by erasing the lines below it. */
export async function frames(written: string, columns: number, rows?: number) {
  const screen = new Screen(columns, rows)
  const eraseBelow = '\u001b[J'
  const seen: string[][] = []
  for (const part of written.split(eraseBelow)) {
    await screen.output.write(`${part}${eraseBelow}`)
    seen.push(await screen.lines())
  }
  return {seen, last: await screen.lines(), cursor: await screen.showsCursor()}
}
