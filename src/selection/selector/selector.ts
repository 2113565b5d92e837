import {Failure, withFacts, wrongUsage} from '../../failure.js'
import {displayWidth} from '../../text/width.js'
import {comparisonTest, junction, type Part} from './comparison.js'
import type {RoomSubject, SelectorOperator} from './field.js'
import {parseSelectorText} from './parse.js'

export interface Selector {
  /** Whether a room is selected at `now`. Never throws, for any answer of the service. */
  matches(subject: RoomSubject, now: Date): boolean
  /** The same for a room whose detail was not read; undefined if that would decide. */
  decides(row: RoomSubject, now: Date): boolean | undefined
  /** The same for a room that will never change; undefined if the time would decide. */
  settles(subject: RoomSubject): boolean | undefined
}

const longest = 4096

/** Conditions that hold beside the text of a selector (product §5). */
interface Conditions {
  readonly olderThan?: string | undefined
  /** Empty MEETING and IDLE rooms. */
  readonly empty?: boolean | undefined
  readonly match?: string | undefined
}

async function conditionsOf({olderThan, empty, match}: Conditions): Promise<Part[]> {
  const parts: Part[] = []
  if (olderThan !== undefined) parts.push(await condition('age', '>', olderThan))
  if (match !== undefined) parts.push(await condition('name', '~~', match))
  if (!empty) return parts
  const isOpen = [await condition('status', '=', 'MEETING'), await condition('status', '=', 'IDLE')]
  return [...parts, junction(isOpen, true), await condition('present', '=', '0')]
}

function condition(field: string, operator: SelectorOperator, value: string): Promise<Part> {
  const position = 0
  const comparison = {field: {text: field, position}, operator: {text: operator, position}}
  return comparisonTest({...comparison, value: {text: value, position, escapes: []}}, undefined)
}

/**
 * Parses `status=MEETING and (age>8h or present=0) and name~^test-` (product §5); for the grammar see `parseSelectorText`. Comparisons
 * with a missing value are false, so that operators that begin with `!` are true. `tz` is the zone of times without one, which
 * are refused otherwise. The conditions are added with `and`. Throws Failure (usage), whose pointer marks the character at
 * fault.
 */
export async function parseSelector(
  text: string | undefined,
  {tz, ...conditions}: Conditions & {readonly tz?: string | undefined} = {},
): Promise<Selector> {
  const parts = await conditionsOf(conditions)
  if (text !== undefined) parts.push(await readPart(text, tz))
  const part = junction(parts, false)
  return {
    matches: (subject, now) => part(subject, now.getTime()) === true,
    decides: (row, now) => part(row, now.getTime(), 'detail'),
    settles: (subject) => part(subject, 0, 'time'),
  }
}

async function readPart(text: string, tz: string | undefined): Promise<Part> {
  if (text.length > longest) {
    throw wrongUsage(`the selector has ${text.length} characters; at most ${longest} are allowed`)
  }
  try {
    return await parseSelectorText(text, (comparison) => comparisonTest(comparison, tz))
  } catch (error) {
    throw error instanceof Failure ? await pointed(error, text) : error
  }
}

async function pointed(error: Failure, text: string): Promise<unknown> {
  const {position = 0} = error.facts
  const pointer = await pointAt(text, position)
  return withFacts(error, ({message}) => ({
    message: `cannot read the selector: ${message}`,
    try: `check character ${position + 1} of the expression`,
    pointer,
  }))
}

const before = 50
const after = 30
const line = /[\p{Cc}\p{Zl}\p{Zp}]/gu
// Whatever a view would write as an escape moves the caret.
const hidden = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/** The text, cut around `position` (in UTF-16 units), and on a second line a caret below it, by display columns. */
async function pointAt(text: string, position: number): Promise<string[]> {
  const from = position > before ? position - before : 0
  const to = position + after
  const head = (from > 0 ? '…' : '') + onOneLine(text.slice(from, position))
  const tail = onOneLine(text.slice(position, to)) + (to < text.length ? '…' : '')
  return [`${head}${tail}`, `${' '.repeat(displayWidth(head))}^`]
}

/** The text on one line, with a mark in the place of each character that has no width of its own. */
function onOneLine(text: string): string {
  return text.replace(line, ' ').replace(hidden, '\u{fffd}')
}
