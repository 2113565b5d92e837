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
  // JSON, and JSON escaped within a JSON text.
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})"\\s{0,8}:\\s{0,8}")(?:[^"\\\\]|\\\\.){1,16384}`, 'gi'),
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})\\\\"\\s{0,8}:\\s{0,8}\\\\")(?:[^"\\\\]|\\\\[^"]){1,16384}`, 'gi'),
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})=)[^\\s&"'|]{1,16384}`, 'gi'),
  // Server keys and device tokens of FCM, whatever a service calls them.
  /()(?<![\w-])[\w-]{7,64}:APA91b[\w-]{60,400}/g,
  /()-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^-]{0,16384}(?:-----END [A-Z ]{0,32}-----)?/g,
]

/** Knows the secrets of a run and takes them out of every text that is shown. */
export class Secrets {
  /** Patterns by the spelling that they find. */
  readonly #patterns = new Map<string, string>()
  #known: RegExp | undefined
  /** The texts themselves: a value that is one of them is masked however short it is. */
  readonly #whole = new Set<string>()

  /**
   * Makes a secret known, with all the ways it is spelled on the wire: a text, or the bytes of a file. An empty one is no
   * secret. One that is shorter than a word is taken out only where it stands as the value of something, since it stands
   * in half of all words by chance.
   */
  add(secret: string | Uint8Array): void {
    if (secret.length === 0) return
    if (typeof secret === 'string') this.#whole.add(secret)
    const texts = typeof secret === 'string' ? [secret] : textsOf(Buffer.from(secret))
    for (const text of texts) {
      const isShort = text.length < shortestAlone
      for (const spelling of isShort ? spellings(text).slice(0, shortSpellings) : spellings(text)) {
        this.#patterns.set(spelling, isShort ? `(?<=[=:] ?"?)${literal(spelling)}(?![\\w-])` : literal(spelling))
      }
    }
    const longestFirst = [...this.#patterns].sort(([one], [other]) => other.length - one.length)
    this.#known = new RegExp(longestFirst.map(([, pattern]) => pattern).join('|'), 'g')
  }

  /** The text with `***` for every known secret in any spelling, and for what is secret by its name or shape. */
  mask(text: string): string {
    return SHAPES.reduce((masked, shape) => masked.replace(shape, `$1${MASK}`), this.maskKnown(text))
  }

  /** The text with `***` for every known secret only: for results, which may hold tokens that their reader asked for. */
  maskKnown(text: string): string {
    return this.#known ? text.replace(this.#known, MASK) : text
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

/** Secrets from this length on are found wherever they stand, in characters. */
const shortestAlone = 4

/** Of a short secret only the spellings as they are, with percent signs and plus: base64 of it is chance again. */
const shortSpellings = 5

/** A line of a file that is shorter says nothing of its secret. */
const shortestLine = 16

/** How the bytes of a file can be found in a text: in base64, and where they are a text, it and each of its lines. */
function textsOf(bytes: Buffer): string[] {
  const text = bytes.toString('utf8')
  const coded = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
  if (!Buffer.from(text).equals(bytes)) return coded
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith('-----'))
  return [text, lines.join(''), ...lines.filter((line) => line.length >= shortestLine), ...coded]
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // By way of the bytes, because a lone surrogate cannot be percent-encoded.
  const percent = encodeURIComponent(bytes.toString())
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    percent.replaceAll('%20', '+'),
    new URLSearchParams({s: secret}).toString().slice(2),
    json,
    json.replaceAll('/', '\\/'),
    json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    // Alone, and with what stands before it in a header.
    ...[bytes, Buffer.from(`Bearer ${secret}`)].flatMap((text) =>
      (['base64', 'base64url'] as const).flatMap((coding) => {
        const coded = text.toString(coding)
        return [coded, coded.replace(/=+$/, '')]
      }),
    ),
  ]
}
