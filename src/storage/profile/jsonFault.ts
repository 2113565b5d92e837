/** Where a text stops being JSON: line and column from 1, and whether it simply breaks off there. */
interface JsonFault {
  readonly line: number
  readonly column: number
  readonly atEnd: boolean
}

type Expected = 'value' | 'first' | 'key' | 'firstKey' | 'colon' | 'inObject' | 'inList' | 'end'
type Kind = '{' | '}' | '[' | ']' | ',' | ':' | 'text' | 'literal'

/** What follows each kind of token where it may stand; `done` ends a value. */
const grammar: Readonly<Record<Expected, Partial<Record<Kind, Expected | 'done'>>>> = {
  value: {'{': 'firstKey', '[': 'first', text: 'done', literal: 'done'},
  first: {'{': 'firstKey', '[': 'first', text: 'done', literal: 'done', ']': 'done'},
  key: {text: 'colon'},
  firstKey: {text: 'colon', '}': 'done'},
  colon: {':': 'value'},
  inObject: {',': 'key', '}': 'done'},
  inList: {',': 'value', ']': 'done'},
  end: {},
}

const blank = /[ \t\r\n]*/y
// JSON forbids the control characters up to U+001F in a string and allows those from U+007F on.
const text = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
/** A string that the end of the text cuts off. */
const cutText = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\\P{Cc})*\\?$/uy
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const mark = /[{}[\],:]/y

/**
 * Finds the first place where a text is not JSON; undefined where all of it is. The message of JSON.parse cannot be used:
 * it quotes the text, and names no place for some faults.
 */
export function jsonFault(source: string): JsonFault | undefined {
  const open: Kind[] = []
  let expected: Expected = 'value'
  let at = lengthOf(blank, source, 0)
  while (at < source.length) {
    const {kind, length} = tokenAt(source, at)
    const then: Expected | undefined = kind && follow(kind, expected, open)
    if (then === undefined) return placeOf(source, at)
    expected = then
    at += length
    at += lengthOf(blank, source, at)
  }
  return expected === 'end' ? undefined : placeOf(source, at)
}

/** What is expected after this kind of token, undefined where it may not stand. Keeps the open brackets up to date. */
function follow(kind: Kind, expected: Expected, open: Kind[]): Expected | undefined {
  const then = grammar[expected][kind]
  if (then === undefined) return undefined
  if (kind === '{' || kind === '[') open.push(kind)
  if (kind === '}' || kind === ']') open.pop()
  return then === 'done' ? afterValue(open) : then
}

function tokenAt(source: string, at: number): {kind: Kind | undefined; length: number} {
  // The pattern of the marks lets nothing through that is no Kind.
  if (lengthOf(mark, source, at) > 0) return {kind: source.charAt(at) as Kind, length: 1}
  const textLength = lengthOf(text, source, at)
  if (textLength > 0) return {kind: 'text', length: textLength}
  const literalLength = lengthOf(literal, source, at)
  return {kind: literalLength > 0 ? 'literal' : undefined, length: literalLength}
}

function afterValue(open: readonly Kind[]): Expected {
  const around = open.at(-1)
  if (around === undefined) return 'end'
  return around === '{' ? 'inObject' : 'inList'
}

function lengthOf(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0].length ?? 0
}

function placeOf(source: string, at: number): JsonFault {
  const end = lengthOf(cutText, source, at) > 0 ? source.length : at
  const lines = source.slice(0, end).split('\n')
  return {line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, atEnd: end === source.length}
}
