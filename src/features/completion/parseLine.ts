import type {Shell} from './scripts.js'

/** A partial command line without the tool's name. */
export interface TypedLine {
  /** The complete words before the cursor, unquoted. */
  readonly before: readonly string[]
  /** The partial word at the cursor; empty after a space. */
  readonly current: string
  /** Converts a value to what the shell must insert; undefined if that is impossible. */
  readonly insertion: (value: string) => string | undefined
}

/**
 * Parses the line as the shell's script passes it (scripts.ts): bash the raw line, and what readline will replace; zsh unquoted
 * words; fish the same except the last; PowerShell `x` and hexadecimal bytes, since some versions lose empty words and quotes.
 */
export function parseLine(shell: Shell, encoded: readonly string[], replaced = ''): TypedLine {
  if (shell === 'bash') return bashTyped(encoded[0] ?? '', replaced)
  const words = shell === 'powershell' ? encoded.map(fromHex) : encoded
  const last = words.at(-1) ?? ''
  return {
    before: words.slice(0, -1),
    current: shell === 'fish' ? fishText(last) : last,
    insertion: (value) => value,
  }
}

function bashTyped(line: string, replaced: string): TypedLine {
  const [, ...words] = bashWords(line)
  const current = words.pop() ?? {raw: '', text: ''}
  return {
    before: words.map(({text}) => text),
    current: current.text,
    insertion: (value) => bashInsertion(value, current, replaced),
  }
}

function fromHex(word: string): string {
  return Buffer.from(word.slice(1), 'hex').toString()
}

const fishPiece = /\\([\s\S]?)|'((?:[^'\\]|\\[\s\S]?)*)(?:'|$)|"((?:[^"\\]|\\[\s\S]?)*)(?:"|$)|[^\\'"]+/gu

/** Removes fish's quoting, which may still be open. */
function fishText(raw: string): string {
  return raw.replace(fishPiece, (whole, escaped?: string, single?: string, double?: string) => {
    if (single !== undefined) return single.replace(/\\([\\'])/gu, '$1')
    if (double !== undefined) return double.replace(/\\([\\"$])/gu, '$1')
    return escaped ?? whole
  })
}

export interface BashWord {
  readonly raw: string
  readonly text: string
  /** The open quote at its end, and the text before it. */
  readonly open?: {readonly quote: '"' | "'"; readonly before: string}
}

/** A space, an escaped character, single-quoted and double-quoted text, each perhaps still open, or anything else. */
const piece = /\s+|\\([\s\S]?)|'([^']*)('|$)|"((?:[^"\\]|\\[\s\S]?)*)("|$)|[^\s\\'"]+/gu

/** The words of a line of bash; the last one is incomplete, and empty after a space. */
export function bashWords(line: string): BashWord[] {
  const words: BashWord[] = []
  let word: BashWord = {raw: '', text: ''}
  for (const match of line.matchAll(piece)) {
    if (match[0].trim() === '') {
      words.push(word)
      word = {raw: '', text: ''}
    } else word = extended(word, match)
  }
  return [...words, word]
}

function extended({raw, text}: BashWord, [whole, escaped, single, singleEnd, double, doubleEnd]: RegExpMatchArray) {
  const next = {raw: raw + whole}
  if (escaped !== undefined) return {...next, text: text + escaped}
  if (single !== undefined) {
    return {...next, text: text + single, ...(singleEnd ? {} : {open: {quote: "'", before: text} as const})}
  }
  if (double !== undefined) {
    const inner = double.replace(/\\([$`"\\])/gu, '$1')
    return {...next, text: text + inner, ...(doubleEnd ? {} : {open: {quote: '"', before: text} as const})}
  }
  return {...next, text: text + whole}
}

/**
 * What bash inserts, quoted: everything after an open quote, or in place of `replaced`, the part after the last of COMP_WORDBREAKS.
 * Undefined if the value does not start with the word.
 */
export function bashInsertion(value: string, word: BashWord, replaced: string): string | undefined {
  if (word.open) {
    const {quote, before} = word.open
    const inserted = quotedRest(value, before, quote === "'" ? inSingle : inDouble)
    // Readline does not close the quote after a character that looks like one.
    return inserted?.endsWith(quote) ? inserted + quote : inserted
  }
  const kept = word.raw.endsWith(replaced) ? word.raw.slice(0, word.raw.length - replaced.length) : ''
  return quotedRest(value, bashWords(kept)[0]?.text ?? '', escaped)
}

function quotedRest(value: string, kept: string, quote: (text: string) => string): string | undefined {
  return value.startsWith(kept) ? quote(value.slice(kept.length)) : undefined
}

function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N}_./:=@%+,-]/gu, '\\$&')
}

function inSingle(text: string): string {
  return text.replaceAll("'", "'\\''")
}

/** `!` cannot be escaped in double quotes, so it goes outside. */
function inDouble(text: string): string {
  return text.replace(/[\\$`"]/gu, '\\$&').replaceAll('!', '"\\!"')
}
