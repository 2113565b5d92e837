import {plainReadingsOf} from './reading.js'

/** So many characters of anything that is looked for stand in a text that holds it. */
const window = 6
/** Of each run of them these stand together at a place that is looked at. */
const gram = 4
const stride = window - gram + 1

/** How many bits of a sum count: there is room for every part of a file of some kilobytes, in all its spellings. */
const gramBits = 18
const windowBits = 22

/** So many parts are kept as they are, as those of every token: a list of millions of characters meets the sums of some by chance. */
const mostKept = 20_000

/** More than this is looked for the slow way. */
const mostCharacters = 1024 * 1024

/**
 * Says of most texts at once that nothing of what is looked for stands in them: a list of a hundred thousand rooms is
 * searched for the token like any other text, and must not take longer for it. It errs on the other side only.
 */
export class Sieve {
  readonly #grams = new Uint8Array(1 << gramBits)
  readonly #windows = new Uint8Array(1 << (windowBits - 3))
  /** The parts themselves, as long as they are few. */
  #kept: Set<string> | undefined = new Set()
  #size = 0
  #isSure = true

  /** Takes note of a text to look for, of which any part that counts has six characters. */
  add(text: string): void {
    this.#size += text.length
    if (text.length < window || this.#size > mostCharacters) this.#isSure = false
    if (!this.#isSure) return
    for (let at = 0; at + window <= text.length; at += 1) {
      const sum = sumOf(text, at, window) >>> (32 - windowBits)
      this.#windows[sum >>> 3] = (this.#windows[sum >>> 3] ?? 0) | (1 << (sum & 7))
      this.#kept?.add(text.slice(at, at + window))
    }
    if (this.#kept && this.#kept.size > mostKept) this.#kept = undefined
    for (let at = 0; at + gram <= text.length; at += 1) this.#grams[gramAt(text, at)] = 1
  }

  /** Whether something of it may stand in the text: as it is, broken into lines, or behind escapes. */
  mayHold(text: string): boolean {
    if (!this.#isSure) return true
    return [...plainReadingsOf(text)].some((read) => this.#isIn(read) || this.#isIn(read.replace(/[\r\n]+/g, '')))
  }

  #isIn(text: string): boolean {
    for (let at = 0; at + gram <= text.length; at += stride) {
      if (this.#grams[gramAt(text, at)] === 1 && this.#isAround(text, at)) return true
    }
    return false
  }

  /** Whether one of the windows that hold the gram there may be one of ours. */
  #isAround(text: string, place: number): boolean {
    for (let at = Math.max(0, place + gram - window); at <= place && at + window <= text.length; at += 1) {
      const sum = sumOf(text, at, window) >>> (32 - windowBits)
      const isMet = ((this.#windows[sum >>> 3] ?? 0) >> (sum & 7)) & 1
      if (isMet && this.#kept?.has(text.slice(at, at + window)) !== false) return true
    }
    return false
  }
}

function gramAt(text: string, at: number): number {
  return sumOf(text, at, gram) >>> (32 - gramBits)
}

/** 32 bits of so many characters; the upper ones are mixed best. */
function sumOf(text: string, at: number, length: number): number {
  let sum = 0x811c9dc5
  for (let n = at; n < at + length; n += 1) sum = Math.imul(sum ^ text.charCodeAt(n), 0x9e3779b1)
  return sum
}
