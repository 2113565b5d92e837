import {mapTexts} from './mapTexts.js'
import {type Reading, readingsOf} from './reading.js'
import {SecretIndex} from './secretIndex.js'
import {isSecretName, shapes} from './secretShapes.js'
import type {Range} from './traces.js'

const MASK = '***'

/** Knows the secrets of a run and takes them out of every text that is shown. */
export class Secrets {
  /** The texts themselves: a value that is one of them is masked however short it is. */
  readonly #whole = new Set<string>()
  readonly #added: Buffer[] = []
  readonly #index = new SecretIndex()
  /** Those that were asked for. */
  readonly #revealed = new Set<string>()
  /** Those that are taken out of results. */
  #inResults: Secrets | undefined
  #isRepeated = false
  /** Texts that hold no known secret: a run of many changes says the same words with each of them. */
  readonly #clean = new Set<string>()

  /**
   * Makes a secret known, with all the ways it is spelled on the wire: a text, or the bytes of a file. An empty one is no
   * secret. One that is shorter than a word is taken out only where it stands as the value of something, since it stands
   * in half of all words by chance.
   */
  add(secret: string | Uint8Array): void {
    if (secret.length === 0) return
    if (typeof secret === 'string') this.#whole.add(secret)
    const bytes = Buffer.from(secret)
    if (this.#added.some((one) => one.equals(bytes))) return
    this.#added.push(bytes)
    this.#index.add(secret)
    this.#inResults = undefined
    this.#clean.clear()
  }

  /** Makes the secrets among the members of a value of JSON known, by their names. */
  addNamed(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && isSecretName(name)) this.add(member)
      else this.addNamed(member)
    }
  }

  /** The text with `***` for every known secret in any spelling, and for what is secret by its name or shape. */
  mask(text: string): string {
    return shapes.reduce((masked, shape) => masked.replace(shape, `$1${MASK}`), this.maskKnown(text))
  }

  /**
   * The text with `***` for every known secret only: for results, which may hold tokens that their reader asked for. In a text
   * that is not huge it is found within escapes, in base64 and hexadecimal digits, and where an ellipsis cuts it, too.
   */
  maskKnown(text: string): string {
    if (this.#added.length === 0 || this.#clean.has(text)) return text
    const masked = this.#searched(text)
    if (masked === text && text.length <= longestKept) {
      if (this.#clean.size >= mostKept) this.#clean.clear()
      this.#clean.add(text)
    }
    return masked
  }

  /** Takes note of what a service said: results are searched from the first answer on that may repeat a secret. */
  hear(text: string): void {
    this.#isRepeated ||= this.#forResults().#index.mayBeIn(text)
  }

  /**
   * A result as it may be shown: a service that repeats what it was sent does not get it onto the screen. A short secret may
   * be part of a name or an id by chance, and stays; so does what was asked for.
   */
  maskResult(text: string): string {
    return this.#isRepeated ? this.#forResults().maskKnown(text) : text
  }

  /** The same for a value, before it is laid out: a text that is broken into lines or cells is no more to be recognised. */
  maskResultIn<T>(value: T): T {
    return this.#isRepeated ? this.#forResults().maskKnownIn(value) : value
  }

  /** Leaves a secret in results: somebody asked to see it. */
  reveal(secret: string): void {
    this.#revealed.add(secret)
    this.#inResults = undefined
  }

  #forResults(): Secrets {
    if (this.#inResults) return this.#inResults
    const stays = (secret: Buffer) => secret.length < shortestInResults || this.#revealed.has(secret.toString())
    const kept = this.#added.some(stays) ? new Secrets() : this
    this.#inResults = kept
    if (kept === this) return this
    for (const secret of this.#added) {
      if (stays(secret)) continue
      kept.add(this.#whole.has(secret.toString()) ? secret.toString() : secret)
    }
    return kept
  }

  #searched(text: string): string {
    if (!this.#index.mayBeIn(text)) return text
    const masked = text.replace(this.#index.pattern(), MASK)
    if (masked.length > longestDecoded) return masked
    const traces = this.#index.traces()
    return withMasks(masked, [
      ...traces.in(masked),
      ...readingsOf(masked).flatMap((reading) => this.#rangesIn(reading)),
    ])
  }

  /** A value of JSON in whose texts every known secret is masked; all else stays as it is. */
  maskKnownIn<T>(value: T): T {
    // A text is replaced by a text, and an object by one with the same members.
    return mapTexts(value, (text) => this.maskKnown(text)) as T
  }

  /** Where secrets stand in the original of a reading. */
  #rangesIn({text, places}: Reading): Range[] {
    const found = [
      ...Array.from(text.matchAll(this.#index.pattern())).map(
        ({0: secret, index}): Range => [index, index + secret.length],
      ),
      ...this.#index.traces().in(text),
    ]
    return found.map(([from, to]): Range => [places[from] ?? 0, places[to] ?? 0])
  }

  /** A value of JSON whose texts are masked, and the secrets among its members by their names. */
  maskIn(value: unknown): unknown {
    if (typeof value === 'string') return this.#whole.has(value) ? MASK : this.mask(value)
    if (Array.isArray(value)) return value.map((one) => this.maskIn(one))
    if (typeof value !== 'object' || value === null) return value
    const shown = Object.entries(value).map(([name, member]) => {
      const isSecret = typeof member === 'string' && isSecretName(name)
      return [name, isSecret ? MASK : this.maskIn(member)]
    })
    return Object.fromEntries(shown)
  }
}

/** In characters: what is shorter may be a word. */
const shortestInResults = 8

/** Of texts without a secret so many are remembered, none of more characters than that. */
const mostKept = 1000
const longestKept = 100

/** What is decoded at most: no line that is shown is longer, and a longer result is searched as it is. */
const longestDecoded = 256 * 1024

function withMasks(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text
  const inOrder = ranges.toSorted(([one], [other]) => one - other)
  let done = 0
  const parts: string[] = []
  for (const [from, to] of inOrder) {
    if (to <= done) continue
    if (from >= done) parts.push(text.slice(done, from), MASK)
    done = to
  }
  return parts.join('') + text.slice(done)
}
