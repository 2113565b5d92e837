import type {JSONValue} from '@jmespath-community/jmespath'
import {Failure} from '../../failure.js'
import {exactJson} from '../../text/json.js'
import {runInterruptible} from '../../text/runInterruptible.js'
import {compareText, safeText} from '../../text/text.js'
import {moment} from '../../text/time.js'
import {columnValue, isMissing, type SortKey, type ViewContext} from './columns.js'
import {checkFunctions, type FunctionNode, isConstant, QueryError, standardQuery, unreadable} from './queryGrammar.js'

const advice =
  "quote it for the shell, for example --query '[?is_public].room_id'; the language is described at jmespath.org"

/** Throws Failure if the expression cannot be parsed, or fails whatever the result is. */
export async function checkQuery(expression: string): Promise<void> {
  const {compile, TreeInterpreter} = await import('@jmespath-community/jmespath')
  for (const call of calledIn(expression, compile)) {
    if (isConstant(call)) orUnfit(() => TreeInterpreter.search(call, {}), unfitFor([call]))
  }
}

/** What a JMESPath expression finds in a result. Throws Failure if it cannot be read or applied. */
export async function applyQuery(result: unknown, expression: string): Promise<unknown> {
  const {compile, search} = await import('@jmespath-community/jmespath')
  const reason = unfitFor(calledIn(expression, compile))
  // The result is JSON, which the compiler cannot prove.
  const find = () => search(result as JSONValue, standardQuery(expression))
  return orUnfit(() => runInterruptible(find), reason)
}

/** A query with a syntax error, or one that does not fit this result. */
export class UnfitQuery extends Failure {}

type Compile = typeof import('@jmespath-community/jmespath').compile

/** The calls of functions. Throws UnfitQuery. */
function calledIn(expression: string, compile: Compile): FunctionNode[] {
  return orUnfit(() => checkFunctions(compile(standardQuery(expression))), unreadable)
}

/** Which functions can have refused a value: the errors of the library have no code. */
function unfitFor(calls: readonly FunctionNode[]): string {
  const names = new Set(calls.map(({name}) => `${name}()`))
  return names.size === 0 ? unreadable : `a value is of a type that does not fit ${[...names].join(' or ')}`
}

function orUnfit<T>(work: () => T, reason: string): T {
  try {
    return work()
  } catch (error) {
    const message = `--query cannot be used: ${safeText(reasonOf(error) ?? reason)}`
    throw new UnfitQuery({exit: 'usage', message, try: advice}, {cause: error})
  }
}

function reasonOf(error: unknown): string | undefined {
  // A RangeError speaks of the engine: of its stack, or of the length of an array.
  if (error instanceof RangeError) return 'it is nested too deeply or matches too much'
  return error instanceof QueryError ? error.message : undefined
}

type Compare = (a: number, b: number) => number

/**
 * The rows in order. A column that holds only numbers is compared as numbers, one of times as moments, any other as text
 * by code point (a collator is slow to load, and scripts want the same order everywhere). Rows without a value come last
 * in both directions; equal rows keep their order.
 */
export function sortRows<Row>(rows: readonly Row[], keys: readonly SortKey<Row>[], context: ViewContext): Row[] {
  const compares = keys.map((key) => comparison(rows, key, context))
  const byAll: Compare = (a, b) => compares.reduce((result, compare) => result || compare(a, b), 0)
  const entries = rows.map((row, place) => ({row, place}))
  return entries.sort((a, b) => byAll(a.place, b.place)).map(({row}) => row)
}

function comparison<Row>(rows: readonly Row[], {column, descending}: SortKey<Row>, context: ViewContext): Compare {
  const cells = rows.map((row) => columnValue(column, row, context))
  const values = all(cells, asNumber) ?? all(cells, (value) => moment(value)?.getTime()) ?? cells.map(asText)
  const sign = descending ? -1 : 1
  return (a, b) => {
    const left = values[a]
    const right = values[b]
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    const isNumeric = typeof left === 'number' && typeof right === 'number'
    return sign * (isNumeric ? left - right : compareText(String(left), String(right)))
  }
}

type Comparable = number | string | undefined

/** Every value converted, or undefined when one that is there cannot be. */
function all(
  values: readonly unknown[],
  convert: (value: unknown) => number | undefined,
): readonly Comparable[] | undefined {
  const converted: Comparable[] = []
  for (const value of values) {
    const result = isMissing(value) ? undefined : convert(value)
    if (result === undefined && !isMissing(value)) return undefined
    converted.push(result)
  }
  return converted
}

function asNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value)
  return typeof value === 'number' ? value : undefined
}

function asText(value: unknown): string | undefined {
  if (isMissing(value)) return undefined
  return typeof value === 'object' ? exactJson(value) : String(value)
}
