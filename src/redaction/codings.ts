import {isUtf8} from 'node:buffer'

/** A larger file is no credential (a certificate with its chain has 10 KiB); only this much of it is masked. */
const longestFile = 32 * 1024

/** A shorter line of a file is no secret. */
const shortestLine = 16

/** Shorter base64 occurs in words by chance, and shorter hexadecimal digits in ids. */
const shortestBase64 = 6
const shortestHex = 8

/** The text lines of a secret without the first and the last of a PEM file, which every such file has. */
export function secretLines(secret: string | Uint8Array): string[] {
  const text = typeof secret === 'string' ? secret : utf8Text(secret)
  const lines = text?.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('-----')) ?? []
  return lines.length === 1 ? lines : lines.filter((line) => line.length >= shortestLine)
}

/** A line in plain text, percent-encoded and in JSON, as services echo it. */
export function textEncodings(line: string): string[] {
  const json = JSON.stringify(line).slice(1, -1)
  const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [line, ...percentEncodings(line), json, json.replaceAll('/', '\\/'), ascii]
}

/** For addresses, for forms, and in lower case. */
function percentEncodings(text: string): string[] {
  if (/^[\w.-]*$/.test(text)) return [] // it is its own pattern
  // Through the bytes: a lone surrogate cannot be percent-encoded.
  const percent = encodeURIComponent(Buffer.from(text).toString())
  const form = new URLSearchParams({s: text}).toString().slice(2)
  const small = (coded: string) => coded.replace(/%../g, (hex) => hex.toLowerCase())
  return [percent, percent.replaceAll("'", '%27'), form, small(percent), small(form)]
}

/**
 * Base64 of a secret alone, and the characters that are the same in the base64 of any text around it, for each of the three places
 * where it can begin.
 */
export function base64Encodings(secret: string | Uint8Array): string[] {
  const bytes = Buffer.from(secret).subarray(0, longestFile)
  const within = [0, 1, 2].map((before) => {
    const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return coded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return [bytes.toString('base64'), ...within].filter((coded) => coded.length >= shortestBase64)
}

/** Hexadecimal digits of either case. */
export function hexEncodings(secret: string | Uint8Array): string[] {
  const hex = Buffer.from(secret).subarray(0, longestFile).toString('hex')
  return hex.length < shortestHex ? [] : [hex, hex.toUpperCase()]
}

/** A coding of a whole secret: its characters, the pattern of each, and texts of which one is in all that holds it unescaped. */
interface Coded {
  readonly characters: readonly string[]
  readonly pattern: (character: string) => string
  readonly literals: readonly string[]
}

/** By as many characters a secret is looked for, before the rest is compared: a pattern of all of it is too large for V8. */
const startLength = 8

/**
 * Finds whole secrets in any coding: each character plain, percent-encoded or escaped as in JSON, also within another
 * coding; in base64 of either alphabet; in hexadecimal digits.
 */
export class CodedSearch {
  readonly #codings: readonly Coded[]
  #starts: string | undefined

  constructor(secrets: readonly (string | Uint8Array)[]) {
    this.#codings = secrets.flatMap(codingsOf)
  }

  isIn(text: string): boolean {
    // Most answers hold no escape, and plain texts are found without the patterns, which take as long as the start of a command.
    const isIn = (literal: string) => text.includes(literal)
    const isPossible = ['%', '\\'].some(isIn) || this.#codings.some(({literals}) => literals.some(isIn))
    return isPossible && !this.#spansIn(text).next().done
  }

  /** Without what `keeps`, with a mask in place of each. */
  masked(text: string, mask: string, keeps: (secret: string, at: number) => boolean = () => false): string {
    let masked = ''
    let done = 0
    for (const [from, to] of this.#spansIn(text)) {
      if (keeps(text.slice(from, to), from)) continue
      masked += text.slice(done, from) + mask
      done = to
    }
    return masked + text.slice(done)
  }

  *#spansIn(text: string): Generator<readonly [from: number, to: number]> {
    if (this.#codings.length === 0) return
    this.#starts ??= this.#startPattern()
    const starts = new RegExp(this.#starts, 'g')
    for (let match = starts.exec(text); match; match = starts.exec(text)) {
      const {index} = match
      const to = Math.max(...this.#codings.map((coded) => endOf(coded, text, index)))
      starts.lastIndex = Math.max(to, index + 1)
      if (to > index) yield [index, to]
    }
  }

  #startPattern(): string {
    const starts = this.#codings.map(({characters, pattern}) => characters.slice(0, startLength).map(pattern).join(''))
    return [...new Set(starts)].join('|')
  }
}

function codingsOf(secret: string | Uint8Array): Coded[] {
  const whole = typeof secret === 'string' ? secret : utf8Text(secret)?.trim()
  const coded = (text: string, pattern: Coded['pattern'], literals = [longestRun(text)]) => ({
    characters: [...text],
    pattern,
    literals,
  })
  const hex = hexEncodings(secret)
  return [
    ...(whole === undefined ? [] : [coded(whole.replaceAll('\r', ''), characterPattern)]),
    ...base64Encodings(secret).map((text) => coded(text, base64Pattern)),
    ...hex.slice(0, 1).map((text) => coded(text, digitPattern, hex)),
  ]
}

/** The longest substring that both alphabets of base64 and forms write alike. An empty one is found in any text. */
function longestRun(text: string): string {
  const runs = text.match(/[\w.]+/g) ?? ['']
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
}

/** The end of a secret that begins at an index of a text, or -1. */
function endOf({characters, pattern}: Coded, text: string, index: number): number {
  let at = index
  for (const character of characters) {
    const coding = sticky(pattern(character))
    coding.lastIndex = at
    if (!coding.test(text)) return -1
    at = coding.lastIndex
  }
  return at
}

const compiled = new Map<string, RegExp>()

function sticky(pattern: string): RegExp {
  const known = compiled.get(pattern) ?? new RegExp(pattern, 'y')
  compiled.set(pattern, known)
  return known
}

/** Bounded, so that no text takes long. */
const backslashes = String.raw`\\{1,8}`
const percentSign = '%(?:25){0,4}'

/** The longest first, to compare without backtracking. */
function characterPattern(character: string): string {
  const hex = (code: number, length: number) => digitPattern(code.toString(16).padStart(length, '0'))
  const percent = Array.from(Buffer.from(character), (byte) => `${percentSign}${hex(byte, 2)}`).join('')
  const json = character.split('').map((unit) => `${backslashes}u${hex(unit.charCodeAt(0), 4)}`)
  const more: Readonly<Record<string, string>> = {
    ' ': String.raw`\+`,
    '\n': String.raw`\r\n|${percentSign}0[dD]${percent}|(?:${backslashes}r)?${backslashes}n`,
    '"': `${backslashes}"`,
    '/': `${backslashes}/`,
    '\\': backslashes,
  }
  return `(?:${[more[character], percent, json.join(''), literalPattern(character)].filter(Boolean).join('|')})`
}

/** Padding may be missing, or in percent. */
function base64Pattern(character: string): string {
  return {'+': '[+-]', '/': '[/_]', '=': '(?:=|%3[dD])?'}[character] ?? character
}

/** Hexadecimal digits of either case. */
function digitPattern(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

export function usualAlphabet(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/')
}

/** Undefined for bytes that are no text. */
function utf8Text(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : undefined
}
