import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

type Required = 'yes' | 'no'

/** The asset document on one operation, transcribed by hand into asset.json, from the document and not from the code. */
export interface AssetOperation {
  readonly id: string
  /** The table that describes it. */
  readonly table: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, {readonly value: string; readonly required: Required}>>
  /** The request headers that the document names; null if it names none. */
  readonly headers: Readonly<Record<string, {readonly sample: string; readonly required: Required}>> | null
  readonly body: Readonly<Record<string, {readonly type: string; readonly required: Required}>> | null
  /** Null if the document shows none. */
  readonly status: number | null
  readonly replyHeaders?: Readonly<Record<string, Required>>
  /** The name of a resource of the document; null for an answer without a body. */
  readonly reply: string | null
}

interface AssetWitness {
  readonly platforms: readonly string[]
  readonly resources: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly operations: readonly AssetOperation[]
  readonly notOffered: readonly {readonly method: string; readonly path: string}[]
}

const file = fileURLToPath(new URL('asset.json', import.meta.url))
export const assetWitness: AssetWitness = JSON.parse(readFileSync(file, 'utf8'))

/** Rows for test.each: the operation's id and itself. */
export const assetDocumented = assetWitness.operations.map((operation) => [operation.id, operation] as const)

/** A value of a documented type; `name` tells texts apart. */
export function assetSample(type: string, name: string): unknown {
  const element = /^(.*)\[\]$/.exec(type)?.[1]
  if (element !== undefined) return [assetSample(element, `${name}-1`), assetSample(element, `${name}-2`)]
  if (assetWitness.resources[type]) return assetResource(type)
  if (type === 'boolean') return true
  if (type === 'not shown') return {any: ['thing', 1, null]}
  return type.startsWith('timestamp') ? '2026-11-21T09:00:00.123' : `some ${name}`
}

/** A resource with a value for each of its fields. */
export function assetResource(name: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(assetWitness.resources[name] ?? {}).map(([field, type]) => [field, assetSample(type, field)]),
  )
}

/** The values of an operation's path: a container two deep, and a resource. */
export function assetPath({path}: AssetOperation): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, name === 'container' ? 'games/my puzzle' : 'u-1']))
}

/** All documented values of an operation, or only the required ones. */
export function assetInput(operation: AssetOperation, which: 'whole' | 'least' = 'whole') {
  const {query, headers, body} = operation
  const taken = ([, {required}]: readonly [string, {readonly required: Required}]) =>
    which === 'whole' || required === 'yes'
  const input = {
    path: assetPath(operation),
    query: Object.fromEntries(
      Object.entries(query)
        .filter(taken)
        .map(([name, {value}]) => [name, value]),
    ),
  }
  const given = Object.entries(headers ?? {}).filter(taken)
  const fields = Object.entries(body ?? {}).filter(taken)
  return {
    ...input,
    ...(headers ? {headers: Object.fromEntries(given.map(([name, {sample}]) => [name, sample]))} : {}),
    ...(body ? {body: Object.fromEntries(fields.map(([name, {type}]) => [name, assetSample(type, name)]))} : {}),
  }
}
