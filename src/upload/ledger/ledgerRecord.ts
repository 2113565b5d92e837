import {platforms} from '../../api/contract/asset.js'
import {algorithms} from '../model/job.js'
import type {Chunk, LedgerEntry} from './entry.js'

/** An event of the log, one line of the ledger. `at`: ISO 8601 UTC. */
export type LedgerRecord =
  /** An upload as a whole: one that begins, or one that was tidied up. Takes the place of an entry of the same id. */
  | ({readonly kind: 'entry'} & LedgerEntry)
  | {readonly kind: 'created'; readonly id: string; readonly at: string; readonly url: string}
  | ({readonly kind: 'sending' | 'acked'; readonly id: string; readonly at: string} & Chunk)
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
  return `${JSON.stringify({v: version, ...record})}\n`
}

/** The record of a line; `foreign` for one that a newer version wrote, `damaged` for one that nobody did. */
export function readLine(line: string): LedgerRecord | 'foreign' | 'damaged' {
  const value = parsed(line)
  if (!isObject(value) || typeof value.kind !== 'string' || typeof value.v !== 'number') return 'damaged'
  const {v, ...record} = value
  const shape = Object.hasOwn(shapes, value.kind) ? shapes[value.kind] : undefined
  if (v !== version || !shape) return 'foreign'
  // The shape has looked at every member of it.
  return shape(record) ? (record as unknown as LedgerRecord) : 'damaged'
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

type Check = (value: unknown) => boolean

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Check = (value) => typeof value === 'string'
const isId: Check = (value) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
const isOffset: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isOneOf =
  (words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const shaped =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, check]) => check(value[name]))

const sha256 = (value: unknown) => value === null || isText(value)
const range = {from: isOffset, to: isOffset, digest: optional(isText)}
const isChunk: Check = (value) => shaped(range)(value) && isObject(value) && Number(value.to) >= Number(value.from)
const event = {id: isId, at: isText}

const shapes: Readonly<Record<string, Check>> = {
  entry: shaped({
    ...{id: isId, base: isText, container: isText, name: isText, platform: isOneOf(platforms), description: isText},
    ...{link: optional(isText), path: isText, size: isOffset, sample: isText, begunAt: isText, updatedAt: isText},
    stamp: shaped({ino: isText, mtimeNs: isText, ctimeNs: isText}),
    url: optional(isText),
    algorithm: optional(isOneOf(algorithms)),
    acked: (value) => Array.isArray(value) && value.every(isChunk),
    inFlight: optional(isChunk),
    done: optional(shaped({uuid: isText, sha256, at: isText})),
  }),
  created: shaped({...event, url: isText}),
  sending: (value) => shaped(event)(value) && isChunk(value),
  acked: (value) => shaped(event)(value) && isChunk(value),
  done: shaped({...event, uuid: isText, sha256}),
  forget: shaped(event),
}
