import {readingsOf} from './readings.js'

/** How long a piece of a secret must be to count: less of it says nothing. Of a file every one has some bytes. */
const textPiece = 10
const filePiece = 24

/** A piece of either length that stands in a text has these four characters of it at a place that is looked at. */
const gram = 4
const stride = textPiece - gram + 1

/**
 * Finds secrets in a text whatever they are written in, by undoing the writing: this knows nothing of how the tool masks.
 * A piece of ten characters is found like the whole, so that a secret cut in half is found, too.
 */
export class Finder {
  /** The names of the secrets that a piece is of. */
  readonly #pieces = new Map<string, string>()
  readonly #sizes: readonly number[]
  readonly #grams = new Uint8Array(1 << 16)
  /** Secrets that are shorter than a piece are looked for as they are. */
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

  /** The names of the secrets that stand in the text, each with how it is written there. */
  find(text: string): string[] {
    const found = new Set<string>()
    for (const [how, read] of readingsOf(text)) for (const name of this.#in(read)) found.add(`${name}, ${how}`)
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
