import {nearest} from '../../text/nearest.js'
import {FormError, quoted} from '../form.js'
import {type Field, fields, operatorsOf} from './field.js'
import {type Measure, readAge, readCount, readFlag, readStatus, readTime} from './operand.js'
import {compilePattern} from './pattern.js'
import type {Subject} from './subject.js'
import type {Comparison, Operator, Piece, Value} from './syntax.js'

/** Whether a room is selected. `now` is in milliseconds since 1970. */
export type Test = (subject: Subject, now: number) => boolean

/**
 * Turns a comparison into a test. A missing value compares false, and so `!=` and `!~`, the opposites of `=` and `~`,
 * are true of it. `tz` is the zone of a time that names none. Rejects with FormError, positioned in the selector.
 */
export async function comparisonTest(comparison: Comparison, tz: string | undefined): Promise<Test> {
  const {operator, value} = comparison
  const field = fieldOf(comparison.field)
  checkOperator(comparison.field.text, field, operator)
  const holds = await at(value, () => straight(field, operator.text, value.text, tz))
  return operator.text.startsWith('!') ? (subject, now) => !holds(subject, now) : holds
}

/** The test for the operator without its `!`. */
async function straight(field: Field, operator: Operator, value: string, tz: string | undefined): Promise<Test> {
  switch (field.kind) {
    case 'flag': {
      const wanted = readFlag(value)
      return (subject) => field.read(subject) === wanted
    }
    case 'text':
    case 'status': {
      const holds = operator.endsWith('~') ? await compilePattern(value) : equality(field.kind, value)
      return (subject) => {
        const text = field.read(subject)
        return text !== undefined && holds(text)
      }
    }
    default: {
      const measure = readMeasure(field.kind, value, tz)
      const holds = ordering(operator)
      return (subject, now) => {
        const number = field.read(subject, now)
        return number !== undefined && holds(number, measure(now))
      }
    }
  }
}

function ordering(operator: Operator): (left: number, right: number) => boolean {
  switch (operator) {
    case '<':
      return (left, right) => left < right
    case '>':
      return (left, right) => left > right
    case '<=':
      return (left, right) => left <= right
    case '>=':
      return (left, right) => left >= right
    default:
      return (left, right) => left === right
  }
}

function equality(kind: 'text' | 'status', value: string): (text: string) => boolean {
  if (kind === 'text') return (text) => text === value
  const status = readStatus(value)
  return (text) => text.toUpperCase() === status
}

function readMeasure(kind: 'age' | 'time' | 'count', value: string, tz: string | undefined): Measure {
  if (kind === 'age') return readAge(value)
  return kind === 'time' ? readTime(value, tz) : readCount(value)
}

function fieldOf(name: Piece): Field {
  const field = fields.get(name.text.toLowerCase())
  if (field !== undefined) return field
  const near = nearest(name.text.slice(0, 64), fields.keys())
  throw new FormError(`there is no field ${quoted(name.text)}${near === undefined ? '' : `; did you mean ${near}?`}`, {
    position: name.position,
    why: `the fields are ${[...fields.keys()].join(', ')}`,
  })
}

function checkOperator(name: string, field: Field, operator: Piece<Operator>): void {
  const allowed = operatorsOf[field.kind]
  if (allowed.includes(operator.text)) return
  throw new FormError(`${name.toLowerCase()} cannot be compared by ${operator.text}`, {
    position: operator.position,
    why: `it takes ${allowed.join(' ')}`,
  })
}

/** Gives an error about a value the value's place in the selector. */
async function at<Result>(value: Value, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    const why = error.why ?? error.advice
    const inside = error.position ?? 0
    const shift = value.escapes.filter((place) => place <= inside).length
    throw new FormError(
      error.message,
      {position: value.position + inside + (inside > 0 ? shift : 0), ...(why !== undefined && {why})},
      {cause: error},
    )
  }
}
