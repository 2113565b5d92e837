import {stripVTControlCharacters} from 'node:util'
import fastStringWidth from 'fast-string-width'
import {capped, isCapped, whenUsed} from './text.js'

let segmenter: Intl.Segmenter | undefined

/**
 * Characters that are one column wider than the package counts: marks with a column of their own, as the vowel signs of Devanagari and Khmer, and wide
 * letters (East Asian Width W) that it counts as narrow: Yi, Khitan, Nushu, hexagrams.
 */
const wider = whenUsed(
  () =>
    /[\p{Mc}\u2630-\u2637\u268a-\u268f\u31e4\u31e5\u4dc0-\u4dff\ua000-\ua4c6\u{16fe1}\u{18b00}-\u{18cff}\u{1b170}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f260}-\u{1f265}]/gu,
)

/**
 * What the package counts as two columns and terminals draw in one: symbols of text presentation without a selector (U+FE0F), and the
 * last of an odd number of regional indicators, of which two are a flag.
 */
const narrower = whenUsed(
  () =>
    /(?<!\u200d)(?!\p{Emoji_Presentation})\p{Emoji_Modifier_Base}(?![\u200d\ufe0f\p{Emoji_Modifier}])|(?<!\p{RI})(?:\p{RI}{2})*\p{RI}(?!\p{RI})/gu,
)

/** Joined emoji whose selector is missing are drawn like those that have it. */
const unselected = whenUsed(
  () =>
    /(?!\p{Emoji_Presentation})(?:(?<!\u200d)\p{ExtPict}(?=\u200d\p{ExtPict})|(?<=\u200d)(?!\p{Emoji_Modifier_Base})\p{ExtPict}(?!\ufe0f))/gu,
)

/**
 * The columns of a text on a terminal, without colours: two for a Korean syllable or a joined emoji, none for a combining mark, one for
 * each other letter of a chain (Thai, Devanagari, Khmer), as terminals draw them.
 */
export function displayWidth(text: string): number {
  const known = plainWidth(text)
  if (known !== undefined) return known
  // Korean letters that form one syllable are drawn as one.
  const drawn = stripVTControlCharacters(text).normalize('NFC').replace(unselected(), '$&\ufe0f')
  return fastStringWidth(drawn) + (drawn.match(wider())?.length ?? 0) - (drawn.match(narrower())?.length ?? 0)
}

export function cut(text: string, width: number): string {
  const shown = capped(text)
  return displayWidth(shown) <= width ? shown : shortened(shown, width)
}

/** Fills a text with spaces to `width` columns, on the left if `right`. */
export function pad(text: string, width: number, right = false): string {
  const missing = width - displayWidth(text)
  if (missing <= 0) return text
  return right ? ' '.repeat(missing) + text : text + ' '.repeat(missing)
}

export function fitTo(text: string, width: number): string {
  return pad(cut(text, width), width)
}

/** Cuts the middle of a text: of a path the folder and the end of the file name stay. */
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

function fitting(characters: Iterable<string>, columns: number): string[] {
  const taken: string[] = []
  let room = columns
  for (const character of characters) {
    room -= displayWidth(character)
    if (room < 0) break
    taken.push(character)
  }
  return taken
}

/** No letter with its marks and no joined emoji that is shown as one is longer. */
const longestGrapheme = 48

/**
 * Characters as readers count them: a letter with its marks, a joined emoji. A longer chain of letters, as in Indic scripts, is
 * taken apart.
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
const wide = /[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/g
/** Characters that never join: Latin letters, and signs as the text of roomctl has them (dashes, quotes, arrows, lines), and the wide ones. */
const plain =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2015\u2018-\u201f\u2022\u2026\u2190-\u2193\u2500-\u259f\u2713\u2717\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/

/** The width of text whose characters never join; undefined for any other. */
function plainWidth(text: string): number | undefined {
  if (ascii.test(text)) return text.length
  return plain.test(text) ? text.length + (text.match(wide)?.length ?? 0) : undefined
}

/**
 * A text broken at spaces into lines of at most `width` columns. A longer word of ASCII stays whole, unless `breaksAll`: it is an id
 * or an address to be copied.
 */
export function wrap(text: string, width: number, {breaksAll = false} = {}): string[] {
  const words = capped(text).split(' ')
  const pieces = words.flatMap((word) => (ascii.test(word) && !breaksAll ? [word] : breakWord(word, width)))
  return wrapWords(pieces, width)
}

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
    const size = displayWidth(character)
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
