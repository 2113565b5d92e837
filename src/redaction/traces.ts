/** Pieces of secrets by which they are found where they are coded, cut, or both. */

/** How many characters of base64, or of hexadecimal digits, give a secret away: seven or eight bytes of it. */
const base64Piece = 10
const hexPiece = 16
/** The base64 of a secret of four bytes; of a shorter one it is chance. */
const shortestPiece = 5
/** Of a large file not every piece is kept: a part of it that is shown has many. */
const mostPieces = 10_000

/** Base64 of any alphabet, also in lines. */
const base64Runs = /[\w+/-]{5,}(?:={0,2}[\r\n]+[\w+/-]+)*={0,2}/g
/** Hexadecimal digits, also in lines, and between the slashes of a path. */
const hexRuns = /[\da-f]{5,}(?:[\r\n]+[\da-f]+)*/gi
/** Bytes in percent, which may be no text. */
const percentRuns = /(?:%[\da-f]{2}){8,}/gi

/** Where something stands in a text: from, and to without it. */
export type Range = readonly [from: number, to: number]

/** Finds what is left of secrets in a text: coded in base64 or hexadecimal digits, and before an ellipsis, where it was cut. */
export class Traces {
  /** Pieces of base64 by their length: those of a short secret are shorter. */
  readonly #base64 = new Map<number, Set<string>>()
  readonly #hex = new Set<string>()
  readonly #texts: string[] = []

  /** Takes note of the bytes of a secret. */
  add(bytes: Buffer): void {
    for (const core of coresOf(bytes)) {
      const size = Math.min(base64Piece, core.length)
      const pieces = this.#base64.get(size) ?? new Set()
      this.#base64.set(size, pieces)
      cut(core, size, 1, pieces)
    }
    cut(bytes.toString('hex'), hexPiece, 2, this.#hex)
  }

  /** Takes note of a text of which no beginning may stand before an ellipsis. */
  addText(text: string): void {
    this.#texts.push(text)
  }

  in(text: string): Range[] {
    const coded = [
      ...Array.from(text.matchAll(base64Runs)).filter(([run]) => this.#isBase64(run)),
      ...Array.from(text.matchAll(hexRuns)).filter(([run]) => this.#isHex(run)),
      ...Array.from(text.matchAll(percentRuns)).filter(([run]) => this.#isHex(run)),
    ]
    return [
      ...coded.map(({0: run, index}): Range => [index, index + run.length]),
      ...endsIn(text).flatMap((end) => this.#before(text, end)),
    ]
  }

  #isBase64(run: string): boolean {
    const code = /[=\s_-]/.test(run) ? inOneLine(run) : run
    for (const [size, pieces] of this.#base64) if (holds(code, size, pieces)) return true
    return false
  }

  #isHex(run: string): boolean {
    return holds(run.replace(/[\s%]/g, '').toLowerCase(), hexPiece, this.#hex)
  }

  /** The longest beginning of a secret that ends there. */
  #before(text: string, end: number): Range[] {
    const longest = Math.max(0, ...this.#texts.map((secret) => shared(text, end, secret)))
    return longest < shortestCut ? [] : [[end - longest, end]]
  }
}

/** A run in the usual alphabet. */
function inOneLine(run: string): string {
  return run.replace(/[=\s]/g, '').replaceAll('-', '+').replaceAll('_', '/')
}

/** How much of a secret at an end is the beginning of it, and no chance. */
export const shortestCut = 6
/** A secret of which more was left would be masked by its lines or its pieces. */
const longestCut = 1000
/** More ends than this have only texts that were made to have them. */
const mostEnds = 100

/** Where a text was cut, which an ellipsis shows, and half of an escape before it. */
function endsIn(text: string): number[] {
  if (!text.includes('…')) return []
  const cuts = Array.from(text.matchAll(/(?:%[\da-f]?|\\(?:u[\da-f]{0,3})?|&#?\w{0,6})?(?<!…)…/gi), ({index}) => index)
  return cuts.slice(0, mostEnds)
}

/** How many characters before an end are the beginning of the secret. */
function shared(text: string, end: number, secret: string): number {
  for (let length = Math.min(end, secret.length, longestCut); length >= shortestCut; length -= 1) {
    if (text.startsWith(secret.slice(0, length), end - length)) return length
  }
  return 0
}

/**
 * What is the same in the base64 of every text that holds these bytes: the characters in which no neighbour has a part, for
 * each of the three places at which they can begin.
 */
function coresOf(bytes: Buffer): string[] {
  const cores = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    return whole.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6))
  })
  return cores.filter((core) => core.length >= shortestPiece)
}

/** The codes of which a piece gives these bytes away, each with how long a piece is: base64 in both alphabets, and hexadecimal digits. */
export function tracesOf(bytes: Buffer): (readonly [code: string, piece: number])[] {
  const hex = bytes.toString('hex')
  return [
    ...coresOf(bytes).flatMap((core) =>
      [core, core.replaceAll('+', '-').replaceAll('/', '_')].map(
        (code) => [code, Math.min(base64Piece, code.length)] as const,
      ),
    ),
    ...(hex.length < hexPiece ? [] : [[hex, hexPiece] as const, [hex.toUpperCase(), hexPiece] as const]),
  ]
}

function cut(code: string, size: number, step: number, pieces: Set<string>): void {
  const stride = step * Math.ceil(code.length / step / mostPieces)
  for (let at = 0; at + size <= code.length; at += stride) pieces.add(code.slice(at, at + size))
}

function holds(code: string, size: number, pieces: ReadonlySet<string>): boolean {
  for (let at = 0; at + size <= code.length; at += 1) if (pieces.has(code.slice(at, at + size))) return true
  return false
}
