import {type Failure, wrongUsage} from '../../failure.js'
import {quotedText} from '../quotedText.js'

/** Every operator; those that begin with `!` are the opposites of `=`, `~` and `~~`. */
export const selectorOperators = ['=', '!=', '<', '>', '<=', '>=', '~', '!~', '~~', '!~~'] as const
export type SelectorOperator = (typeof selectorOperators)[number]

/** A token of the selector, with the position of its first character. */
export interface SelectorPiece<Text extends string = string> {
  readonly text: Text
  readonly position: number
}

/** A value. `escapes`: positions in `text` that had a backslash before them in quotes. */
export interface SelectorValue extends SelectorPiece {
  readonly escapes: readonly number[]
}

/** `name~^test-`. The field, and its operators and values, are checked later. */
export interface Comparison {
  readonly kind: 'comparison'
  readonly field: SelectorPiece
  readonly operator: SelectorPiece<SelectorOperator>
  readonly value: SelectorValue
}

/** The syntax tree of a selector: all (`and`) of two or more terms must hold, or one of them (`or`). */
export type Expression =
  | Comparison
  | {readonly kind: 'not'; readonly term: Expression}
  | {readonly kind: 'and' | 'or'; readonly terms: readonly Expression[]}

export function comparison(field: string, operator: SelectorOperator, value: string): Comparison {
  const place = {position: 0}
  return {
    kind: 'comparison',
    field: {text: field, ...place},
    operator: {text: operator, ...place},
    value: {text: value, escapes: [], ...place},
  }
}

/** `end`: the position after the token. */
export type Token = {readonly position: number; readonly end: number} & (
  | {readonly kind: 'open' | 'close' | 'end'; readonly text: string}
  | {readonly kind: 'operator'; readonly text: SelectorOperator}
  | {readonly kind: 'word'; readonly text: string}
  | ({readonly kind: 'value'} & SelectorValue)
)

const space = /\s*/uy
const operatorRun = /[=!<>~]+/uy
const word = /[\p{L}_][\p{L}\p{N}_.-]*/uy
const bareValue = /[^\s()]+/uy
const quotedValue = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/suy

/**
 * Splits a selector into tokens, the last one of kind `end`. An operator is followed by one value: quoted, or bare up to
 * white space or a parenthesis. Inside quotes `\'`, `\"` and `\\` stand for the second character; any other backslash
 * stays, so that regular expressions need no doubling. Throws Failure (usage) with its position.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  for (;;) {
    position += matchAt(space, text, position)?.length ?? 0
    const previous = tokens.at(-1)
    if (previous?.kind === 'value') checkApart(text, position, previous)
    const token = previous?.kind === 'operator' ? readValue(text, position, previous) : readSymbol(text, position)
    tokens.push(token)
    if (token.kind === 'end') return tokens
    position = token.end
  }
}

/** `name~^(a|b)` and `name='it's'`: a character next to a value was meant as part of it. */
function checkApart(text: string, position: number, value: Token): void {
  const character = text[position]
  if (position > value.end || character === undefined || character === ')') return
  const why =
    character === '(' ? 'a value with parentheses needs quotes' : String.raw`a quote within quotes is written \' or \"`
  throw wrongUsage('a space is missing after the value, or quotes around it', {position, why})
}

function readSymbol(text: string, position: number): Token {
  const character = text[position]
  if (character === undefined) return {kind: 'end', text: '', position, end: position}
  if (character === '(') return {kind: 'open', text: '(', position, end: position + 1}
  if (character === ')') return {kind: 'close', text: ')', position, end: position + 1}
  const run = matchAt(operatorRun, text, position)
  if (run !== undefined)
    return {kind: 'operator', text: operatorOf(run, position), position, end: position + run.length}
  const letters = matchAt(word, text, position)
  if (letters !== undefined) return {kind: 'word', text: letters, position, end: position + letters.length}
  throw unexpected(text, position)
}

function readValue(text: string, position: number, operator: Token): Token {
  const quote = text[position]
  if (quote === "'" || quote === '"') return readQuoted(text, position)
  const value = matchAt(bareValue, text, position)
  if (value === undefined) {
    const why = position < text.length ? 'a value that begins with a parenthesis needs quotes' : undefined
    throw wrongUsage(`a value is missing after ${operator.text}`, {position, ...(why && {why})})
  }
  const joint = value.search(/&&|\|\|/)
  if (joint >= 0) {
    throw wrongUsage('conditions are joined by and, or', {
      position: position + joint,
      why: 'a value that contains && or || needs quotes',
    })
  }
  return {kind: 'value', text: value, escapes: [], position, end: position + value.length}
}

function readQuoted(text: string, position: number): Token {
  const whole = matchAt(quotedValue, text, position)
  if (whole === undefined) throw wrongUsage('this quote is never closed', {position})
  const escapes: number[] = []
  const inner = whole.slice(1, -1).replace(/\\(['"\\])/g, (_, character: string, place: number) => {
    escapes.push(place - escapes.length)
    return character
  })
  return {kind: 'value', text: inner, escapes, position: position + 1, end: position + whole.length}
}

function operatorOf(run: string, position: number): SelectorOperator {
  const operator = selectorOperators.find((known) => known === run)
  if (operator !== undefined) return operator
  const meant: Record<string, string> = {
    '==': '=',
    '===': '=',
    '=~': '~',
    '~=': '~',
    '<>': '!=',
    '=<': '<=',
    '=>': '>=',
  }
  const hint = Object.hasOwn(meant, run) ? `write ${meant[run]}` : `the operators are ${selectorOperators.join(' ')}`
  throw wrongUsage(`unknown operator ${run}`, {
    position,
    why: run === '!' ? 'put not before the condition' : `${hint}; a value that begins with one needs quotes`,
  })
}

function unexpected(text: string, position: number): Failure {
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0)
  const hints: Record<string, string> = {'&': 'write and', '|': 'write or', ',': 'write and, or'}
  const why = hints[character] ?? 'a condition is a field, an operator and a value, as status=MEETING'
  return wrongUsage(`${quotedText(character)} is not allowed here`, {position, why})
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0]
}
