/** How long a piece of a secret must be to count: less of it says nothing. Of a file every one has some bytes. */
const textPiece = 12
const filePiece = 24

/** A piece of either length that is in a text has these four characters of it at a place that is looked at. */
const gram = 4
const stride = textPiece - gram + 1

/**
 * Finds secrets in a text in plain text, percent, JSON and base64, by decoding: it shares nothing with the way the
 * tool masks. A piece of twelve characters is found like the whole, so that a secret cut in half is found, too.
 */
export class Finder {
  /** The names of the secrets that a piece is of. */
  readonly #pieces = new Map<string, string>()
  readonly #sizes: readonly number[]
  readonly #grams = new Uint8Array(1 << 16)
  /** Secrets shorter than a piece are searched whole. */
  readonly #short: (readonly [name: string, secret: string])[] = []

  /** Secrets by their names. */
  constructor(secrets: Readonly<Record<string, string | Uint8Array>>) {
    for (const [name, secret] of Object.entries(secrets)) {
      const size = typeof secret === 'string' ? textPiece : filePiece
      const bytes = Buffer.from(secret).toString('latin1')
      if (bytes.length < size) this.#short.push([name, bytes])
      for (let at = 0; at + size <= bytes.length; at += 1) this.#pieces.set(bytes.slice(at, at + size), name)
    }
    this.#sizes = [...new Set([...this.#pieces.keys()].map(({length}) => length))]
    for (const piece of this.#pieces.keys()) {
      for (let at = 0; at + gram <= piece.length; at += 1) this.#grams[hashAt(piece, at)] = 1
    }
  }

  /** The names of the secrets in the text, each with its coding. */
  find(text: string): string[] {
    const found = new Set<string>()
    for (const [how, read] of Object.entries(readingsOf(text))) {
      for (const name of this.#in(read)) found.add(`${name}, ${how}`)
    }
    return [...found]
  }

  #in(text: string): Set<string> {
    const names = new Set(this.#short.filter(([, secret]) => text.includes(secret)).map(([name]) => name))
    for (let at = 0; at + gram <= text.length; at += stride) {
      if (this.#grams[hashAt(text, at)] === 1) this.#around(text, at, names)
    }
    return names
  }

  /** Adds the names of the pieces that hold the characters there. */
  #around(text: string, place: number, names: Set<string>): void {
    for (const size of this.#sizes) {
      for (let at = Math.max(0, place + gram - size); at <= place; at += 1) {
        const name = this.#pieces.get(text.slice(at, at + size))
        if (name !== undefined) names.add(name)
      }
    }
  }
}

/** Sixteen bits of the four characters there. */
function hashAt(text: string, at: number): number {
  const [one, two] = [text.charCodeAt(at) | (text.charCodeAt(at + 1) << 8), text.charCodeAt(at + 2)]
  return (one ^ (two * 0x9e5) ^ (text.charCodeAt(at + 3) * 0x6d3b)) & 0xffff
}

/** A text in every way that a user could read it, as bytes: one character for each. */
function readingsOf(text: string): Readonly<Record<string, string>> {
  const bytes = Buffer.from(text).toString('latin1')
  return {
    'as it is': bytes,
    // A file that was read so.
    'byte by byte': /[\u0100-\uffff]/.test(text) ? '' : text,
    'in JSON': unescaped(bytes),
    'in percent': percentless(bytes),
    'in percent, with a plus': percentless(bytes.replaceAll('+', ' ')),
    'in base64': (bytes.match(/[\w+/-]{8,}/g) ?? []).map(base64).join('\n'),
    // As Node prints a buffer.
    'in hex, byte by byte': (bytes.match(/\b[\da-f]{2}(?: [\da-f]{2}){5,}/g) ?? []).map(hex).join('\n'),
  }
}

function percentless(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

const controls: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', b: '\b', f: '\f'}

/** Escapes of JSON, and those that the tool itself writes: \u{1b}. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|(.))/gi, (_, wide, four, one) => {
    const code: unknown = wide ?? four
    if (typeof code !== 'string') return controls[one] ?? one
    return Buffer.from(String.fromCodePoint(Number.parseInt(code, 16))).toString('latin1')
  })
}

/** What a run says, started at each of its characters: it may begin before the secret does. */
function base64(run: string): string {
  return [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')).join('\n')
}

function hex(run: string): string {
  return Buffer.from(run.replaceAll(' ', ''), 'hex').toString('latin1')
}
