/** More digits than a number of any use has: reading them as a whole number would take time that grows with their square. */
const mostDigits = 400

/** A run of digits that JSON.parse may round, where a number can stand; a text that holds the same costs no more than time. */
const longNumber = /(?:^|[\s:,[])-?\d{16,}(?=[\s,\]}]|$)/

/**
 * JSON.parse that rounds no whole number: what a double cannot hold exactly is a bigint. `reviver` is called as JSON.parse does.
 * Raises a SyntaxError for what is no JSON.
 */
export function parseExactJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  if (!longNumber.test(text)) return JSON.parse(text, reviver)
  const mark = newMark()
  return JSON.parse(withMarkedNumbers(text, mark), (key, value: unknown) => {
    const exact = typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value
    return reviver ? reviver(key, exact) : exact
  })
}

/** JSON.stringify that writes a bigint by its digits. */
export function exactJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null'
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  const mark = newMark()
  const marked = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${mark}${one}` : one), indent) ?? 'null'
  return marked.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}

/** What no text of a service can begin with. */
function newMark(): string {
  return `${crypto.randomUUID()}:`
}

/** JSON with the whole numbers that would be rounded as texts that begin with a mark. */
function withMarkedNumbers(text: string, mark: string): string {
  const pieces: string[] = []
  const next = /["\d-]/g
  const number = /-?[\d.eE+-]*/y
  let kept = 0
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    if (match[0] === '"') {
      next.lastIndex = endOfText(text, match.index) + 1
      continue
    }
    number.lastIndex = match.index
    const digits = number.exec(text)?.[0] ?? ''
    next.lastIndex = Math.max(number.lastIndex, match.index + 1)
    if (!isRounded(digits)) continue
    pieces.push(text.slice(kept, match.index), `"${mark}${digits}"`)
    kept = match.index + digits.length
  }
  return `${pieces.join('')}${text.slice(kept)}`
}

function isRounded(digits: string): boolean {
  return digits.length <= mostDigits && /^-?[1-9]\d{15,}$/.test(digits) && String(Number(digits)) !== digits
}

/** Where the text that begins at a quote ends: at the next quote that is not escaped, or with the whole. */
export function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && backslashesBefore(text, end) % 2 === 1) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

const backslash = 0x5c

/** Of a place in a text, how many backslashes are right before it, none before `least`. */
export function backslashesBefore(text: string, place: number, least = 0): number {
  let first = place
  while (first > least && text.charCodeAt(first - 1) === backslash) first -= 1
  return place - first
}

/** Where a text stops being JSON: line and column from 1, and whether it simply breaks off there. */
interface JsonFault {
  readonly line: number
  readonly column: number
  readonly atEnd: boolean
}

/**
 * The position where JSON.parse refuses a text. Some of its messages have none, and they quote the text; but for any prefix
 * they show whether more could follow, so that the longest such prefix ends at the fault (binary search).
 */
export function jsonFault(text: string): JsonFault {
  let [good, bad] = [0, text.length + 1]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (canContinue(text.slice(0, middle))) good = middle
    else bad = middle
  }
  const lines = text.slice(0, good).split('\n')
  return {line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, atEnd: good === text.length}
}

/** Whether a text is JSON, or is refused only where it ends. */
function canContinue(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const {message} = error as SyntaxError
    const position = /position (\d+)/.exec(message)?.[1]
    return position === String(text.length) || /end of JSON|Unterminated string/.test(message)
  }
}
