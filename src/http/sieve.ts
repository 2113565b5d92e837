import {plainReadingsOf} from './reading.js'

/** So many characters of anything that is looked for stand in a text that holds it. */
const window = 6
/** Of each run of them these stand together at a place that is looked at. */
const gram = 4
const stride = window - gram + 1

/** More than this is looked for the slow way. */
const mostCharacters = 256 * 1024

/**
 * Says of most texts at once that nothing of what is looked for stands in them: a list of a hundred thousand rooms is
 * searched for the token like any other text, and must not take longer for it.
 */
export class Sieve {
  readonly #grams = new Uint8Array(1 << 16)
  readonly #windows = new Set<string>()
  #size = 0
  #isSure = true

  /** Takes note of a text to look for, of which any part that counts has six characters. */
  add(text: string): void {
    this.#size += text.length
    if (text.length < window || this.#size > mostCharacters) this.#isSure = false
    if (!this.#isSure) return
    for (let at = 0; at + window <= text.length; at += 1) this.#windows.add(text.slice(at, at + window))
    for (let at = 0; at + gram <= text.length; at += 1) this.#grams[hashAt(text, at)] = 1
  }

  /** Whether something of it may stand in the text: as it is, broken into lines, or behind escapes. */
  mayHold(text: string): boolean {
    if (!this.#isSure) return true
    return [...plainReadingsOf(text)].some((read) => this.#isIn(read) || this.#isIn(read.replace(/[\r\n]+/g, '')))
  }

  #isIn(text: string): boolean {
    for (let at = 0; at + gram <= text.length; at += stride) {
      if (this.#grams[hashAt(text, at)] === 1 && this.#isAround(text, at)) return true
    }
    return false
  }

  /** Whether one of the windows that hold the gram there is one of ours. */
  #isAround(text: string, place: number): boolean {
    for (let at = Math.max(0, place + gram - window); at <= place; at += 1) {
      if (this.#windows.has(text.slice(at, at + window))) return true
    }
    return false
  }
}

/** Sixteen bits of the four characters there. */
function hashAt(text: string, at: number): number {
  const first = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 8)
  return (first ^ (text.charCodeAt(at + 2) * 0x9e5) ^ (text.charCodeAt(at + 3) * 0x6d3b)) & 0xffff
}
