import type {Shell} from './scripts.js'

/** A command line as far as it is typed, without the name of the tool. */
export interface TypedLine {
  /** The whole words before the one at the cursor, without their quoting. */
  readonly before: readonly string[]
  /** The word at the cursor, as far as it is typed; empty behind a space. */
  readonly current: string
  /** What the shell is to be given for a value; undefined where it cannot be put there. */
  readonly insertion: (value: string) => string | undefined
}

/**
 * The line as a shell's script passes it on (scripts.ts): bash the line itself, and as `replaced` the part of it that readline will
 * replace; zsh the words without quoting; fish the same but for the last; PowerShell each as `x` and its bytes in hexadecimal, since
 * some of its versions lose empty words and quotes on the way.
 */
export function parseLine(shell: Shell, given: readonly string[], replaced = ''): TypedLine {
  if (shell === 'bash') return bashTyped(given[0] ?? '', replaced)
  const words = shell === 'powershell' ? given.map(fromHex) : given
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

/** A word of fish without its quoting, which may still be open. */
function fishText(raw: string): string {
  return raw.replace(fishPiece, (whole, escaped?: string, single?: string, double?: string) => {
    if (single !== undefined) return single.replace(/\\([\\'])/gu, '$1')
    if (double !== undefined) return double.replace(/\\([\\"$])/gu, '$1')
    return escaped ?? whole
  })
}

/** A word of a line of bash, as far as it is typed. */
export interface BashWord {
  /** As it stands in the line. */
  readonly raw: string
  /** Without its quoting. */
  readonly text: string
  /** The quote that is still open at its end, and the text before that quote. */
  readonly open?: {readonly quote: '"' | "'"; readonly before: string}
}

/** Spaces, an escaped character, a text in single and one in double quotes, each perhaps still open, and anything else. */
const piece = /\s+|\\([\s\S]?)|'([^']*)('|$)|"((?:[^"\\]|\\[\s\S]?)*)("|$)|[^\s\\'"]+/gu

/** The words of a line of bash up to the cursor; the last is being typed, and empty behind a space. */
export function bashWords(line: string): BashWord[] {
  const words: BashWord[] = []
  let word: BashWord = {raw: '', text: ''}
  for (const found of line.matchAll(piece)) {
    if (found[0].trim() === '') {
      words.push(word)
      word = {raw: '', text: ''}
    } else word = extended(word, found)
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
 * What bash is to put in the place of the part that it replaces: all behind an open quote, else the end of the word that readline
 * takes for one (`replaced`), which begins behind the last character of COMP_WORDBREAKS. Quoted, so that nothing in it is
 * expanded or run. Undefined where the value does not begin as the word does.
 */
export function bashInsertion(value: string, word: BashWord, replaced: string): string | undefined {
  if (word.open) {
    const {quote, before} = word.open
    const inserted = quotedRest(value, before, quote === "'" ? inSingle : inDouble)
    // Readline closes the quote, but not behind a character that looks as if it were closed.
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

/** Between double quotes nothing escapes the `!` of the history: it is set outside of them. */
function inDouble(text: string): string {
  return text.replace(/[\\$`"]/gu, '\\$&').replaceAll('!', '"\\!"')
}
