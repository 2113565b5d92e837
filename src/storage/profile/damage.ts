import {fileShape, parseJson, ReservedKey} from './file.js'

/**
 * What is wrong with the bytes of a profile file, in words that follow "it": the line and column, or the key. Never any of
 * the content, which holds tokens.
 */
export function describeDamage(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte === 0)) return bytes.length === 0 ? 'is empty' : 'contains only zero bytes'
  let text: string
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    return 'is not UTF-8 text'
  }
  const fault = jsonFault(text)
  if (fault) return `${fault.atEnd ? 'is truncated' : 'is not JSON'} at line ${fault.line}, column ${fault.column}`
  return describeContent(text)
}

function describeContent(text: string): string {
  try {
    const checked = fileShape.safeParse(parseJson(text))
    const issue = checked.error?.issues[0]
    if (issue === undefined) return 'is not a profile file'
    if (issue.code === 'unrecognized_keys') return `has an unknown key: ${keyPath([...issue.path, ...issue.keys])}`
    if (issue.code === 'invalid_key') return `has an invalid key: ${keyPath(issue.path)}`
    return issue.path.length === 0 ? 'is not an object' : `has a wrong value for ${keyPath(issue.path)}`
  } catch (error) {
    return error instanceof ReservedKey ? 'has the key "__proto__"' : 'is not a profile file'
  }
}

/** `profiles.prod."room.url"`: keys in quotes where they are not plain words. */
function keyPath(keys: readonly PropertyKey[]): string {
  return keys
    .map(String)
    .map((key) => (/^[\w-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64))))
    .join('.')
}

/** Where a text stops being JSON: line and column from 1, and whether it simply breaks off there. */
interface JsonFault {
  readonly line: number
  readonly column: number
  readonly atEnd: boolean
}

type ExpectedToken = 'value' | 'first' | 'key' | 'firstKey' | 'colon' | 'inObject' | 'inList' | 'end'
type TokenKind = '{' | '}' | '[' | ']' | ',' | ':' | 'text' | 'literal'

/** What follows each kind of token where it may stand; `done` ends a value. */
const jsonGrammar: Readonly<Record<ExpectedToken, Partial<Record<TokenKind, ExpectedToken | 'done'>>>> = {
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
  const open: TokenKind[] = []
  let expected: ExpectedToken = 'value'
  let at = lengthOf(blank, source, 0)
  while (at < source.length) {
    const {kind, length} = tokenAt(source, at)
    const then: ExpectedToken | undefined = kind && follow(kind, expected, open)
    if (then === undefined) return placeOf(source, at)
    expected = then
    at += length
    at += lengthOf(blank, source, at)
  }
  return expected === 'end' ? undefined : placeOf(source, at)
}

/** What is expected after this kind of token, undefined where it may not stand. Keeps the open brackets up to date. */
function follow(kind: TokenKind, expected: ExpectedToken, open: TokenKind[]): ExpectedToken | undefined {
  const then = jsonGrammar[expected][kind]
  if (then === undefined) return undefined
  if (kind === '{' || kind === '[') open.push(kind)
  if (kind === '}' || kind === ']') open.pop()
  return then === 'done' ? afterValue(open) : then
}

function tokenAt(source: string, at: number): {kind: TokenKind | undefined; length: number} {
  // The pattern of the marks lets nothing through that is no Kind.
  if (lengthOf(mark, source, at) > 0) return {kind: source.charAt(at) as TokenKind, length: 1}
  const textLength = lengthOf(text, source, at)
  if (textLength > 0) return {kind: 'text', length: textLength}
  const literalLength = lengthOf(literal, source, at)
  return {kind: literalLength > 0 ? 'literal' : undefined, length: literalLength}
}

function afterValue(open: readonly TokenKind[]): ExpectedToken {
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
