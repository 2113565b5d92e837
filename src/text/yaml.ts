import type {Document, ErrorCode, LineCounter, Node, Pair} from 'yaml'
import {runInterruptible} from './runInterruptible.js'

export type MemberPath = readonly (string | number)[]

export interface YamlText {
  readonly value: unknown
  /** The line, from 1, of a member, or of its parent if missing. */
  lineOf(at: MemberPath): number
}

/** `line 3, column 5: this name is given twice; remove one`. */
export class YamlFault extends Error {}

/** Manifests of ten thousand files are smaller; a larger text would take many seconds. */
export const mostYamlBytes = 4 * 1024 * 1024

/** The parser takes about a kilobyte for each level and each value. */
const mostLevels = 100
const mostValues = 400_000

const tooDeep = 'it is nested too deeply; write it with fewer levels'

/** The library's own words are about its grammar. */
const faults: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: 'an alias (*name) has an anchor or a tag; remove it',
  BAD_ALIAS: 'an anchor (&name) or alias (*name) has no usable name; put a text that begins with & or * in quotes',
  BAD_DIRECTIVE: 'a line that begins with % is no directive of YAML; put a text that begins with % in quotes',
  BAD_DQ_ESCAPE: 'a \\ in double quotes begins no known escape; write \\\\ for one \\',
  BAD_INDENT: 'the indentation fits no line above it; indent the members of one list or mapping equally',
  BAD_SCALAR_START: 'a text cannot begin with this character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " within one value; put a text that contains ": " in quotes',
  BLOCK_IN_FLOW: 'within [ ] and { } a list needs [ ] and a mapping { }; write it so, or indent all of it',
  KEY_OVER_1024_CHARS: 'a name is longer than 1,024 characters; put the text in quotes, or shorten it',
  MISSING_CHAR: 'a quote, a bracket, a comma or a colon is missing before this place; add it',
  MULTILINE_IMPLICIT_KEY: 'a name goes over several lines; add the colon or the quote that is missing',
  MULTIPLE_ANCHORS: 'a value has two anchors (&name); remove one',
  MULTIPLE_DOCS: 'a second document begins here (---); a file is one',
  MULTIPLE_TAGS: 'a value has two tags (!name); remove one',
  RESOURCE_EXHAUSTION: tooDeep,
  TAB_AS_INDENT: 'a tab indents this line; use spaces',
  TAG_RESOLVE_FAILED: 'a tag (!name) does not fit its value; remove it',
  UNEXPECTED_TOKEN: 'nothing that YAML allows here; put a text with special characters in quotes',
}

/**
 * Reads YAML 1.2, a superset of JSON; a repeated name is an error in both. Throws a YamlFault, which quotes nothing of the
 * text but the names of anchors.
 */
export async function readYaml(text: string): Promise<YamlText> {
  if (text.length > mostYamlBytes) throw new YamlFault('it is larger than 4 MiB; split it')
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  // The library compares each name with all before it, which takes minutes for a mapping of 100,000.
  const options = {lineCounter: lines, prettyErrors: false, logLevel: 'error', uniqueKeys: false} as const
  const fault = (what: string, offset: number | undefined) => {
    const place = offset === undefined ? undefined : lines.linePos(offset)
    return new YamlFault(place ? `line ${place.line}, column ${place.col}: ${what}` : what)
  }
  /** Refuses repeated names, and dangling or recursive aliases. Returns the position of the first alias. */
  const checkNodes = (document: Document.Parsed): number | undefined => {
    const anchors = new Map<string, Node>()
    let first: number | undefined
    yaml.visit(document, {
      Alias(_, {source, range}, path) {
        const named = anchors.get(source)
        const at = range?.[0]
        first ??= at
        if (named === undefined)
          throw fault(`the alias *${source} has no anchor &${source} before it; add one, or quote the text`, at)
        if (path.includes(named))
          throw fault(`the alias *${source} is inside the value that it repeats; write the value out`, at)
      },
      Node(_, node) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node)
        const twice = yaml.isMap(node) ? repeatedName(node.items) : undefined
        if (twice) throw fault('this name is given twice; remove one', rangeOf(twice.key))
      },
    })
    return first
  }
  try {
    return runInterruptible(() => {
      const excess = excessIn(new yaml.Lexer().lex(text))
      if (excess) {
        const [what, offset] = excess
        lines.addNewLine(0)
        for (const {index} of text.slice(0, offset).matchAll(/\n/g)) lines.addNewLine(index + 1)
        throw fault(what, offset)
      }
      const document = yaml.parseDocument(text, options)
      const [error] = document.errors
      if (error) throw fault(faults[error.code] ?? 'this is no YAML', error.pos[0])
      const alias = checkNodes(document)
      return {
        value: plainValue(document, fault('the aliases (*name) repeat too much; write the values out', alias)),
        lineOf: (at) => lineIn(document, lines, at),
      }
    })
  } catch (error) {
    if (error instanceof RangeError) throw fault(tooDeep, undefined)
    throw error
  }
}

function repeatedName(pairs: readonly Pair[]): Pair | undefined {
  const names = new Set<unknown>()
  return pairs.find((pair) => names.size === names.add(nameOf(pair)).size)
}

/** The library throws a ReferenceError if aliases multiply. */
function plainValue(document: Document.Parsed, tooMany: YamlFault): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw error instanceof ReferenceError ? tooMany : error
  }
}

function lineIn(document: Document.Parsed, lines: LineCounter, at: MemberPath): number {
  for (let length = at.length; length >= 0; length -= 1) {
    const offset = offsetOf(document, at.slice(0, length))
    if (offset !== undefined) return lines.linePos(offset).line
  }
  return 1
}

/** The offset of a member: of its key, else of its value. */
function offsetOf(document: Document.Parsed, at: MemberPath): number | undefined {
  const around = at.length === 0 ? document.contents : document.getIn(at.slice(0, -1), true)
  const key = at.at(-1)
  if (key === undefined) return (document.contents as Node | null)?.range?.[0]
  const items: unknown = typeof around === 'object' && around !== null && 'items' in around ? around.items : []
  if (!Array.isArray(items)) return undefined
  if (typeof key === 'number') return rangeOf(items[key])
  const pair: unknown = items.find((item) => nameOf(item) === key)
  return typeof pair === 'object' && pair !== null && 'key' in pair ? rangeOf(pair.key) : undefined
}

function nameOf(pair: unknown): unknown {
  if (typeof pair !== 'object' || pair === null || !('key' in pair)) return undefined
  const {key} = pair
  return typeof key === 'object' && key !== null && 'value' in key ? String(key.value) : key
}

function rangeOf(node: unknown): number | undefined {
  const range: unknown = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined
}

/** Tokens that the lexer of the library adds. */
const marks: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f'])

/** Counts levels and values by the tokens of YAML, before parsing. Returns the first excess and its offset. */
function excessIn(tokens: Iterable<string>): readonly [what: string, offset: number] | undefined {
  const size = new Size()
  let offset = 0
  for (const token of tokens) {
    if (marks.has(token)) continue
    size.take(token, offset)
    if (size.levels > mostLevels) return [tooDeep, offset]
    if (size.values > mostValues) return ['it has too many values; split it', offset]
    offset += token.length
  }
  return undefined
}

class Size {
  values = 0
  #brackets = 0
  /** Columns of the open lists and mappings. */
  readonly #columns: number[] = []
  #lineStart = 0
  #isLineStart = true

  get levels(): number {
    return this.#columns.length + this.#brackets
  }

  take(token: string, offset: number): void {
    const isValue = !/^[\s#:,]/u.test(token)
    if (isValue) this.#value(token, offset - this.#lineStart)
    const lineEnd = token.lastIndexOf('\n')
    if (lineEnd < 0) return
    this.#lineStart = offset + lineEnd + 1
    // A text in quotes may end behind its last line.
    if (!isValue || token.endsWith('\n')) this.#isLineStart = true
  }

  #value(token: string, column: number): void {
    if (this.#isLineStart && this.#brackets === 0) {
      while ((this.#columns.at(-1) ?? -1) >= column) this.#columns.pop()
      this.#columns.push(column)
    }
    this.#isLineStart &&= token === '-' || token === '?'
    if (token === '[' || token === '{') this.#brackets += 1
    else if (token === ']' || token === '}') this.#brackets = Math.max(0, this.#brackets - 1)
    else this.values += 1
  }
}
