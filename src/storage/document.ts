import {dirname} from 'node:path'
import type * as z from 'zod/mini'
import {jsonFault} from '../text/json.js'
import {makePrivateFolder, type PrivateFileRules, readPrivateFile} from './disk/privateFile.js'
import {replaceFile} from './disk/replaceFile.js'

/** A document: one file of one shape, read and replaced as a whole, changed under its lock (disk/lock.ts). */
export interface DocumentForm<T> extends PrivateFileRules {
  readonly shape: z.ZodMiniType<T>
  /** The version that this release writes, as the member `version` of the file: a later one is refused. */
  readonly version?: number
}

/** The message names the place of the damage, after "it", and nothing of the content. */
export class DamagedDocument extends Error {
  override readonly name: string = 'DamagedDocument'
}

/** Valid JSON of another form: of a later version, or with a key or a value unknown to this release. Never moved or removed. */
export class ForeignDocument extends DamagedDocument {
  override readonly name = 'ForeignDocument'
}

/** Undefined for a missing file. Throws as `parseDocument`, an UnusableFile and the system's error. */
export function readDocument<T>(path: string, form: DocumentForm<T>): T | undefined {
  const bytes = readPrivateFile(path, form)
  return bytes && parseDocument(bytes, form)
}

/** Creates the folder if missing. Throws the system's error. */
export function writeDocument(path: string, value: unknown): void {
  makePrivateFolder(dirname(path))
  replaceFile(path, Buffer.from(JSON.stringify(value)))
}

/** Throws a DamagedDocument or a ForeignDocument. */
export function parseDocument<T>(bytes: Uint8Array, {shape, version}: Pick<DocumentForm<T>, 'shape' | 'version'>): T {
  const json = jsonOf(bytes)
  const storedVersion = (json as {version?: unknown} | null)?.version
  const otherVersion = () =>
    new ForeignDocument(`has version ${String(storedVersion)}, and this roomctl reads ${version}`)
  if (version !== undefined && typeof storedVersion === 'number' && storedVersion > version) throw otherVersion()
  const checked = shape.safeParse(json)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  if (issue === undefined || (issue.path.length === 0 && issue.code !== 'unrecognized_keys')) {
    throw new DamagedDocument('is not an object')
  }
  if (version !== undefined && issue.path[0] === 'version' && typeof storedVersion === 'number') throw otherVersion()
  throw new ForeignDocument(misfitOf(issue))
}

function misfitOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `has an unknown key: ${keyPath([...issue.path, ...issue.keys])}`
  if (issue.code === 'invalid_key') return `has an invalid key: ${keyPath(issue.path)}`
  return `has a wrong value for ${keyPath(issue.path)}`
}

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new DamagedDocument('is empty')
  const text = utf8Of(bytes)
  try {
    return JSON.parse(text)
  } catch {
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

/** `profiles.prod."room.url"`: keys in quotes unless they are plain words. */
function keyPath(keys: readonly PropertyKey[]): string {
  return keys
    .map(String)
    .map((key) => (/^[\w-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64))))
    .join('.')
}
