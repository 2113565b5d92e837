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
 * How many columns of a terminal a text takes: two for a Korean syllable or an emoji, none for a combining mark. Exact
 * for ASCII, Latin, Hangul, kana and Han; for other text once `loadWidths` has run, before that two columns for each
 * character, so that nothing is ever taken for narrower than it is.
 */
export function displayWidth(text: string): number {
  return plainWidth(text) ?? tables?.(text) ?? estimate(text)
}

/** A text of at most `width` columns, with `…` in place of what was cut off. */
export function cut(text: string, width: number): string {
  return displayWidth(text) <= width ? text : shortened(text, width)
}

/** A text filled with spaces to `width` columns, on the left when it belongs to the right. */
export function pad(text: string, width: number, right = false): string {
  return filled(text, width - displayWidth(text), right)
}

/** A text cut and filled to exactly `width` columns: `pad(cut(text, width), width, right)`, measured once. */
export function fitTo(text: string, width: number, right = false): string {
  const missing = width - displayWidth(text)
  return missing < 0 ? pad(shortened(text, width), width, right) : filled(text, missing, right)
}

function filled(text: string, missing: number, right: boolean): string {
  if (missing <= 0) return text
  return right ? ' '.repeat(missing) + text : text + ' '.repeat(missing)
}

/** Whole characters from the beginning, as many as leave room for the `…`. */
function shortened(text: string, width: number): string {
  if (width < 1) return ''
  let taken = ''
  let room = width - 1
  for (const character of graphemes(text)) {
    room -= displayWidth(character)
    if (room < 0) break
    taken += character
  }
  return `${taken.trimEnd()}…`
}

/** The characters as a reader counts them: a letter with its marks, a joined emoji. */
export function* graphemes(text: string): Generator<string> {
  if (plainWidth(text) !== undefined) {
    yield* text
    return
  }
  segmenter ??= new Intl.Segmenter()
  for (const {segment} of segmenter.segment(text)) yield segment
}

/** The width of text whose characters never join (ASCII, Latin, kana, Han, Hangul, `…`); undefined for any other. */
function plainWidth(text: string): number | undefined {
  let width = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x20 && unit <= 0x7e) width += 1
    else if (isWide(unit)) width += 2
    else if (isNarrow(unit)) width += 1
    else return undefined
  }
  return width
}

function isWide(unit: number): boolean {
  if (unit >= 0xac00) return unit <= 0xd7a3
  if (unit >= 0x4e00) return unit <= 0x9fff
  return (unit >= 0x3041 && unit <= 0x3096) || (unit >= 0x30a1 && unit <= 0x30fa)
}

/** The Latin letters and signs after ASCII, but the soft hyphen; and what a cut leaves. */
function isNarrow(unit: number): boolean {
  return (unit >= 0xa1 && unit <= 0x2ff && unit !== 0xad) || unit === 0x2026
}

function estimate(text: string): number {
  let width = 0
  for (const character of text) width += plainWidth(character) ?? 2
  return width
}
