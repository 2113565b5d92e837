import {stripVTControlCharacters} from 'node:util'
import {capped, emojiPattern, isCapped, whenUsed} from './text.js'

// string-width builds a segmenter when it loads, which takes longer than a short list does, so it is loaded only for text
// that needs it.
let tables: ((text: string) => number) | undefined
let segmenter: Intl.Segmenter | undefined

/** Loads the width tables; after it every width is exact. */
export async function loadWidths(): Promise<void> {
  tables ??= (await import('string-width')).default
}

/** Loads the width tables when one of the texts needs them. */
export async function loadWidthsFor(rows: readonly (readonly string[])[]): Promise<void> {
  if (tables === undefined && rows.some((row) => row.some((text) => plainWidth(text) === undefined))) await loadWidths()
}

/**
 * How many columns of a terminal a text takes, colours left out: two for a Korean syllable or an emoji, none for a combining
 * mark. Exact for ASCII, Latin, Hangul, kana and Han; for other text once `loadWidths` has run, before that two columns for each
 * character, so that nothing is ever taken for narrower than it is.
 */
export function displayWidth(text: string): number {
  const known = plainWidth(text)
  if (known !== undefined) return known
  const drawn = stripVTControlCharacters(text)
  let width = 0
  for (const character of tables ? graphemes(drawn) : drawn) width += graphemeWidth(character)
  return width
}

/** A text of at most `width` columns, with `…` in place of what was cut off. */
export function cut(text: string, width: number): string {
  const shown = capped(text)
  return displayWidth(shown) <= width ? shown : shortened(shown, width)
}

/** A text filled with spaces to `width` columns, on the left when it belongs to the right. */
export function pad(text: string, width: number, right = false): string {
  const missing = width - displayWidth(text)
  if (missing <= 0) return text
  return right ? ' '.repeat(missing) + text : text + ' '.repeat(missing)
}

/** A text cut and filled to exactly `width` columns. */
export function fitTo(text: string, width: number): string {
  return pad(cut(text, width), width)
}

/** A text of at most `width` columns, with `…` in place of its middle: of a path the folder and the end of the file name stay. */
export function cutMiddle(text: string, width: number): string {
  if (width < 3 || isCapped(text) || displayWidth(text) <= width) return cut(text, width)
  const tail = fitting(Array.from(graphemes(text)).reverse(), Math.ceil((width - 1) / 2)).reverse()
  return `${shortened(text, Math.floor((width - 1) / 2) + 1)}${tail.join('')}`
}

function shortened(text: string, width: number): string {
  return width < 1
    ? ''
    : `${fitting(graphemes(text), width - 1)
        .join('')
        .trimEnd()}…`
}

/** The first graphemes that fit into a number of columns. */
function fitting(characters: Iterable<string>, columns: number): string[] {
  const taken: string[] = []
  let room = columns
  for (const character of characters) {
    room -= graphemeWidth(character)
    if (room < 0) break
    taken.push(character)
  }
  return taken
}

/** No letter with its marks and no joined emoji that is shown as one is longer. */
const longestGrapheme = 48

/**
 * The characters as a reader counts them: a letter with its marks, a joined emoji. A longer chain of letters that join, as
 * those of Indic scripts do without end, is taken apart.
 */
export function* graphemes(text: string): Generator<string> {
  if (plainWidth(text) !== undefined) {
    yield* text
    return
  }
  segmenter ??= new Intl.Segmenter()
  for (const {segment} of segmenter.segment(text)) {
    if (segment.length > longestGrapheme) yield* segment
    else yield segment
  }
}

const ascii = /^[ -~]*$/
/** Kana, Han and Hangul. */
const wide = /[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/g
/** Those, the Latin letters and signs without the soft hyphen, and `…`: none of them joins with another. */
const plain = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2026\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/

/** The width of text whose characters never join; undefined for any other. */
function plainWidth(text: string): number | undefined {
  if (ascii.test(text)) return text.length
  return plain.test(text) ? text.length + (text.match(wide)?.length ?? 0) : undefined
}

/** The widths that were looked up, which takes longer than all the rest: most texts use few letters. */
const measured = new Map<string, number>()
const mostMeasured = 2000

/** What a terminal draws as one picture: an emoji, and a Korean syllable in its letters. */
const joined = whenUsed(
  () =>
    new RegExp(
      `^(?:${emojiPattern}|[\\u1100-\\u115f\\ua960-\\ua97c][\\u1160-\\u11a7\\ud7b0-\\ud7c6][\\u11a8-\\u11ff\\ud7cb-\\ud7fb]?)$`,
      'u',
    ),
)

/**
 * The width of one grapheme. Terminals give each letter of a chain (Thai, Devanagari, Khmer) its own column, so their widths
 * are added up; string-width takes such a chain for its first letter.
 */
export function graphemeWidth(grapheme: string): number {
  const plainly = plainWidth(grapheme)
  if (plainly !== undefined || tables === undefined) return plainly ?? 2
  const known = measured.get(grapheme)
  if (known !== undefined) return known
  const parts = joined().test(grapheme) ? [grapheme] : [...grapheme]
  const width = parts.reduce((sum, part) => sum + (tables?.(part) ?? 2), 0)
  if (measured.size >= mostMeasured) measured.clear()
  measured.set(grapheme, width)
  return width
}

/**
 * A text broken at spaces into lines of at most `width` columns. A word of ASCII that is longer than a line stays whole,
 * because it is an id or an address that somebody will copy; other long words are broken between their characters.
 */
export function wrap(text: string, width: number): string[] {
  return wrapWords(
    wordsOf(text).flatMap((word) => (ascii.test(word) ? [word] : breakWord(word, width))),
    width,
  )
}

/** The same for a column of a table, where no word may be longer than a line. */
export function wrapAll(text: string, width: number): string[] {
  return wrapWords(
    wordsOf(text).flatMap((word) => breakWord(word, width)),
    width,
  )
}

function wordsOf(text: string): string[] {
  return capped(text).split(' ')
}

/** Words, none of which is broken, in lines of at most `width` columns. */
export function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && displayWidth(longer) > width) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, line]
}

function breakWord(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  let room = width
  for (const character of graphemes(word)) {
    const size = graphemeWidth(character)
    if (size > room && piece !== '') {
      pieces.push(piece)
      piece = ''
      room = width
    }
    piece += character
    room -= size
  }
  return [...pieces, piece]
}
