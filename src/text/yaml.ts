import type {Document, ErrorCode, Pair} from 'yaml'
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

/** The parser takes up to a kilobyte for each token of the lexer. */
const mostTokens = 1_000_000

const mostBrackets = 100

/** The library looks for the anchor of each alias (`*name`) among all nodes before it. */
const tokensOfAlias = 1000

const tooDeep = 'it is nested too deeply; write it with fewer levels'

/** The library's own words are about its grammar. */
const faults: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_DQ_ESCAPE: 'a \\ in double quotes begins no known escape; write \\\\ for one \\',
  BAD_INDENT: 'the indentation fits no line above it; indent the members of one list or mapping equally',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " within one value; put a text that contains ": " in quotes',
  MISSING_CHAR: 'a quote, a bracket, a comma or a colon is missing before this place; add it',
  MULTILINE_IMPLICIT_KEY: 'a name goes over several lines; add the colon or the quote that is missing',
  MULTIPLE_DOCS: 'a second document begins here (---); a file is one',
  RESOURCE_EXHAUSTION: tooDeep,
  TAB_AS_INDENT: 'a tab indents this line; use spaces',
}

/** Reads YAML 1.2, a superset of JSON; a repeated name is an error in both. Throws a YamlFault, which quotes nothing of the text. */
export async function readYaml(text: string): Promise<YamlText> {
  if (text.length > mostYamlBytes) throw new YamlFault('it is larger than 4 MiB; split it')
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  // The library compares each name with all before it, which takes minutes for a mapping of 100,000.
  const options = {lineCounter: lines, prettyErrors: false, logLevel: 'error', uniqueKeys: false} as const
  const fault = (what: string, offset = 0) => {
    const {line, col} = lines.linePos(offset)
    return new YamlFault(`line ${line}, column ${col}: ${what}`)
  }
  try {
    return runInterruptible(() => {
      assertSize(new yaml.Lexer().lex(text))
      const document = yaml.parseDocument(text, options)
      const [error] = document.errors
      if (error) {
        const what = 'YAML does not allow this here; put a text with special characters in quotes'
        throw fault(faults[error.code] ?? what, error.pos[0])
      }
      yaml.visit(document, {
        Map(_, {items}) {
          const twice = repeatedName(yaml, items)
          if (twice) throw fault('this name is given twice; remove one', offsetOf(yaml, twice.key))
        },
      })
      return {value: document.toJS(), lineOf: (at) => lines.linePos(placeOf(yaml, document, at)).line}
    })
  } catch (error) {
    if (error instanceof RangeError) throw new YamlFault(tooDeep)
    if (error instanceof ReferenceError) throw new YamlFault(wrongAlias)
    throw error
  }
}

/** The library throws a ReferenceError for an alias without anchor, and if aliases multiply. */
const wrongAlias =
  'an alias (*name) has no anchor (&name) before it, or the aliases repeat too much; write the values out, or quote the text'

/** Throws a YamlFault before the parser would take minutes, or gigabytes for brackets in brackets. */
function assertSize(tokens: Iterable<string>): void {
  let [count, open] = [0, 0]
  for (const token of tokens) {
    count += token.startsWith('*') ? tokensOfAlias : 1
    if (['[', '{'].includes(token)) open += 1
    if ([']', '}'].includes(token)) open -= 1
    if (open > mostBrackets) throw new YamlFault(tooDeep)
    if (count > mostTokens) throw new YamlFault('it has too many values; split it')
  }
}

type Yaml = typeof import('yaml')

function repeatedName(yaml: Yaml, pairs: readonly Pair[]): Pair | undefined {
  const names = new Set<unknown>()
  return pairs.find((pair) => names.size === names.add(nameOf(yaml, pair)).size)
}

function nameOf({isScalar}: Yaml, {key}: Pair): string {
  return String(isScalar(key) ? key.value : key)
}

/** The offset of a member: of its name, else of its value. */
function placeOf(yaml: Yaml, document: Document.Parsed, at: MemberPath): number {
  const last = at.at(-1)
  if (last === undefined) return offsetOf(yaml, document.contents) ?? 0
  const around = document.getIn(at.slice(0, -1), true)
  const pair = yaml.isMap(around) ? around.items.find((item) => nameOf(yaml, item) === last) : undefined
  const node = pair?.key ?? (yaml.isSeq(around) ? around.items[Number(last)] : undefined)
  return offsetOf(yaml, node) ?? placeOf(yaml, document, at.slice(0, -1))
}

function offsetOf({isNode}: Yaml, node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}
