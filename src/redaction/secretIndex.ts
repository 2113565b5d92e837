import {Sieve} from './sieve.js'
import {linesOf, patternsOf} from './spelling.js'
import {shortestCut, Traces, tracesOf} from './traces.js'

/** Where so much of a spelling stands is the rest of it, too, or it is not there. */
const longestBeginning = 16

/** All the ways in which secrets can stand in a text, made when they are first looked for. */
export class SecretIndex {
  readonly #added: Buffer[] = []
  #pending: (string | Uint8Array)[] = []
  /** Patterns by the spelling that they find. */
  readonly #patterns = new Map<string, string>()
  #known: RegExp | undefined
  #traces: Traces | undefined
  readonly #sieve = new Sieve()
  /** Of what an ellipsis may cut. */
  readonly #beginnings = new Sieve()

  /** Takes note of a secret, a text or the bytes of a file. */
  add(secret: string | Uint8Array): void {
    this.#added.push(Buffer.from(secret))
    this.#pending.push(secret)
    this.#known = undefined
    this.#traces = undefined
  }

  /** Whether a secret, or a trace of one, may stand in a text. False is certain. */
  mayBeIn(text: string): boolean {
    this.#takeIn()
    return this.#sieve.mayHold(text) || (text.includes('…') && this.#beginnings.mayHold(text))
  }

  /** What is left of the secrets where they are coded or cut. */
  traces(): Traces {
    if (this.#traces) return this.#traces
    this.#traces = new Traces()
    for (const secret of this.#added) {
      this.#traces.add(secret)
      for (const text of linesOf(secret)) this.#traces.addText(text)
    }
    return this.#traces
  }

  /** Takes in what was added: a file has many spellings, and often nothing is shown before the next secret comes. */
  #takeIn(): void {
    for (const secret of this.#pending.splice(0)) {
      const bytes = Buffer.from(secret)
      for (const [spelling, pattern] of patternsOf(secret)) {
        this.#patterns.set(spelling, pattern)
        this.#sieve.add(spelling.slice(0, longestBeginning))
      }
      for (const [code, piece] of tracesOf(bytes)) this.#sieve.add(code, piece)
      for (const text of linesOf(bytes)) this.#beginnings.add(text.slice(0, shortestCut))
    }
  }

  /** Finds every spelling of a secret. */
  pattern(): RegExp {
    this.#takeIn()
    if (this.#known) return this.#known
    const longestFirst = [...this.#patterns].sort(([one], [other]) => other.length - one.length)
    // A pattern of nothing would match everywhere.
    this.#known = new RegExp(longestFirst.map(([, pattern]) => pattern).join('|') || '(?!)', 'g')
    return this.#known
  }
}
