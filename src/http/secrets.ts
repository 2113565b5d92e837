import {type Reading, readingsOf} from './reading.js'
import {linesOf, patternsOf} from './spelling.js'
import {type Range, Traces} from './traces.js'

const MASK = '***'

/** Names whose value is a secret in JSON, queries and form bodies, wherever it comes from. */
const NAMES =
  'token|access_token|refresh_token|id_token|push_token|client_secret|secret|password|passphrase|apns_certificate_password|fcm_server_key'

const SECRET_NAME = new RegExp(`^(?:${NAMES})$`, 'i')

/**
 * What is secret by its shape. Every quantifier is bounded or starts where nothing else can, so that no text takes long.
 * Each pattern keeps its first group.
 */
const SHAPES: readonly RegExp[] = [
  // Authorization values with or without a scheme, as a header, in JSON or escaped in a text.
  /(\b(?:proxy-)?authorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?)(?:[A-Za-z][\w-]{0,31} {1,8})?[^\s"'\\,;|]{1,16384}/gi,
  /(\bbearer )[\w.~+/=-]{12,16384}/gi,
  // JSON web tokens, also cut ones.
  /()(?<![\w-])eyJ[\w-]{8,16384}(?:\.[\w-]{0,16384}){0,2}/g,
  // JSON, and JSON escaped within a JSON text. A route says of a secret where it goes, which is none.
  new RegExp(
    `((?<![A-Za-z0-9])(?:${NAMES})"\\s{0,8}:\\s{0,8}")(?!(?:query|body|form|header)")(?:[^"\\\\]|\\\\.){1,16384}`,
    'gi',
  ),
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})\\\\"\\s{0,8}:\\s{0,8}\\\\")(?:[^"\\\\]|\\\\[^"]){1,16384}`, 'gi'),
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})=)[^\\s&"'|]{1,16384}`, 'gi'),
  // Server keys and device tokens of FCM, whatever a service calls them.
  /()(?<![\w-])[\w-]{7,64}:APA91b[\w-]{60,400}/g,
  // With a part of the key behind it: alone it is what a sentence says of such a file.
  /()-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----(?=(?:[\r\n]|\\[nr]|%0[AD])*[\w+/=]{3}|\s{0,8}[\w+/=]{16})[^-]{0,16384}(?:-----END [A-Z ]{0,32}-----)?/g,
]

/** Knows the secrets of a run and takes them out of every text that is shown. */
export class Secrets {
  /** Patterns by the spelling that they find. */
  readonly #patterns = new Map<string, string>()
  #known: RegExp | undefined
  /** The texts themselves: a value that is one of them is masked however short it is. */
  readonly #whole = new Set<string>()
  readonly #added: Buffer[] = []
  #traces: Traces | undefined
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
    this.#added.push(Buffer.from(secret))
    this.#traces = undefined
    this.#clean.clear()
    for (const [spelling, pattern] of patternsOf(secret)) this.#patterns.set(spelling, pattern)
    if (this.#patterns.size === 0) return
    const longestFirst = [...this.#patterns].sort(([one], [other]) => other.length - one.length)
    this.#known = new RegExp(longestFirst.map(([, pattern]) => pattern).join('|'), 'g')
  }

  /** The text with `***` for every known secret in any spelling, and for what is secret by its name or shape. */
  mask(text: string): string {
    return SHAPES.reduce((masked, shape) => masked.replace(shape, `$1${MASK}`), this.maskKnown(text))
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

  #searched(text: string): string {
    const masked = this.#known ? text.replace(this.#known, MASK) : text
    if (masked.length > longestDecoded) return masked
    const traces = this.#tracesOf()
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
    const whole = this.#known ? Array.from(text.matchAll(this.#known)) : []
    const found = [
      ...whole.map(({0: secret, index}): Range => [index, index + secret.length]),
      ...this.#tracesOf().in(text),
    ]
    return found.map(([from, to]): Range => [places[from] ?? 0, places[to] ?? 0])
  }

  #tracesOf(): Traces {
    if (this.#traces) return this.#traces
    this.#traces = new Traces()
    for (const secret of this.#added) {
      this.#traces.add(secret)
      for (const text of linesOf(secret)) this.#traces.addText(text)
    }
    return this.#traces
  }

  /** A value of JSON whose texts are masked, and the secrets among its members by their names. */
  maskIn(value: unknown): unknown {
    if (typeof value === 'string') return this.#whole.has(value) ? MASK : this.mask(value)
    if (Array.isArray(value)) return value.map((one) => this.maskIn(one))
    if (typeof value !== 'object' || value === null) return value
    const shown = Object.entries(value).map(([name, member]) => {
      const isSecret = typeof member === 'string' && SECRET_NAME.test(name)
      return [name, isSecret ? MASK : this.maskIn(member)]
    })
    return Object.fromEntries(shown)
  }
}

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

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]))
}
