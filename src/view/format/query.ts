import type {JSONValue} from '@jmespath-community/jmespath'
import {Failure} from '../../failure.js'
import {exactJson} from '../../text/json.js'
import {runInterruptible} from '../../text/runInterruptible.js'
import {compareText, safeText} from '../../text/text.js'
import {moment} from '../../text/time.js'
import {columnValue, isMissing, type SortKey, type ViewContext} from './columns.js'
import {checkFunctions, isConstant, QueryError, standardQuery} from './queryGrammar.js'

const advice =
  "quote it for the shell, for example --query '[?is_public].room_id'; the language is described at jmespath.org"

/** Throws Failure if the expression cannot be parsed, or fails whatever the result is. */
export async function checkQuery(expression: string): Promise<void> {
  const {compile, TreeInterpreter} = await import('@jmespath-community/jmespath')
  await explained(() => {
    const root = compile(standardQuery(expression))
    for (const call of checkFunctions(root)) if (isConstant(call)) TreeInterpreter.search(call, {})
  })
}

/**
 * What a JMESPath expression finds in a result. Throws Failure when it cannot be read or applied, or finds more than
 * can be shown: a list of lists can double a value with each step.
 */
export async function applyQuery(result: unknown, expression: string): Promise<unknown> {
  const {compile, search} = await import('@jmespath-community/jmespath')
  const find = () => {
    const query = standardQuery(expression)
    checkFunctions(compile(query))
    // The result is JSON, which the compiler cannot prove.
    const value = search(result as JSONValue, query)
    if (countValues(value) > mostValues) throw new RangeError()
    return value
  }
  return explained(() => runInterruptible(find))
}

/** Several times what 100,000 rooms hold. */
const mostValues = 10_000_000

/** The number of values in a value, including itself; counts just beyond the limit at most. */
function countValues(root: unknown): number {
  const waiting = [root]
  let count = 0
  while (waiting.length > 0 && count <= mostValues) {
    const value = waiting.pop()
    count += 1
    for (const member of typeof value === 'object' && value !== null ? Object.values(value) : []) waiting.push(member)
  }
  return count
}

/** A query with a syntax error, or one that does not fit this result. */
export class UnfitQuery extends Failure {}

async function explained<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const message = `--query cannot be used: ${safeText(reasonOfQuery(error))}`
    throw new UnfitQuery({exit: 'usage', message, try: advice}, {cause: error})
  }
}

function reasonOfQuery(error: unknown): string {
  // A RangeError speaks of the engine: of its stack, or of the length of an array.
  if (error instanceof RangeError) return 'it is nested too deeply or matches too much'
  const {message} = error as Error
  if (error instanceof QueryError) return message
  // The library throws plain errors: only the message has the kind and the function.
  if (message.startsWith('Invalid type')) {
    return `a value is of a type that does not fit ${/\w+\(\)/u.exec(message)?.[0] ?? 'a function'}`
  }
  return 'it is not JMESPath; a quote, a bracket or a name may be missing'
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
