/** A text with some of its escapes undone, and where each of its characters stands in the text that it was made of. */
export interface Reading {
  readonly text: string
  /** The place of each character in the original, and at the end the length of that. */
  readonly places: readonly number[] | Int32Array
}

/** Undoes one kind of escapes: what to look for, and what a match stands for; undefined where it stands for itself. */
interface Kind {
  readonly escapes: RegExp
  readonly undo: (written: string) => string | undefined
}

/** A character in UTF-8. */
const percent: Kind = {
  escapes: /%[0-7][\da-f]|%[cd][\da-f]%[\da-f]{2}|%e[\da-f](?:%[\da-f]{2}){2}|%f[0-7](?:%[\da-f]{2}){3}/gi,
  undo: (written) => {
    try {
      return decodeURIComponent(written)
    } catch {
      return undefined
    }
  },
}

const form: Kind = {escapes: /\+/g, undo: () => ' '}

const controls: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', b: '\b', f: '\f'}

/** Those of JSON, and the \u{1b} of this tool. */
const backslash: Kind = {
  escapes: /\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|["'\\/nrtbf])/gi,
  undo: (written) =>
    written[1] === 'u'
      ? character(written.slice(2).replace(/[{}]/g, ''), 16)
      : (controls[written[1] ?? ''] ?? written[1]),
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

const html: Kind = {
  escapes: /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi,
  undo: (written) => {
    if (!written.startsWith('&#')) return entities[written.toLowerCase()]
    const isHexadecimal = /^&#x/i.test(written)
    return character(written.slice(isHexadecimal ? 3 : 2, -1), isHexadecimal ? 16 : 10)
  },
}

function character(digits: string, base: number): string | undefined {
  const point = Number.parseInt(digits, base)
  return point > 0x10ffff ? undefined : String.fromCodePoint(point)
}

/** Escapes within escapes, as they are met: an address in an address, JSON in JSON, either of them in the other or in a page. */
const orders: readonly (readonly Kind[])[] = [
  [percent],
  [percent, percent],
  [percent, percent, percent],
  [percent, backslash],
  [form, percent],
  [backslash],
  [backslash, backslash],
  [backslash, backslash, backslash],
  [backslash, backslash, backslash, backslash],
  [backslash, percent],
  [backslash, html],
  [html],
  // However deep, and in whatever order.
  ...[2, 4].map((rounds) => Array.from({length: rounds}, () => [percent, html, backslash]).flat()),
]

/** The ways to read a text other than as it stands, each once. */
export function readingsOf(text: string): Reading[] {
  if (!/[%+\\&]/.test(text)) return []
  const found = new Map<string, Reading>()
  for (const order of orders) {
    const reading = order.reduce((one, kind) => undone(one, kind) ?? one, plainReading(text))
    found.set(reading.text, reading)
  }
  found.delete(text)
  return [...found.values()]
}

/** The same texts without their places, and the text as it stands: to see at little cost whether one is worth a closer look. */
export function plainReadingsOf(text: string): Set<string> {
  const found = new Set([text])
  if (!holdsAny(text, '%+\\&')) return found
  for (const order of orders) {
    found.add(order.reduce((one, {escapes, undo}) => one.replace(escapes, (written) => undo(written) ?? written), text))
  }
  return found
}

/** Whether one of the characters stands in a text: over megabytes this takes a third of what a pattern takes. */
export function holdsAny(text: string, characters: string): boolean {
  return [...characters].some((one) => text.includes(one))
}

function plainReading(text: string): Reading {
  return {text, places: Int32Array.from({length: text.length + 1}, (_, at) => at)}
}

/** Undefined where there is nothing to undo. */
function undone({text, places}: Reading, {escapes, undo}: Kind): Reading | undefined {
  const parts: string[] = []
  const made: number[] = []
  const keep = (from: number, to: number) => {
    parts.push(text.slice(from, to))
    for (let at = from; at < to; at += 1) made.push(places[at] ?? 0)
  }
  let done = 0
  for (const {0: written, index} of text.matchAll(escapes)) {
    const plain = undo(written)
    if (plain === undefined) continue
    keep(done, index)
    parts.push(plain)
    for (let unit = 0; unit < plain.length; unit += 1) made.push(places[index] ?? 0)
    done = index + written.length
  }
  if (done === 0) return undefined
  keep(done, text.length)
  made.push(places[text.length] ?? 0)
  return {text: parts.join(''), places: made}
}
