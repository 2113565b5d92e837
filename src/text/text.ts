import {exactJson} from './json.js'

/** Printable ASCII, kana, Han and Hangul, by far the most frequent text, are safe. */
const plain = /^[\x20-\x7e\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/

// Format, surrogate, separators, default-ignorable and non-characters: all bidi controls, zero-width characters, tags, variation
// selectors, fillers, the byte order mark and the soft hyphen.
const hidden = '\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}'

// Hidden characters in their only right place: an emoji with its variation selector, skin tone and up to seven joined others; a
// keycap; a variant of a Han character.
const dress = '[\\ufe0e\\ufe0f\\p{Emoji_Modifier}]?'
const emoji = `\\p{Extended_Pictographic}${dress}(?:\\u200d\\p{Extended_Pictographic}${dress}){0,7}`
const keycap = '[0-9#*]\\ufe0f\\u20e3'
/** An emoji that is shown as one picture, as the source of a regular expression with the flag `u`. */
export const emojiPattern = `${emoji}|${keycap}`
const hanVariant = '\\p{Script=Han}[\\u{e0100}-\\u{e01ef}]'

const unsafe = whenUsed(() => new RegExp(`(${emojiPattern}|${hanVariant})|[\\p{Cc}${hidden}]`, 'gu'))

/** More than eight marks on one letter reach into the lines above and below. */
const tooManyMarks = whenUsed(() => /([\p{Mn}\p{Me}]{8})([\p{Mn}\p{Me}]+)/gu)

const unseen = whenUsed(() => new RegExp(`[\\x7f-\\x9f${hidden}]`, 'gu'))
const writtenOut = whenUsed(() => new RegExp(`(?!\\n)[\\p{Cc}${hidden}]|[\\p{Mn}\\p{Me}]{9}`, 'u'))
/** Candidates for `unseen`, which is slow on a long text. */
const uncommon = /[^\n\x20-\x7e\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]+/g

/**
 * Any value as one safe line for a terminal, a log and a spreadsheet: control characters, escapes, bidi and zero-width
 * characters, tags and lone surrogates appear as `\u{1b}`. Letters of every script and joined emoji stay. Null and undefined are
 * empty, objects are JSON. Idempotent.
 */
export function safeText(value: unknown): string {
  const text = typeof value === 'string' ? value : asText(value)
  if (plain.test(text)) return text
  return text
    .replace(unsafe(), (character: string, kept: string | undefined) => kept ?? escaped(character))
    .replace(tooManyMarks(), (_, kept: string, rest: string) => kept + Array.from(rest, escaped).join(''))
}

const drawn = whenUsed(() => new RegExp(`(\\n|${String.fromCharCode(0x1b)}\\[(?:1|2|22|3[1236]|39)m)`))

/** `safeText` of a text with our own line breaks and colours, which stay. */
export function safeLines(text: string): string {
  if (plain.test(text)) return text
  return text
    .split(drawn())
    .map((part, at) => (at % 2 === 1 ? part : safeText(part)))
    .join('')
}

/**
 * JSON without hidden characters: what `safeText` would escape, and the joiners of emoji, become `\uXXXX`, the same value for every
 * parser.
 */
export function revealInJson(json: string): string {
  return reveal(json, (character) => Array.from({length: character.length}, (_, i) => unit(character, i)).join(''))
}

/** The same for YAML, whose double-quoted strings name a character beyond the basic plane at once. */
export function revealInYaml(yaml: string): string {
  return reveal(yaml, (character) => {
    const point = character.codePointAt(0) ?? 0
    return point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : unit(character, 0)
  })
}

/** Whether the two above would escape something, or there is a control other than a line break. */
export function hidesSomething(text: string): boolean {
  return !plain.test(text) && writtenOut().test(text)
}

function reveal(text: string, write: (character: string) => string): string {
  const writeRest = (_: string, kept: string, rest: string) => kept + Array.from(rest, write).join('')
  return text.replace(uncommon, (run) => run.replace(unseen(), write).replace(tooManyMarks(), writeRest))
}

function unit(character: string, index: number): string {
  return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  const json = unlessError(() => exactJson(value), '[object]')
  // Its toJSON gave nothing.
  return json === 'null' ? '' : json
}

/** Compiling a table of Unicode properties takes about half a millisecond, and most runs meet plain text only. */
export function whenUsed(compile: () => RegExp): () => RegExp {
  let compiled: RegExp | undefined
  return () => {
    compiled ??= compile()
    return compiled
  }
}

/** No id, name or sentence is longer, and the segmenter's time grows with the square. */
const longestShown = 4096

/** A text for people, cut at 4,096 characters. JSON, YAML and CSV show all of it. */
export function capped(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

export function isCapped(text: string): boolean {
  return text.length > longestShown
}

/** A text of a service in a sentence, cut at 300 characters: no id or date of the documents is longer. */
export function shortly(text: string, longest = 300): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** The text in double quotes, as a message may repeat it: safe, and cut to 60 characters. */
export function quotedText(text: string): string {
  return `"${safeText(shortly(text, 60))}"`
}

/** The value of a key in a map, made by `make` if missing. */
export function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

export function grouped<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) getOrMake(groups, keyOf(item), () => []).push(item)
  return groups
}

/** `37 MEETING`, `3 IDLE`: how often each word occurs, in the order of occurrence. */
export function tally(words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Array.from(counts, ([word, count]) => `${count} ${word}`)
}

/** The first `most` of a list, and how many more there are: `ann, ben and 499 more`. */
export function someOf(texts: readonly string[], most: number): string {
  const more = texts.length - most
  return more > 1 ? `${texts.slice(0, most).join(', ')} and ${more} more` : texts.join(', ')
}

/** `1 room`, `2 rooms`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

/** The result of `work`; `otherwise` if it throws. */
export function unlessError<T, Otherwise>(work: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return work()
  } catch {
    return otherwise
  }
}

/** Percent escapes decoded once; the text itself if they are invalid. */
export function decodeOnce(text: string): string {
  return unlessError(() => decodeURIComponent(text), text)
}

type Paint = (text: string) => string

/** A view names a meaning, the reader's terminal decides the shade. */
export interface Style {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

const same: Paint = (text) => text

export const noStyle: Style = {bold: same, dim: same, red: same, green: same, yellow: same, cyan: same}

/** The style of a stream. chalk gets the level of sixteen colours, because it ignores NO_COLOR. */
export async function styleOf(hasColor: boolean): Promise<Style> {
  if (!hasColor) return noStyle
  const {Chalk} = await import('chalk')
  return new Chalk({level: 1})
}

const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** A number of bytes for people, in powers of 1024: `512 B`, `12.3 MiB`. */
export function fileSize(bytes: number): string {
  if (Math.abs(bytes) < 1024) return `${bytes} B`
  let size = bytes / 1024
  let unit = 0
  // 1023.95 would be rounded to 1024.0.
  while (Math.abs(size) >= 1023.95 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${size.toFixed(1)} ${units[unit]}`
}

/**
 * The order of the code points, as `LC_ALL=C sort` has it: the same on every machine, whatever its language. `<` compares UTF-16 units,
 * which puts an emoji before a full-width letter.
 */
export function compareText(text: string, other: string): number {
  const shorter = Math.min(text.length, other.length)
  for (let at = 0; at < shorter; at += 1) {
    if (text.charCodeAt(at) !== other.charCodeAt(at)) return (text.codePointAt(at) ?? 0) - (other.codePointAt(at) ?? 0)
  }
  return text.length - other.length
}

/** Prefix of the reason of a target that was not tried. */
export const notStarted = 'not started: '
