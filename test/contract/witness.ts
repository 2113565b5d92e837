import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import type {AnyOperation} from '../../src/api/contract/operations.js'
import type {StatefulOperation} from '../../src/api/contract/stateRules.js'

/**
 * The third witness: what the room document says, transcribed by hand into room.json, from the document and not from the
 * code. Client and sandbox share the contract's shapes and could be wrong together; both are held to this.
 */
export interface Field {
  readonly type: string
  readonly required: 'yes' | 'no' | 'not said' | 'in place of requester_id'
}

export interface Documented {
  /** Null for the four operations outside the numbered list, whose method and path are not shown. */
  readonly number: number | null
  readonly id: Extract<AnyOperation, {service: 'room'}>['id']
  /** Its name in the error table. */
  readonly title: string
  readonly method: string | null
  readonly path: string | null
  readonly pathParameters: readonly string[]
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, Field>> | null
  /** The name of a resource, or of one and `[]`; null for the bare envelope. */
  readonly reply: string | null
  readonly requester: 'host' | 'creator or host' | 'any' | 'none'
  readonly sampleCode?: string
}

export const states = ['RESERVED', 'MEETING', 'IDLE', 'ENDED'] as const
type Verdict = 'yes' | 'no' | 'unknown' | 'while recording'

/** Those whose states the document names. */
export type InStateTable = Exclude<StatefulOperation, 'room.presenter' | 'room.send'>

export type Validity = Readonly<Record<(typeof states)[number], Verdict>> & {
  readonly operation: InStateTable
  readonly text: string
  readonly fixedInMeetingAndIdle?: readonly string[]
}

interface Witness {
  readonly enumerations: Readonly<Record<string, readonly string[]>>
  readonly resources: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly operations: readonly Documented[]
  readonly validity: readonly Validity[]
  readonly commonErrors: readonly (readonly [code: string, condition: string])[]
  readonly operationErrors: readonly (readonly [title: string, code: string, condition: string])[]
}

export const witness: Witness = JSON.parse(readFileSync(fileURLToPath(new URL('room.json', import.meta.url)), 'utf8'))

/** Rows for test.each: the operation's id and itself. */
export const documented = witness.operations.map((operation) => [operation.id, operation] as const)

/** A value of a documented type; `name` tells texts apart. */
export function sample(type: string, name: string): unknown {
  const element = /^(.*)\[\]$/.exec(type)?.[1]
  if (element !== undefined) return [sample(element, `${name}-1`), sample(element, `${name}-2`)]
  const [first] = witness.enumerations[type] ?? []
  if (first !== undefined) return first
  const fields = witness.resources[type]
  if (fields) return samples(fields)
  if (type === 'boolean') return true
  if (type === 'number') return 7
  return type === 'date-time' ? '2026-12-01T09:00:00Z' : `some ${name}`
}

/** A value of a kind that the type is not. */
export function wrongSample(type: string): unknown {
  if (type.endsWith('[]')) return 'no list'
  if (witness.resources[type]) return 'no object'
  return type === 'boolean' || type === 'number' ? 'true' : 7
}

/** One value for each field. */
export function samples(fields: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, sample(type, name)]))
}

/** The types of a body's fields; of the two names of the requester only the one of the field table. */
export function bodyTypes({body}: Documented): Record<string, string> {
  const fields = Object.entries(body ?? {}).filter(([, {required}]) => required !== 'in place of requester_id')
  return Object.fromEntries(fields.map(([name, {type}]) => [name, type]))
}

/** A value for each parameter of an operation's path. One path writes {room_Id}; the tool names it as all the others do. */
export function pathSamples({pathParameters}: Documented): Record<string, string> {
  return Object.fromEntries(pathParameters.map((name) => [name === 'room_Id' ? 'roomId' : name, `some-${name}`]))
}

/** The codes that the error table has for an operation. */
export function codesOf({title}: Documented): string[] {
  return witness.operationErrors.filter(([of]) => of === title).map(([, code]) => code)
}

/** The documented operation of an id. */
export function documentedOf(id: string): Documented {
  const found = witness.operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`the witness has no ${id}`)
  return found
}

/** A row for each body field that is wanted: operation, field, and what the document says of both. */
export function fieldRows(wanted: (field: Field) => boolean): [id: string, name: string, Documented, Field][] {
  return witness.operations.flatMap((operation) =>
    Object.entries(operation.body ?? {})
      .filter(([, field]) => wanted(field))
      .map(([name, field]): [string, string, Documented, Field] => [operation.id, name, operation, field]),
  )
}

/** What `data` holds after the operation: one resource, or two in a list. */
export function replySample({reply}: Documented): unknown {
  const [resource = '', list] = reply?.split('[]') ?? []
  const row = samples(witness.resources[resource] ?? {})
  return list === undefined ? row : [row, row]
}

/** A record without one of its members. */
export function without<T>(value: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
}
