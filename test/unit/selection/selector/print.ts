import {formatDuration} from '../../../../src/selection/quantity.js'
import type {Condition, Tree} from './expressions.js'

/** Turns the choices of spelling that the grammar leaves: a number from 0 to `choices - 1`. */
export type Choose = (choices: number) => number

/** Writes an expression in one of its many spellings; parentheses stand where they must, and sometimes where they may. */
export function print(tree: Tree, choose: Choose): string {
  const text = printed(tree, choose)
  return choose(4) === 0 ? `(${text})` : text
}

function printed(tree: Tree, choose: Choose): string {
  if (tree.kind === 'condition') return printCondition(tree.condition, choose)
  if (tree.kind === 'not') {
    const inner = print(tree.term, choose)
    return `${cased('not', choose)} ${isJunction(tree.term) ? `(${inner})` : inner}`
  }
  const terms = tree.terms.map((term) => {
    const text = print(term, choose)
    return isJunction(term) && (tree.kind === 'and' || term.kind === 'or') ? `(${text})` : text
  })
  return terms.join(`${gap(choose) || ' '}${cased(tree.kind, choose)} `)
}

function isJunction(tree: Tree): boolean {
  return tree.kind === 'and' || tree.kind === 'or'
}

function printCondition(condition: Condition, choose: Choose): string {
  const value = printValue(condition, choose)
  return `${cased(condition.field, choose)}${gap(choose)}${condition.operator}${gap(choose)}${value}`
}

function printValue({field, operator, value}: Condition, choose: Choose): string {
  const anyCase = field === 'status' && !operator.endsWith('~')
  if (typeof value === 'string') return quote(anyCase ? cased(value, choose) : value, choose)
  if (typeof value === 'boolean')
    return cased(['no', 'false', 'yes', 'true'][choose(2) + (value ? 2 : 0)] ?? '', choose)
  if (field === 'age') return formatDuration(value)
  if (field === 'present' || field === 'max') return quote(String(value), choose)
  const shifted = new Date(value + 9 * 3_600_000).toISOString().replace('Z', '+09:00')
  return quote(choose(2) === 0 ? new Date(value).toISOString() : shifted, choose)
}

/** Bare where the grammar allows it, else in either kind of quotes. */
function quote(text: string, choose: Choose): string {
  if (/^[^\s()'"=!<>~&|][^\s()&|]*$/.test(text) && choose(2) === 0) return text
  const mark = choose(2) === 0 ? "'" : '"'
  return (
    mark +
    text.replace(/[\\'"]/g, (character) => (character === '\\' || character === mark ? `\\${character}` : character)) +
    mark
  )
}

function cased(word: string, choose: Choose): string {
  return [...word].map((letter) => (choose(3) === 0 ? letter.toUpperCase() : letter)).join('')
}

function gap(choose: Choose): string {
  return ['', '', ' ', '\n\t '][choose(4)] ?? ''
}
