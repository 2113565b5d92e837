import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

const notShown = 'not shown'
type NotShown = typeof notShown
type Required = 'yes' | 'no'

interface Field {
  readonly type: string
  readonly required: Required
}

/** The push document on one operation, transcribed by hand into push.json, from the document and not from the code. */
export interface PushOperation {
  readonly id: string
  /** Its number in the table of endpoints; null for the one that is described beside it. */
  readonly number: number | null
  readonly title: string
  readonly method: NotShown
  readonly path: NotShown
  readonly query: Readonly<Record<string, Required>> | NotShown
  readonly body: Readonly<Record<string, Field>> | null | NotShown
  /** The fields of a multipart/form-data body. */
  readonly files: Readonly<Record<string, string>> | null
  readonly responses: readonly number[]
  /** The name of a resource. */
  readonly reply: string
}

interface PushWitness {
  readonly enumerations: Readonly<Record<string, readonly string[]>>
  readonly notSupported: Readonly<Record<string, readonly string[]>>
  readonly lengths: Readonly<Record<string, {readonly from: number; readonly to: number}>>
  readonly resources: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly operations: readonly PushOperation[]
  readonly secrets: readonly string[]
}

const file = fileURLToPath(new URL('push.json', import.meta.url))
export const pushWitness: PushWitness = JSON.parse(readFileSync(file, 'utf8'))

/** Rows for test.each: the operation's id and itself. */
export const pushDocumented = pushWitness.operations.map((operation) => [operation.id, operation] as const)

export function pushOperation(id: string): PushOperation {
  const [, operation] = pushDocumented.find(([one]) => one === id) ?? []
  if (!operation) throw new Error(`the witness has no ${id}`)
  return operation
}

/** The documented members of a body. */
export function bodyOf({body}: PushOperation): Readonly<Record<string, Field>> {
  return body === null || body === notShown ? {} : body
}

/** The documented names of a query. */
export function queryOf({query}: PushOperation): Readonly<Record<string, Required>> {
  return query === notShown ? {} : query
}

/** A value of a documented type; `name` tells texts apart. */
export function pushSample(type: string, name: string): unknown {
  const element = /^(.*)\[\]$/.exec(type)?.[1]
  if (element !== undefined) return [pushSample(element, `${name}-1`)]
  if (pushWitness.resources[type]) return pushResource(type)
  const [value] = pushWitness.enumerations[type] ?? []
  if (value !== undefined) return value
  if (type === 'free object') return {room: 'r-1', deep: {list: [1, null, true]}}
  if (type.startsWith('year month day')) return '20261224T093000'
  if (type.startsWith('date-time')) return '2026-12-24T18:30:00.123+09:00[Asia/Seoul]'
  return type === 'YYYY-MM-DD' ? '2027-01-31' : `some-${name}`
}

/** A resource with a value for each of its fields. */
export function pushResource(name: string): Record<string, unknown> {
  const fields = Object.entries(pushWitness.resources[name] ?? {})
  return Object.fromEntries(fields.map(([field, type]) => [field, pushSample(type, field)]))
}

/** All documented values of an operation, or only the required ones. */
export function pushInput(operation: PushOperation, which: 'whole' | 'least' = 'whole') {
  const taken = (required: Required) => which === 'whole' || required === 'yes'
  const query = Object.entries(queryOf(operation)).filter(([, required]) => taken(required))
  const body = Object.entries(bodyOf(operation)).filter(([, {required}]) => taken(required))
  const samples = body.map(([name, {type}]) => [name, pushSample(type, name)] as const)
  return {
    query: Object.fromEntries(query.map(([name]) => [name, `some-${name}`])),
    ...(body.length > 0 ? {body: Object.fromEntries(samples)} : {}),
    ...(operation.files ? {files: filesOf(operation)} : {}),
  }
}

function filesOf({files}: PushOperation): Record<string, Uint8Array> {
  return Object.fromEntries(Object.keys(files ?? {}).map((name) => [name, Buffer.from(`the bytes of ${name}`)]))
}

/** The documented statuses of success. */
export function successesOf({responses}: PushOperation): number[] {
  return responses.filter((status) => status < 300)
}
