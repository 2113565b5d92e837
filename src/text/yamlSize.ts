/** The parser takes about a kilobyte for each level and each value. */
const mostLevels = 100
const mostValues = 400_000

export const tooDeep = 'it is nested too deeply; write it with fewer levels'

/** Tokens that the lexer of the library adds. */
const marks: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f'])

/** Counts levels and values by the tokens of YAML, before parsing. Returns the first excess and its offset. */
export function excessIn(tokens: Iterable<string>): readonly [what: string, offset: number] | undefined {
  const size = new Size()
  let offset = 0
  for (const token of tokens) {
    if (marks.has(token)) continue
    size.take(token, offset)
    if (size.levels > mostLevels) return [tooDeep, offset]
    if (size.values > mostValues) return ['it has too many values; split it', offset]
    offset += token.length
  }
  return undefined
}

class Size {
  values = 0
  #brackets = 0
  /** Columns of the open lists and mappings. */
  readonly #columns: number[] = []
  #lineStart = 0
  #isLineStart = true

  get levels(): number {
    return this.#columns.length + this.#brackets
  }

  take(token: string, offset: number): void {
    const isValue = !/^[\s#:,]/u.test(token)
    if (isValue) this.#value(token, offset - this.#lineStart)
    const lineEnd = token.lastIndexOf('\n')
    if (lineEnd < 0) return
    this.#lineStart = offset + lineEnd + 1
    // A text in quotes may end behind its last line.
    if (!isValue || token.endsWith('\n')) this.#isLineStart = true
  }

  #value(token: string, column: number): void {
    if (this.#isLineStart && this.#brackets === 0) {
      while ((this.#columns.at(-1) ?? -1) >= column) this.#columns.pop()
      this.#columns.push(column)
    }
    this.#isLineStart &&= token === '-' || token === '?'
    if (token === '[' || token === '{') this.#brackets += 1
    else if (token === ']' || token === '}') this.#brackets = Math.max(0, this.#brackets - 1)
    else this.values += 1
  }
}
