import {Failure} from '../../api/contract/failure.js'
import {decodeText, readSmallFile} from '../../cli/files/readFile.js'
import type {Session} from '../../cli/session/session.js'
import {readAll} from '../../terminal/input.js'

export type PushData = Readonly<Record<string, unknown>>

/** The document shows no limit; what is larger or deeper than this is a mistake, since a push carries a few KiB. */
const maxBytes = 64 * 1024
const deepest = 20

/**
 * The data of a push (push, Rules 3): the members of `--data-json`, then those of `--data k=v`, whose values are texts.
 * `json` is a JSON text, the name of a file, or `-` for stdin. Undefined where neither was given. Raises a Failure (usage) for
 * what is no object, a name that is given twice or is `__proto__`, and what is too large or too deep; file where it cannot be read.
 */
export async function readPushData(
  session: Session,
  pairs: readonly string[] | undefined,
  json: string | undefined,
): Promise<PushData | undefined> {
  if (pairs === undefined && json === undefined) return undefined
  const members = new Map(json === undefined ? [] : Object.entries(await objectFrom(session, json)))
  for (const pair of pairs ?? []) {
    const [name, value] = pairOf(pair)
    if (members.has(name)) throw refusal(`the data contains the name ${name} twice`, 'one value would be lost')
    members.set(name, value)
  }
  const data = Object.fromEntries(members)
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes > maxBytes) throw refusal(`the data has ${bytes} bytes`, 'the limit is 64 KiB')
  return data
}

/** The value may be empty and may hold further equals signs. No message repeats it. */
function pairOf(pair: string): [string, string] {
  const at = pair.indexOf('=')
  const name = pair.slice(0, Math.max(at, 0))
  if (name === '') throw refusal('--data takes NAME=VALUE', 'for example --data room=r-1')
  if (name === '__proto__') throw prototypeName('--data')
  return [name, pair.slice(at + 1)]
}

async function objectFrom(session: Session, json: string): Promise<PushData> {
  // What begins like JSON is JSON: a file of such a name can be given as ./NAME.
  const isText = /^\s*[[{"]/u.test(json)
  const text = isText ? json : json === '-' ? await fromStdin(session) : fromFile(json)
  const where = isText ? '--data-json' : json === '-' ? 'stdin' : json
  const value = parsed(text, where)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal(`the data from ${where} is not a JSON object`, 'data must be an object')
  }
  checkWithin(value, where, 1)
  const loss = silentLoss(text)
  if (loss !== undefined)
    throw refusal(`the data from ${where} ${loss}`, 'roomctl never changes or drops data silently')
  return {...value}
}

function fromStdin({runtime}: Session): Promise<string> {
  return readAll(runtime.stdin, {maxBytes, idleMs: 30_000, signal: runtime.signal})
}

function fromFile(path: string): string {
  const {bytes} = readSmallFile(path, {
    maxBytes,
    most: '64 KiB',
    advice: `a JSON text begins with {: --data-json '{"room":"r-1"}'`,
  })
  return decodeText(bytes, path)
}

/** A parser's error would quote the text. */
function parsed(text: string, where: string): unknown {
  if (Buffer.byteLength(text) > maxBytes) throw refusal(`the data from ${where} is larger than 64 KiB`)
  try {
    return JSON.parse(text.replace(/^\ufeff/u, ''))
  } catch (error) {
    throw new Failure({exit: 'usage', message: `the data from ${where} is not JSON; nothing was sent`}, {cause: error})
  }
}

/** Refuses names that would be a prototype to somebody, and what is nested too deep. */
function checkWithin(value: object, where: string, depth: number): void {
  if (depth > deepest) throw refusal(`the data from ${where} is nested more than ${deepest} levels deep`)
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw prototypeName(where)
    if (typeof member === 'object' && member !== null) checkWithin(member, where, depth + 1)
  }
}

function prototypeName(where: string): Failure {
  const why = 'it could set the prototype of an object in programs that read it'
  return refusal(`the data from ${where} contains the name __proto__`, why)
}

function refusal(message: string, why?: string): Failure {
  return new Failure({exit: 'usage', message: `${message}; nothing was sent`, why})
}

/** Texts, numbers and the signs between them, of a text that is known to be JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}:]|-?\d[\d.eE+-]*/gu

/**
 * What a parser would change without a word: a name that stands twice in an object, of which the last would win, and a number
 * that would become another. In words to follow `it`; undefined where there is nothing. `text` must be JSON.
 */
export function silentLoss(text: string): string | undefined {
  const all = Array.from(text.matchAll(tokens), ([token]) => token)
  const number = all.find(isChanged)
  if (number !== undefined) return `contains the number ${number.slice(0, 40)}, which would lose precision`
  const name = repeatedName(all)
  return name === undefined ? undefined : `contains the name ${name} twice in one object`
}

/** As it stands in the text, with its quotes. */
function repeatedName(all: readonly string[]): string | undefined {
  const open: Set<string>[] = []
  for (const [at, token] of all.entries()) {
    const name = all[at - 1] ?? ''
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':' && isRepeated(open.at(-1), name)) return name
  }
  return undefined
}

/** Whether the object has that name already; takes note of it. */
function isRepeated(names: Set<string> | undefined, text: string): boolean {
  const name: string = JSON.parse(text)
  const known = names?.has(name) ?? false
  names?.add(name)
  return known
}

/** Whole numbers beyond 2^53 are rounded, and those beyond all numbers become null. */
function isChanged(token: string): boolean {
  if (!/^[-\d]/u.test(token)) return false
  const value = Number(token)
  return /^-?\d+$/u.test(token) ? !Number.isSafeInteger(value) : !Number.isFinite(value)
}
