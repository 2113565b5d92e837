import {FormError} from '../form.js'
import {comparisonTest, type Test} from './comparison.js'
import {detailFields} from './field.js'
import {parse} from './parse.js'
import {pointAt} from './pointer.js'
import type {Subject} from './subject.js'
import type {Expression} from './syntax.js'
import {tokenize} from './token.js'

export interface Selector {
  /** Whether a room is selected, as seen at `now`. Never throws, whatever the service answered. */
  matches(subject: Subject, now: Date): boolean
  /** True when the room's detail is needed, for `present_count`. */
  readonly needsDetail: boolean
}

const longest = 4096

/**
 * Reads `status=MEETING and (age>8h or present=0) and name~^test-` (product §5); the grammar stands at `parse`.
 * A missing value compares false with anything, and so `!=` and `!~` are true of it.
 * `tz` is the zone of times that name none; without it they are refused.
 * Rejects with FormError: `position` is the character it complains of and `advice` shows it with a caret.
 */
export async function parseSelector(text: string, options: {readonly tz?: string} = {}): Promise<Selector> {
  if (text.length > longest) {
    throw new FormError(`the selector has ${text.length} characters; it may have ${longest} at most`)
  }
  try {
    const expression = parse(tokenize(text))
    const test = await testOf(expression, options.tz)
    return {
      matches: (subject, now) => test(subject, now.getTime()),
      needsDetail: needsDetail(expression),
    }
  } catch (error) {
    throw error instanceof FormError ? await pointed(error, text) : error
  }
}

async function testOf(expression: Expression, tz: string | undefined): Promise<Test> {
  if (expression.kind === 'comparison') return comparisonTest(expression, tz)
  if (expression.kind === 'not') {
    const test = await testOf(expression.term, tz)
    return (subject, now) => !test(subject, now)
  }
  const tests: Test[] = []
  // One after the other, so that of several mistakes the first is reported.
  for (const term of expression.terms) tests.push(await testOf(term, tz))
  return expression.kind === 'and'
    ? (subject, now) => tests.every((test) => test(subject, now))
    : (subject, now) => tests.some((test) => test(subject, now))
}

function needsDetail(expression: Expression): boolean {
  if (expression.kind === 'comparison') return detailFields.has(expression.field.text.toLowerCase())
  return expression.kind === 'not' ? needsDetail(expression.term) : expression.terms.some(needsDetail)
}

async function pointed(error: FormError, text: string): Promise<FormError> {
  const position = error.position ?? 0
  return new FormError(
    `cannot read the selector: ${error.message}`,
    {position, advice: await pointAt(text, position), ...(error.why !== undefined && {why: error.why})},
    {cause: error},
  )
}
