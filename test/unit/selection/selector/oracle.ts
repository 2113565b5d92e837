import type {Condition, Tree} from './expressions.js'

/** A room as the oracle sees it: every value has its type already, or is undefined. Times are milliseconds. */
export interface Facts {
  status: string | undefined
  name: string | undefined
  id: string | undefined
  creator: string | undefined
  started: number | undefined
  reservedStart: number | undefined
  ended: number | undefined
  reservedEnd: number | undefined
  present: number | undefined
  max: number | undefined
  public: boolean | undefined
  joinable: boolean | undefined
}

/** What the documents of the selector say it means, as plainly as it can be said. */
export function holds(tree: Tree, facts: Facts, now: number): boolean {
  if (tree.kind === 'condition') return conditionHolds(tree.condition, facts, now)
  if (tree.kind === 'not') return !holds(tree.term, facts, now)
  const results = tree.terms.map((term) => holds(term, facts, now))
  return tree.kind === 'and' ? !results.includes(false) : results.includes(true)
}

function conditionHolds({field, operator, value}: Condition, facts: Facts, now: number): boolean {
  const actual = actualValue(field, facts, now)
  if (actual === undefined) return operator === '!=' || operator === '!~'
  if (operator === '=') return actual === value
  if (operator === '!=') return actual !== value
  if (operator === '~') return new RegExp(String(value), 'u').test(String(actual))
  if (operator === '!~') return !new RegExp(String(value), 'u').test(String(actual))
  return inOrder(Number(actual), operator, Number(value))
}

function inOrder(left: number, operator: string, right: number): boolean {
  if (operator === '<') return left < right
  if (operator === '>') return left > right
  if (operator === '<=') return left <= right
  return left >= right
}

function actualValue(field: Condition['field'], facts: Facts, now: number): string | number | boolean | undefined {
  const start = facts.started ?? facts.reservedStart
  if (field === 'start') return start
  if (field === 'end') return facts.ended ?? facts.reservedEnd
  if (field === 'age') return start === undefined ? undefined : now - start
  return facts[field]
}
