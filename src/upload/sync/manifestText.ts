import type {Document, LineCounter, Node} from 'yaml'
import {Failure} from '../../api/contract/failure.js'

export type MemberPath = readonly (string | number)[]

/** Something in a manifest that is not as it must be: where, and a clause about it. */
export interface Problem {
  readonly at: MemberPath
  readonly text: string
}

/** A manifest as it was read; its shape is not checked yet. */
export interface ManifestText {
  readonly value: unknown
  /** The line, from 1, on which a member stands, or what it should be a part of where it is missing. */
  lineOf(at: MemberPath): number
}

/** Problems that are told at once; the rest is counted. */
const shown = 5

/**
 * Reads YAML 1.2, of which JSON is a part; a file that calls itself .json must be JSON. `file` is its name for sentences.
 * Raises a Failure (file) that names the line.
 */
export async function parseManifest(text: string, file: string): Promise<ManifestText> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(text, {lineCounter: lines, prettyErrors: false, logLevel: 'error'})
  const [fault] = document.errors
  if (fault) throw notReadable(file, fault.message, lines.linePos(fault.pos[0]).line)
  if (file.toLowerCase().endsWith('.json')) assertJson(text, file)
  const lineOf = (at: MemberPath) => lineIn(document, lines, at)
  try {
    return {value: document.toJS(), lineOf}
  } catch (error) {
    // An alias without its anchor, or more of them than a file can need.
    throw notReadable(file, (error as Error).message)
  }
}

/** The failure for a manifest that is not what it must be; at least one problem. */
export function manifestFailure(file: string, problems: readonly Problem[], {lineOf}: ManifestText): Failure {
  const sentences = problems.map(({at, text}) => ({line: lineOf(at), text: `${memberName(at)}${text}`}))
  const [first = '', ...rest] = sentences
    .sort((one, other) => one.line - other.line)
    .map(({line, text}) => `line ${line}: ${text}`)
  const more = rest.length - (shown - 1)
  const others = [...rest.slice(0, shown - 1), ...(more > 0 ? [`and ${more} more`] : [])]
  return new Failure({
    exit: 'file',
    code: 'manifest',
    message: `cannot use the manifest ${file}: ${first}`,
    ...(others.length > 0 ? {why: `there is more: ${others.join('; ')}`} : {}),
    try: 'correct the manifest; roomctl asset sync --init DIR writes one to compare with',
  })
}

/** `files[2].role: `, or nothing for the whole. */
function memberName(at: MemberPath): string {
  const name = at.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return name === '' ? '' : `${name.replace(/^\./u, '')}: `
}

function notReadable(file: string, what: string, line?: number): Failure {
  const place = line === undefined ? '' : `line ${line}: `
  return new Failure({exit: 'file', code: 'manifest', message: `cannot read the manifest ${file}: ${place}${what}`})
}

/** YAML lets pass what JSON does not: comments, words without quotes, a comma at the end. */
function assertJson(text: string, file: string): void {
  try {
    JSON.parse(text)
  } catch (error) {
    const position = /at position (\d+)/u.exec((error as Error).message)?.[1]
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length
    throw notReadable(file, 'it is not JSON; YAML stands in a file that ends in .yaml', line)
  }
}

function lineIn(document: Document.Parsed, lines: LineCounter, at: MemberPath): number {
  for (let length = at.length; length >= 0; length -= 1) {
    const offset = offsetOf(document, at.slice(0, length))
    if (offset !== undefined) return lines.linePos(offset).line
  }
  return 1
}

/** Where a member begins: the key of one that has a name, else the value. */
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
