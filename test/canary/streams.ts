import type {CanaryName} from './canaries.js'
import type {Finder} from './finder.js'

type Allowed = readonly CanaryName[]

interface Written {
  readonly line: number
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
  readonly allowed: Allowed
}

const ending = /\n<<line (\d+) ended with (.*)>>\n/

/**
 * The output of many lines, split by the marks of the runner. A repeated row is not searched again:
 * most messages of Node are the same each time.
 */
export class Streams {
  readonly exits: string[] = []
  readonly #finder: Finder
  readonly #allowed: (line: number) => Allowed
  readonly #seen = new Set<string>()
  readonly #rest = {stdout: '', stderr: ''}
  readonly #kept: {line: number; text: string}[] = []
  #waiting: Written[] = []
  #size = 0
  readonly #found: {line: number; what: string}[] = []

  /** `allowed`: the canaries that may occur in the stdout of a line. */
  constructor(finder: Finder, allowed: (line: number) => Allowed) {
    this.#finder = finder
    this.#allowed = allowed
  }

  take(stream: 'stdout' | 'stderr', piece: string): void {
    this.#rest[stream] += piece
    for (let mark = ending.exec(this.#rest[stream]); mark; mark = ending.exec(this.#rest[stream])) {
      const line = Number(mark[1])
      this.exits[line] = mark[2] ?? ''
      this.#ended(line, stream, this.#rest[stream].slice(0, mark.index))
      this.#rest[stream] = this.#rest[stream].slice(mark.index + mark[0].length)
    }
  }

  /** The part of stderr kept for these lines. */
  said(isMeant: (line: number) => boolean): string {
    return this.#kept
      .filter(({line}) => isMeant(line))
      .map(({text}) => text)
      .join('\n')
  }

  /** The findings, with the numbers of the lines. */
  found(): readonly {readonly line: number; readonly what: string}[] {
    this.#search()
    return this.#found
  }

  #ended(line: number, stream: 'stdout' | 'stderr', text: string): void {
    const allowed = stream === 'stdout' ? this.#allowed(line) : []
    // What one may show says nothing of the others.
    const fresh =
      allowed.length > 0
        ? text
        : text
            .split('\n')
            .filter((row) => this.#isFresh(row))
            .join('\n')
    if (fresh === '') return
    this.#waiting.push({line, stream, text: fresh, allowed})
    if (stream === 'stderr') this.#kept.push({line, text: fresh})
    this.#size += fresh.length
    if (this.#size > 200_000) this.#search()
  }

  #isFresh(row: string): boolean {
    const key = row.replace(/^[A-Z0-9_]+ \d+: /, '')
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    return true
  }

  /** All at once, and one by one only where something is found. */
  #search(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#size = 0
    const plain = waiting.filter(({allowed}) => allowed.length === 0)
    const suspects = this.#finder.find(plain.map(({text}) => text).join('\n')).length > 0 ? plain : []
    for (const {line, stream, text, allowed} of [...suspects, ...waiting.filter((one) => one.allowed.length > 0)]) {
      const names = this.#finder.find(text).filter((name) => !allowed.some((one) => name.startsWith(`${one},`)))
      if (names.length > 0) this.#found.push({line, what: `${stream}: ${names.join('; ')}`})
    }
  }
}
