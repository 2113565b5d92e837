import {base64Encodings, literalPattern, longestRun, secretLines, textEncodings, usualAlphabet} from './codings.js'

const MASK = '***'

/** A piece of a secret of this length gives it away, in any of its encodings. */
const piece = 12

/**
 * A piece of several words, as `-application-` in a made-up token, occurs in other texts by chance: of these only a longer one
 * counts.
 */
const blankSpelled = /^(?=.*[ +/.])[a-z +/.]+$/
const longPiece = 16

/** A shorter secret occurs by chance: it is masked only as the value of something. */
const shortestWord = 4

/** In results, which are full of names and ids, a shorter secret stays. */
const shortestInResults = 8

/** Words of our own messages that a user may choose as a password. They are masked only by their field. */
const sentenceWords: ReadonlySet<string> = new Set(
  `android answer application apns apple asset attendee body bundle cannot certificate change chosen code command container
  credential damaged default error exit export fail failed file fingerprint hint host http ios key lost message missing name
  none note nothing number ok outcome password path platform profile push record register registered request role room rooms
  sandbox secret sent server service size state status team token type unknown use user value warn warning why wrong`.split(
    /\s+/,
  ),
)

interface Searched {
  /** The longest run of letters and digits of each line of the secrets. */
  readonly runs: readonly string[]
  /** The lines of the secrets in each coding, the longest first. */
  readonly forms: readonly string[]
}

/**
 * Masks the secrets of a run. Roomctl's own texts contain none by construction; a service may echo a request. Small texts (errors,
 * warnings, lines of `--debug`) are searched for every piece of 12 characters, as it is, in percent, in JSON and in base64; results,
 * which may have megabytes, for whole secrets, and only from the first answer on that repeats one.
 */
export class Secrets {
  readonly #secrets: (string | Uint8Array)[] = []
  readonly #revealed = new Set<string>()
  /** Every piece of the encodings, and of pieces that are words every longer one. */
  readonly #pieces = new Set<string>()
  /** Encodings that are found only as a whole: with a part of mere words, or shorter than a piece. */
  readonly #wholes = new Map<string, string>()
  #long: RegExp | undefined
  #short: RegExp | undefined
  /** How many secrets are indexed: a file has many pieces, and often nothing is searched. */
  #indexed = 0
  readonly #names = new Set<string>()
  /** What answers and results are searched for; made when needed. */
  #searched: Searched | undefined
  #isRepeated = false

  /** Adds a secret: a text, or the bytes of a file. `name`: the field that carries it, in a query, a header or a body. */
  add(secret: string | Uint8Array, name?: string): void {
    if (name !== undefined && typeof secret === 'string') this.#names.add(name.toLowerCase())
    if (secret.length === 0) return
    // A text is shown without the blanks at its ends.
    if (typeof secret === 'string' && secret.trim() !== secret) this.add(secret.trim())
    if (typeof secret === 'string' && (this.#secrets.includes(secret) || sentenceWords.has(secret.toLowerCase())))
      return
    this.#secrets.push(secret)
    this.#searched = undefined
  }

  addNamed(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && isSecretName(name)) this.add(member)
      else this.addNamed(member)
    }
  }

  /** Masks known secrets, and secrets by name or shape, in a small text. */
  mask(text: string): string {
    return shapes.reduce((masked, shape) => masked.replace(shape, `$1${MASK}`), this.maskKnown(text))
  }

  /** Masks known secrets and each of their pieces in a small text. */
  maskKnown(text: string): string {
    this.#index()
    const masked = this.#withoutPieces(this.#long ? text.replace(this.#long, MASK) : text)
    return this.#short ? masked.replace(this.#short, MASK) : masked
  }

  maskKnownIn<T>(value: T): T {
    // A text is replaced by a text, and an object by one with the same members.
    return mapTexts(value, (text) => this.maskKnown(text)) as T
  }

  /** Masks the small texts of a value of JSON, and its members by their names. */
  maskIn(value: unknown): unknown {
    if (typeof value === 'string') return this.#secrets.includes(value) ? MASK : this.mask(value)
    if (Array.isArray(value)) return value.map((item) => this.maskIn(item))
    if (typeof value !== 'object' || value === null) return value
    const shown = Object.entries(value).map(([name, member]) => {
      const isSecret = typeof member === 'string' && this.#isSecret(name)
      return [name, isSecret ? MASK : this.maskIn(member)]
    })
    return Object.fromEntries(shown)
  }

  /** Masks an address or the body of a form, and its fields by their names. */
  maskFields(text: string): string {
    const named = (field: string, before: string, name: string) =>
      this.#isSecret(name) ? `${before}${name}=${MASK}` : field
    return this.mask(text.replace(/(^|[?&])([^?&=#]+)=[^&#]+/g, named))
  }

  /** From the first answer on that may repeat a secret, results are searched. */
  learn(text: string): void {
    this.#isRepeated ||= this.#whatToSearch().runs.some((run) => text.includes(run))
  }

  maskResult(text: string): string {
    if (!this.#isRepeated) return text
    const repeated = this.#whatToSearch().forms.filter((form) => text.includes(form))
    return repeated.reduce((shown, form) => shown.replaceAll(form, MASK), text)
  }

  /** The same for a value before its layout: a text that is broken into lines or cells cannot be recognised. */
  maskResultIn<T>(value: T): T {
    return this.#isRepeated ? (mapTexts(value, (text) => this.maskResult(text)) as T) : value
  }

  /** Leaves a requested secret in results. */
  reveal(secret: string): void {
    this.#revealed.add(secret)
    this.#searched = undefined
  }

  #whatToSearch(): Searched {
    if (this.#searched) return this.#searched
    const secrets = this.#secrets.filter((secret) => typeof secret !== 'string' || !this.#revealed.has(secret))
    const lines = secrets.flatMap(secretLines).filter(({length}) => length >= shortestInResults)
    const forms = [...new Set(lines.flatMap(textEncodings))].sort((form, other) => other.length - form.length)
    this.#searched = {runs: lines.map(longestRun), forms}
    return this.#searched
  }

  #isSecret(name: string): boolean {
    return isSecretName(name) || this.#names.has(name.toLowerCase())
  }

  #index(): void {
    if (this.#indexed === this.#secrets.length) return
    for (const secret of this.#secrets.slice(this.#indexed)) {
      const lines = secretLines(secret)
      for (const line of lines) for (const coded of textEncodings(line)) this.#add(coded, line)
      for (const coded of base64Encodings(secret)) this.#add(coded)
    }
    this.#indexed = this.#secrets.length
    this.#long = anyOf([...this.#wholes].filter(([coded]) => coded.length >= piece))
    this.#short = anyOf([...this.#wholes].filter(([coded]) => coded.length < piece))
  }

  /** `line`: text by people, in which plain words do not count; base64 has none. */
  #add(coded: string, line?: string): void {
    const usual = usualAlphabet(coded)
    const all = piecesOf(usual, piece)
    const telling = line === undefined ? all : all.filter((part) => !blankSpelled.test(part))
    for (const part of telling) this.#pieces.add(part)
    if (telling.length < all.length) for (const part of piecesOf(usual, longPiece)) this.#pieces.add(part)
    if (all.length > 0 && telling.length === all.length) return
    const literal = literalPattern(coded)
    this.#wholes.set(coded, (line?.length ?? piece) < shortestWord ? `(?<=[=:] ?"?)${literal}(?![\\w-])` : literal)
  }

  /** With one mask for pieces that overlap or touch. */
  #withoutPieces(text: string): string {
    if (this.#pieces.size === 0) return text
    const usual = usualAlphabet(text)
    const parts: string[] = []
    let done = 0
    for (let at = 0; at + piece <= usual.length; at += 1) {
      const length = [piece, longPiece].find((size) => this.#pieces.has(usual.slice(at, at + size)))
      if (length === undefined) continue
      if (at > done || at === 0) parts.push(text.slice(done, at), MASK)
      done = Math.max(done, at + length)
    }
    return parts.join('') + text.slice(done)
  }
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({length: Math.max(0, text.length - length + 1)}, (_, at) => text.slice(at, at + length))
}

/** Matches any of the encodings, the longest first; undefined for none. */
function anyOf(patterns: readonly (readonly [coded: string, pattern: string])[]): RegExp | undefined {
  const longestFirst = patterns.toSorted(([one], [other]) => other.length - one.length).map(([, pattern]) => pattern)
  return longestFirst.length === 0 ? undefined : new RegExp(longestFirst.join('|'), 'g')
}

/** A value of JSON with each of its texts changed; names of members stay. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]))
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const made: unknown = Object.getPrototypeOf(value)
  return made === Object.prototype || made === null
}

/** Names of secret values in JSON, queries and form bodies of any origin. */
const NAMES =
  'token|access_token|refresh_token|id_token|push_token|client_secret|secret|password|passphrase|apns_certificate_password|fcm_server_key'

const secretName = new RegExp(`^(?:${NAMES})$`, 'i')

export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/**
 * Secrets by their shape. Every quantifier is bounded or starts where nothing else can, so that no text takes long. Each pattern
 * keeps its first group.
 */
const shapes: readonly RegExp[] = [
  // Authorization values with or without a scheme, as a header, in JSON or escaped in a text.
  /(\b(?:proxy-)?authorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?)(?:[A-Za-z][\w-]{0,31} {1,8})?[^\s"'\\,;|]{1,16384}/gi,
  /(\bbearer )[\w.~+/=-]{12,16384}/gi,
  // JSON web tokens, also cut ones.
  /()(?<![\w-])eyJ[\w-]{8,16384}(?:\.[\w-]{0,16384}){0,2}/g,
  // JSON, and JSON escaped within a JSON text, but not the place of a secret in a route.
  new RegExp(
    `((?<![A-Za-z0-9])(?:${NAMES})"\\s{0,8}:\\s{0,8}")(?!(?:query|body|form|header)")(?:[^"\\\\]|\\\\.){1,16384}`,
    'gi',
  ),
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})\\\\"\\s{0,8}:\\s{0,8}\\\\")(?:[^"\\\\]|\\\\[^"]){1,16384}`, 'gi'),
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})=)[^\\s&"'|]{1,16384}`, 'gi'),
  // Server keys and device tokens of FCM, in any field.
  /()(?<![\w-])[\w-]{7,64}:APA91b[\w-]{60,400}/g,
  // With a part of the key: alone it is mentioned in sentences.
  /()-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----(?=(?:[\r\n]|\\[nr]|%0[AD])*[\w+/=]{3}|\s{0,8}[\w+/=]{16})[^-]{0,16384}(?:-----END [A-Z ]{0,32}-----)?/g,
]
