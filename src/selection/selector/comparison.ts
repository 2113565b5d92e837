import {type Failure, withFacts, wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {parseInstant, readRelative} from '../instant.js'
import {parseDuration} from '../quantity.js'
import {quotedText} from '../quotedText.js'
import {
  detailFields,
  listedFieldNames,
  operatorsOf,
  type RoomField,
  type RoomSubject,
  roomFieldNamed,
  roomFieldNames,
  type SelectorOperator,
} from './field.js'

/** A text of the selector, with the position of its first character. */
interface Piece<Text extends string = string> {
  readonly text: Text
  readonly position: number
}

/** `name~^test-`. `escapes`: positions in the value that had a backslash before them in quotes. */
export interface Comparison {
  readonly field: Piece
  readonly operator: Piece<SelectorOperator>
  readonly value: Piece & {readonly escapes: readonly number[]}
}

/** The test of a part at `now`, in milliseconds since 1970; undefined if the answer depends on what is `open`. */
export type Part = (subject: RoomSubject, now: number, open?: 'detail' | 'time') => boolean | undefined

/** `decisive`: the answer of one part that settles the whole, true for `or` and false for `and`, whatever others wait for. */
export function junction(parts: readonly Part[], decisive: boolean): Part {
  return (subject, now, open) => {
    let answer: boolean | undefined = !decisive
    for (const part of parts) {
      const one = part(subject, now, open)
      if (one === decisive) return decisive
      if (one === undefined) answer = undefined
    }
    return answer
  }
}

/** A missing value compares false, so operators that begin with `!` are true of it. Throws Failure (usage), positioned in the selector. */
export async function comparisonTest(
  {field: name, operator, value}: Comparison,
  tz: string | undefined,
): Promise<Part> {
  const field = fieldOf(name)
  checkOperator(name.text, field, operator)
  const holds = await at(value, () => positiveTest(field, operator.text, value.text, tz))
  const isNegative = operator.text.startsWith('!')
  const waitsFor = openIn(name.text, field)
  return (subject, now, open) =>
    open !== undefined && open === waitsFor ? undefined : holds(subject, now) !== isNegative
}

function openIn(name: string, {kind}: RoomField): Parameters<Part>[2] {
  if (detailFields.has(name.toLowerCase())) return 'detail'
  return kind === 'age' || kind === 'time' ? 'time' : undefined
}

type RoomTest = (subject: RoomSubject, now: number) => boolean

async function positiveTest(
  field: RoomField,
  operator: SelectorOperator,
  value: string,
  tz: string | undefined,
): Promise<RoomTest> {
  switch (field.kind) {
    case 'flag': {
      const wanted = readFlag(value)
      return (subject) => field.read(subject) === wanted
    }
    case 'text':
    case 'status': {
      const holds = await textTest(field.kind, operator, value)
      return (subject) => {
        const text = field.read(subject)
        return text !== undefined && holds(text)
      }
    }
    default: {
      const measure = readMeasure(field.kind, value, tz)
      const holds = orderings.get(operator) ?? isEqual
      return (subject, now) => {
        const number = field.read(subject, now)
        return number !== undefined && holds(number, measure(now))
      }
    }
  }
}

async function textTest(kind: 'text' | 'status', operator: SelectorOperator, value: string) {
  if (operator.endsWith('~~')) return compileGlob(value)
  return operator.endsWith('~') ? compilePattern(value) : equality(kind, value)
}

type Ordering = (left: number, right: number) => boolean

const isEqual: Ordering = (left, right) => left === right
const orderings: ReadonlyMap<SelectorOperator, Ordering> = new Map([
  ['<', (left, right) => left < right],
  ['>', (left, right) => left > right],
  ['<=', (left, right) => left <= right],
  ['>=', (left, right) => left >= right],
])

function equality(kind: 'text' | 'status', value: string): (text: string) => boolean {
  if (kind === 'text') return (text) => text === value
  const status = readStatus(value)
  return (text) => text.toUpperCase() === status
}

function fieldOf(name: Piece): RoomField {
  const field = roomFieldNamed(name.text)
  if (field !== undefined) return field
  const near = nearest(name.text.slice(0, 64), roomFieldNames)
  throw wrongUsage(`unknown field ${quotedText(name.text)}${near === undefined ? '' : `; did you mean ${near}?`}`, {
    position: name.position,
    why: `the fields are ${listedFieldNames.join(', ')}`,
  })
}

function checkOperator(name: string, field: RoomField, operator: Piece<SelectorOperator>): void {
  const allowed = operatorsOf[field.kind]
  if (allowed.includes(operator.text)) return
  throw wrongUsage(`${name.toLowerCase()} does not support ${operator.text}`, {
    position: operator.position,
    why: `it takes ${allowed.join(' ')}`,
  })
}

/** Moves an error about a value to its place in the selector. */
async function at<Result>(value: Comparison['value'], read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw withFacts(error, ({position: inside = 0, why, try: advice}) => {
      const shift = value.escapes.filter((place) => place <= inside).length
      const position = value.position + inside + (inside > 0 ? shift : 0)
      return {position, why: why ?? advice, try: undefined}
    })
  }
}

/** room, Enumerations. Repeated here, since this folder does not import the contract. */
const statuses = ['RESERVED', 'MEETING', 'IDLE', 'ENDED']

const flags: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
])

/** A room status in any case, in capitals; throws Failure (usage) for any other word. */
function readStatus(text: string): string {
  const status = text.toUpperCase()
  if (statuses.includes(status)) return status
  const near = nearest(text.slice(0, 64), statuses)
  throw wrongUsage(`unknown status ${quotedText(text)}${near === undefined ? '' : `; did you mean ${near}?`}`, {
    why: `the statuses are ${statuses.join(', ')}`,
  })
}

/** `yes`, `true`, `no` or `false` in any case. */
function readFlag(text: string): boolean {
  const flag = flags.get(text.toLowerCase())
  if (flag === undefined) throw wrongUsage(`${quotedText(text)} is neither yes nor no`)
  return flag
}

/** A number to compare with; a time relative to `now`, in milliseconds since 1970, moves on (`start<+5m`). */
function readMeasure(kind: 'age' | 'time' | 'count', text: string, tz: string | undefined): (now: number) => number {
  const ahead = kind === 'time' ? readRelative(text) : undefined
  if (ahead !== undefined) return (now) => now + ahead
  const fixed = kind === 'time' ? parseInstant(text, {now: new Date(0), tz}).getTime() : readNumber(kind, text)
  return () => fixed
}

function readNumber(kind: 'age' | 'count', text: string): number {
  if (kind === 'age') return parseDuration(text)
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw wrongUsage(`${quotedText(text)} is not a whole number`)
}

/** Larger programs take seconds on a long list of rooms. `[a-z]{500}` is one of about 500 instructions. */
const largestProgram = 1000
const longestPattern = 1000
/** Names come from the service; real ones are shorter. */
const longestSubject = 1000

const lookaround = /^\(\?<?[=!]/

/**
 * Compiles a regular expression in RE2's syntax, which takes time proportional to the text whatever it looks like: a
 * selector is typed in haste and run over names that strangers chose. It is searched for anywhere in the text, case
 * counts unless it begins with `(?i)`, and only the first 1,000 characters of a text are searched.
 * Throws Failure (usage), positioned within the pattern if that is known.
 */
export async function compilePattern(pattern: string): Promise<(text: string) => boolean> {
  const {RE2JS, RE2JSSyntaxException} = await import('re2js')
  if (pattern.length > longestPattern) {
    throw wrongUsage(`a regular expression may have at most ${longestPattern} characters`)
  }
  try {
    const program = RE2JS.compile(pattern)
    if (program.programSize() <= largestProgram) return (text) => program.test(text.slice(0, longestSubject))
  } catch (error) {
    throw patternError(pattern, error instanceof RE2JSSyntaxException ? error : undefined, error)
  }
  throw wrongUsage('this regular expression is too large', {why: 'repetitions such as {1000} multiply its size'})
}

/** Compiles a glob as a shell reads it, for a whole text; case counts. Throws Failure (usage). */
export async function compileGlob(glob: string): Promise<(text: string) => boolean> {
  const {RE2JS} = await import('re2js')
  try {
    const program = RE2JS.compile(`(?s)\\A${globPattern(glob)}\\z`)
    return (text) => program.test(text)
  } catch (error) {
    const reason = error instanceof Error ? Reflect.get(error, 'error') : undefined
    throw wrongUsage(
      `cannot use the pattern ${quotedText(glob)}: ${typeof reason === 'string' ? reason : 'it is too large'}`,
      {},
      {cause: error},
    )
  }
}

const globPart = /\[([!^]?)(\](?:\[:[a-z]+:\]|\\.|[^\]])*|(?:\[:[a-z]+:\]|\\.|[^\]])+)\]|\\?./gsu

/** The regular expression of a glob; an unclosed bracket is literal. */
function globPattern(glob: string): string {
  return glob.replace(globPart, (part: string, not: string, members: string | undefined) => {
    if (members !== undefined) {
      const member = (one: string) => (one.startsWith('[:') ? one : literal(one))
      return `[${not && '^'}${members.replace(/\[:[a-z]+:\]|\\.|[^-]/gsu, member)}]`
    }
    if (part === '*') return '.*'
    return part === '?' ? '.' : literal(part)
  })
}

/** A character, perhaps behind a backslash, as a regular expression of itself. */
function literal(part: string): string {
  const character = part.length > 1 ? part.replace(/^\\/u, '') : part
  return /[!-/:-@[-`{-~]/u.test(character) ? `\\${character}` : character
}

interface Complaint {
  readonly error: string | null
  readonly input: string | null
}

function patternError(pattern: string, complaint: Complaint | undefined, cause: unknown): Failure {
  const found = complaint?.input ?? ''
  const position = Math.max(0, pattern.indexOf(found))
  if (lookaround.test(pattern.slice(position))) {
    return wrongUsage('lookahead and lookbehind are not supported', {
      position,
      why: 'matching must take linear time; combine conditions with and, not',
    })
  }
  if (/^\\[1-9k]/.test(found)) {
    return wrongUsage('backreferences are not supported', {
      position,
      why: 'matching must take linear time',
    })
  }
  const reason = complaint?.error ?? 'it cannot be used'
  return wrongUsage(`this is not a regular expression: ${reason}`, {position}, {cause})
}
