/** Longer numbers are not read as whole ones, which takes a time that grows with the square of their digits. */
const mostDigits = 400

/** What is in a text of JSON outside of its strings. */
interface JsonOutline {
  readonly levels: number
  /** At least the number of its values, without those that are the first of a list or an object. */
  readonly values: number
  /** Whether it has a run of digits that JSON.parse may round. */
  readonly hasLongNumber: boolean
}

/** One pass over a text, which may be no JSON at all. */
export function outlineJson(text: string): JsonOutline {
  let [level, levels, values, digits, mostDigits] = [0, 0, 0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character >= zero && character <= nine) {
      digits += 1
      if (digits > mostDigits) mostDigits = digits
      continue
    }
    digits = 0
    switch (character) {
      case quote:
        at = endOfText(text, at)
        break
      case comma:
        values += 1
        break
      case openList:
      case openObject:
        level += 1
        values += 1
        if (level > levels) levels = level
        break
      case closeList:
      case closeObject:
        level -= 1
    }
  }
  return {levels, values, hasLongNumber: mostDigits >= 16}
}

const [quote, comma, zero, nine] = [0x22, 0x2c, 0x30, 0x39]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** JSON.parse without rounding: a whole number that a double cannot hold is a bigint. Throws a SyntaxError. */
export function parseExactJson(
  text: string,
  {hasLongNumber}: Pick<JsonOutline, 'hasLongNumber'> = outlineJson(text),
): unknown {
  if (!hasLongNumber) return JSON.parse(text)
  const mark = newMark()
  return JSON.parse(withMarkedNumbers(text, mark), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

/** JSON.stringify that writes the digits of a bigint. */
export function exactJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null'
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  const mark = newMark()
  const marked =
    JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${mark}${member}` : member), indent) ?? 'null'
  return marked.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}

/** No text of a service begins with it. */
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

/** The end of the text that begins at a quote: the next quote that is not escaped, or the end of all. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && backslashesBefore(text, end) % 2 === 1) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

const backslash = 0x5c

/** How many backslashes are right before a place. */
function backslashesBefore(text: string, place: number): number {
  let first = place
  while (first > 0 && text.charCodeAt(first - 1) === backslash) first -= 1
  return place - first
}

/** The position of a JSON syntax error: line and column from 1; `atEnd`: it is truncated. */
interface JsonFault {
  readonly line: number
  readonly column: number
  readonly atEnd: boolean
}

/** Deeper text is not read: no document of ours has as many. */
const mostLevels = 500

/** Of a number, a literal or an escape that breaks off. */
const brokenOff = /^(?:\\(?:u[\da-fA-F]{0,3})?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-|\.|[eE][+-]?)?$/u

/** The place where a text stops being JSON (RFC 8259), which JSON.parse does not always say. */
export function jsonFault(text: string): JsonFault {
  let [at, levels, isInString] = [0, 0, false]
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const isThere = pattern.test(text)
    if (isThere) at = pattern.lastIndex
    return isThere
  }
  const sequence = (item: () => boolean, end: RegExp): boolean => {
    if (take(end)) return true
    levels += 1
    do if (levels > mostLevels || !item()) return false
    while (take(/[ \t\r\n]*,/y))
    levels -= 1
    return take(end)
  }
  const string = (): boolean => {
    if (!take(/[ \t\r\n]*"/y)) return false
    take(/(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy)
    isInString = !take(/"/y)
    return !isInString
  }
  const member = () => string() && take(/[ \t\r\n]*:/y) && value()
  const value = (): boolean => {
    if (take(/[ \t\r\n]*\{/y)) return sequence(member, /[ \t\r\n]*\}/y)
    if (take(/[ \t\r\n]*\[/y)) return sequence(value, /[ \t\r\n]*\]/y)
    return take(/[ \t\r\n]*(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y) || string()
  }
  value()
  if (!isInString) take(/[ \t\r\n]+/y)
  const atEnd = brokenOff.test(text.slice(at))
  const lines = text.slice(0, atEnd ? text.length : at).split('\n')
  return {line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, atEnd}
}
