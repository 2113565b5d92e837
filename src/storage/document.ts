import {dirname} from 'node:path'
import type * as z from 'zod/mini'
import {jsonFault} from '../text/json.js'
import {makePrivateFolder, type PrivateFileRules, readPrivateFile} from './disk/privateFile.js'
import {replaceFile} from './disk/replaceFile.js'

/** A document: one file of one shape, read and replaced as a whole, changed under its lock (disk/lock.ts). */
export interface DocumentForm<T> extends PrivateFileRules {
  readonly shape: z.ZodMiniType<T>
}

/** The message names the place of the damage, after "it", and nothing of the content. */
export class DamagedDocument extends Error {
  override readonly name = 'DamagedDocument'
}

/** Undefined where there is none. Raises a DamagedDocument, an UnusableFile and the system's error. */
export function readDocument<T>(path: string, {shape, ...rules}: DocumentForm<T>): T | undefined {
  const bytes = readPrivateFile(path, rules)
  return bytes && parseDocument(bytes, shape)
}

/** Creates the folder where it is missing. Raises the system's error. */
export function writeDocument(path: string, value: unknown): void {
  makePrivateFolder(dirname(path))
  replaceFile(path, Buffer.from(JSON.stringify(value)))
}

/** Raises a DamagedDocument. */
export function parseDocument<T>(bytes: Uint8Array, shape: z.ZodMiniType<T>): T {
  const checked = shape.safeParse(jsonOf(bytes))
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  if (issue?.code === 'unrecognized_keys') {
    throw new DamagedDocument(`has an unknown key: ${keyPath([...issue.path, ...issue.keys])}`)
  }
  if (issue?.code === 'invalid_key') throw new DamagedDocument(`has an invalid key: ${keyPath(issue.path)}`)
  const isWhole = issue === undefined || issue.path.length === 0
  throw new DamagedDocument(isWhole ? 'is not an object' : `has a wrong value for ${keyPath(issue.path)}`)
}

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.every((byte) => byte === 0)) {
    throw new DamagedDocument(bytes.length === 0 ? 'is empty' : 'contains only zero bytes')
  }
  const text = utf8Of(bytes)
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof ReservedKey) throw new DamagedDocument('has the key "__proto__"')
    const {line, column, atEnd} = jsonFault(text)
    throw new DamagedDocument(`${atEnd ? 'is truncated' : 'is not JSON'} at line ${line}, column ${column}`)
  }
}

function utf8Of(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    throw new DamagedDocument('is not UTF-8 text')
  }
}

/** As JSON.parse, but raises a ReservedKey for `__proto__`, which would vanish or change what an object inherits. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value) => {
    if (key === '__proto__') throw new ReservedKey()
    return value
  })
}

class ReservedKey extends Error {}

/** `profiles.prod."room.url"`: keys in quotes where they are not plain words. */
function keyPath(keys: readonly PropertyKey[]): string {
  return keys
    .map(String)
    .map((key) => (/^[\w-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64))))
    .join('.')
}
