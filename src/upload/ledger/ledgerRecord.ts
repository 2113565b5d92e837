import {platforms} from '../../api/contract/assetShapes.js'
import {algorithms} from '../model/job.js'
import type {Chunk, FileStamp, LedgerEntry} from './entry.js'

/** One line of the ledger. `at`: ISO 8601 UTC. */
export type LedgerRecord =
  /** An upload as a whole: one that begins, or one that was tidied up. Takes the place of an entry of the same id. */
  | {readonly kind: 'entry'; readonly entry: LedgerEntry}
  | {readonly kind: 'created'; readonly id: string; readonly at: string; readonly url: string}
  | {readonly kind: 'sending'; readonly id: string; readonly at: string; readonly chunk: Chunk}
  | {readonly kind: 'acked'; readonly id: string; readonly at: string; readonly chunk: Chunk}
  | {
      readonly kind: 'done'
      readonly id: string
      readonly at: string
      readonly uuid: string
      readonly sha256: string | null
    }
  | {readonly kind: 'forget'; readonly id: string; readonly at: string}

/** What the lines of this version say of themselves. */
const version = 1

/** A record as its line, with the line break. JSON has no line break inside a line, whatever the names hold. */
export function lineOf(record: LedgerRecord): string {
  return `${JSON.stringify({v: version, ...plain(record)})}\n`
}

function plain(record: LedgerRecord): object {
  if (record.kind === 'entry') return {kind: 'entry', ...record.entry}
  if (record.kind !== 'sending' && record.kind !== 'acked') return record
  const {chunk, ...rest} = record
  return {...rest, ...chunk}
}

/** The record of a line; `foreign` for one that a newer version wrote, `damaged` for one that nobody did. */
export function readLine(line: string): LedgerRecord | 'foreign' | 'damaged' {
  const value = parsed(line)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'damaged'
  // The members are looked at one by one below; nothing is believed of them.
  const raw = value as Readonly<Record<string, unknown>>
  if (typeof raw.kind !== 'string' || typeof raw.v !== 'number') return 'damaged'
  if (raw.v !== version || !Object.hasOwn(readers, raw.kind)) return 'foreign'
  return readers[raw.kind]?.(raw) ?? 'damaged'
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

type Raw = Readonly<Record<string, unknown>>

const readers: Readonly<Record<string, (raw: Raw) => LedgerRecord | undefined>> = {
  entry: (raw) => {
    const entry = entryOf(raw)
    return entry && {kind: 'entry', entry}
  },
  created: ({id, at, url}) => (isId(id) && isText(at) && isText(url) ? {kind: 'created', id, at, url} : undefined),
  sending: (raw) => {
    const told = chunkRecord(raw)
    return told && {kind: 'sending', ...told}
  },
  acked: (raw) => {
    const told = chunkRecord(raw)
    return told && {kind: 'acked', ...told}
  },
  done: ({id, at, uuid, sha256}) =>
    isId(id) && isText(at) && isText(uuid) && isTextOrNull(sha256) ? {kind: 'done', id, at, uuid, sha256} : undefined,
  forget: ({id, at}) => (isId(id) && isText(at) ? {kind: 'forget', id, at} : undefined),
}

function chunkRecord(raw: Raw): {id: string; at: string; chunk: Chunk} | undefined {
  const {id, at} = raw
  const chunk = chunkOf(raw)
  return isId(id) && isText(at) && chunk ? {id, at, chunk} : undefined
}

function entryOf(raw: Raw): LedgerEntry | undefined {
  const {id, size, platform, algorithm, link, url, inFlight, done} = raw
  const texts = textsOf(raw)
  const stamp = stampOf(raw.stamp)
  const acked = Array.isArray(raw.acked) ? raw.acked.map(chunkOf) : []
  if (!isId(id) || !isOffset(size) || !texts || !stamp || !isOneOf(platforms, platform)) return undefined
  if (!acked.every((chunk) => chunk !== undefined)) return undefined
  return {
    id,
    ...texts,
    platform,
    size,
    stamp,
    ...(isText(link) ? {link} : {}),
    ...(isText(url) ? {url} : {}),
    ...(isOneOf(algorithms, algorithm) ? {algorithm} : {}),
    acked,
    ...optional('inFlight', chunkOf(inFlight)),
    ...optional('done', doneOf(done)),
  }
}

const textMembers = ['base', 'container', 'name', 'description', 'path', 'sample', 'begunAt', 'updatedAt'] as const

function textsOf(raw: Raw): Record<(typeof textMembers)[number], string> | undefined {
  if (!textMembers.every((name) => isText(raw[name]))) return undefined
  // Each of them was found to be a text above.
  return Object.fromEntries(textMembers.map((name) => [name, raw[name]])) as Record<
    (typeof textMembers)[number],
    string
  >
}

function optional<Key extends string, T>(key: Key, value: T | undefined): {readonly [K in Key]?: T} {
  // A computed key of one word has the type of that word, which the compiler widens to any text.
  return (value === undefined ? {} : {[key]: value}) as {readonly [K in Key]?: T}
}

function chunkOf(value: unknown): Chunk | undefined {
  const {from, to, digest} = membersOf(value)
  if (!isOffset(from) || !isOffset(to) || to < from) return undefined
  return isText(digest) ? {from, to, digest} : {from, to}
}

function stampOf(value: unknown): FileStamp | undefined {
  const {ino, mtimeNs, ctimeNs} = membersOf(value)
  return isText(ino) && isText(mtimeNs) && isText(ctimeNs) ? {ino, mtimeNs, ctimeNs} : undefined
}

function doneOf(value: unknown): LedgerEntry['done'] {
  const {uuid, sha256, at} = membersOf(value)
  return isText(uuid) && isTextOrNull(sha256) && isText(at) ? {uuid, sha256, at} : undefined
}

function membersOf(value: unknown): Raw {
  // Whatever the object holds is looked at member by member.
  return typeof value === 'object' && value !== null ? (value as Raw) : {}
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value)
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return words.some((word) => word === value)
}
