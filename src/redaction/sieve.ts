import {holdsAny, plainReadingsOf} from './reading.js'

/** So many characters are looked at together; of every part that counts some stand at a place that is looked at. */
const gram = 4
/** A shorter part is looked for the slow way. */
const shortest = 6

/** How many bits of a sum count: there is room for every part of a file of some kilobytes. */
const gramBits = 16
const partBits = 22

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
  /** By the length of the parts. */
  readonly #parts = new Map<number, Parts>()
  #size = 0
  #isSure = true
  /** From one place that is looked at to the next: as far as the shortest part allows. */
  #stride = Number.POSITIVE_INFINITY

  /** Takes note of a text of which every part of so many characters counts. */
  add(text: string, length = text.length): void {
    this.#size += text.length
    if (Math.min(length, text.length) < shortest || this.#size > mostCharacters) this.#isSure = false
    if (!this.#isSure) return
    this.#stride = Math.min(this.#stride, length - gram + 1)
    const parts = this.#parts.get(length) ?? new Parts(length)
    this.#parts.set(length, parts)
    for (let at = 0; at + length <= text.length; at += 1) parts.add(text, at)
    for (let at = 0; at + gram <= text.length; at += 1) this.#grams[gramAt(text, at)] = 1
  }

  /** Whether something of it may stand in the text: as it is, broken into lines, behind escapes, or as bytes in percent. */
  mayHold(text: string): boolean {
    if (!this.#isSure) return true
    return [...plainReadingsOf(text)].some(
      (read) => this.#isIn(read) || (holdsAny(read, '\r\n%') && this.#isIn(read.replace(/[\r\n%]+/g, ''))),
    )
  }

  #isIn(text: string): boolean {
    for (let at = 0; at + gram <= text.length; at += this.#stride) {
      if (this.#grams[gramAt(text, at)] === 1 && this.#isAround(text, at)) return true
    }
    return false
  }

  #isAround(text: string, place: number): boolean {
    for (const parts of this.#parts.values()) if (parts.areAround(text, place)) return true
    return false
  }
}

/** The parts of one length: as they are while they are few, then their sums. */
class Parts {
  readonly #length: number
  #kept: Set<string> | undefined = new Set()
  #sums: Uint8Array | undefined

  constructor(length: number) {
    this.#length = length
  }

  add(text: string, at: number): void {
    const part = text.slice(at, at + this.#length)
    if (this.#sums) this.#mark(part, this.#sums)
    else this.#kept?.add(part)
    if (!this.#kept || this.#kept.size < mostKept) return
    const sums = new Uint8Array(1 << (partBits - 3))
    for (const kept of this.#kept) this.#mark(kept, sums)
    this.#sums = sums
    this.#kept = undefined
  }

  #mark(part: string, sums: Uint8Array): void {
    const sum = sumOf(part)
    sums[sum >>> 3] = (sums[sum >>> 3] ?? 0) | (1 << (sum & 7))
  }

  /** Whether one that holds the gram there may be in the text. */
  areAround(text: string, place: number): boolean {
    const last = Math.min(place, text.length - this.#length)
    for (let at = Math.max(0, place + gram - this.#length); at <= last; at += 1) {
      if (this.#mayBe(text.slice(at, at + this.#length))) return true
    }
    return false
  }

  #mayBe(part: string): boolean {
    if (!this.#sums) return this.#kept?.has(part) === true
    const sum = sumOf(part)
    return (((this.#sums[sum >>> 3] ?? 0) >> (sum & 7)) & 1) === 1
  }
}

/** Some bits of the four characters there; written out, for it is done again and again over all that comes. */
function gramAt(text: string, at: number): number {
  const first = Math.imul(text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 8), 0x9e3779b1)
  const second = Math.imul(text.charCodeAt(at + 2) ^ (text.charCodeAt(at + 3) << 8), 0x85ebca6b)
  return (first ^ second) >>> (32 - gramBits)
}

/** Some bits of a part. */
function sumOf(part: string): number {
  let sum = 0x811c9dc5
  // The upper bits are mixed best.
  for (let at = 0; at < part.length; at += 1) sum = Math.imul(sum ^ part.charCodeAt(at), 0x9e3779b1)
  return sum >>> (32 - partBits)
}
