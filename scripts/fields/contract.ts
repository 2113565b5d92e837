import {readFileSync} from 'node:fs'
import path from 'node:path'
import type * as z from 'zod/mini'
import {platforms} from '../../src/api/contract/assetShapes.js'
import {codes} from '../../src/api/contract/codes.js'
import type {Operation} from '../../src/api/contract/operation.js'
import {destinations, dispatchTypes, pushTypes} from '../../src/api/contract/push.js'
import {layouts} from '../../src/api/contract/record.js'
import {apnsTypes, hostSelectionTypes} from '../../src/api/contract/shapes.js'
import {roomStates} from '../../src/api/contract/states.js'
import {wireProblems} from '../../src/api/http/wire/transport.js'
import {exits} from '../../src/failure.js'
import {sourceFiles} from '../docs/imports.js'

/** The values that the documents list for a field of the services, which may answer with others. */
export const documentedValues: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['destination', destinations],
  ['dispatch_type', dispatchTypes],
  ['host_selection_type', hostSelectionTypes],
  ['ios_apns_type', apnsTypes],
  ['layout', layouts],
  ['platform', platforms],
  ['push_type', pushTypes],
  ['room_status', roomStates],
])

/** Every code that an error can have: of a service, the word of an exit code, or a more specific one of the tool. */
export function errorCodes(root: string): string[] {
  const sources = sourceFiles(root).map((file) => readFileSync(path.join(root, file), 'utf8'))
  // The code of a failure, or of a finding in a file, which a failure takes over.
  const coded = /\b(?:code\??(?:: | = )|(?:error|warning)\(\s*)'([a-z][a-z0-9-]*)'/gu
  const own = sources.flatMap((text) => [...text.matchAll(coded)].map(([, code = '']) => code))
  return [...new Set([...codes, ...Object.keys(exits), ...wireProblems, ...own])].sort()
}

/** A field of an object that a service answers with. */
export interface ContractField {
  readonly types: readonly string[]
  readonly optional: boolean
}

export type ContractObject = ReadonlyMap<string, ContractField>

/** Every object in the replies of the operations, at any depth. */
export function contractObjects(operations: readonly Operation[]): ContractObject[] {
  return operations.flatMap(({reply}) => objectsIn(reply as unknown as z.core.$ZodType))
}

function defOf(shape: z.core.$ZodType) {
  return (shape as z.core.$ZodTypes)._zod.def
}

function objectsIn(shape: z.core.$ZodType): ContractObject[] {
  const def = defOf(shape)
  if (def.type === 'optional' || def.type === 'nullable') return objectsIn(def.innerType)
  if (def.type === 'pipe') return objectsIn(def.in)
  if (def.type === 'array') return objectsIn(def.element)
  if (def.type === 'union') return def.options.flatMap((option) => objectsIn(option))
  if (def.type !== 'object') return []
  const fields = Object.entries(def.shape)
  const own = new Map(fields.map(([name, field]) => [name, typesOf(field)] as const))
  return [own, ...fields.flatMap(([, field]) => objectsIn(field))]
}

const jsonTypes: Readonly<Record<string, readonly string[]>> = {bigint: ['number'], enum: ['string']}
const plainTypes = new Set(['string', 'number', 'boolean', 'null', 'array', 'object'])

/** The types of a field in JSON; none if the contract leaves them open. */
function typesOf(shape: z.core.$ZodType): {readonly types: readonly string[]; readonly optional: boolean} {
  const def = defOf(shape)
  if (def.type === 'optional') return {...typesOf(def.innerType), optional: true}
  if (def.type === 'nullable') {
    const {types, optional} = typesOf(def.innerType)
    return {types: types.length === 0 ? [] : [...types, 'null'], optional}
  }
  if (def.type === 'pipe') return typesOf(def.in)
  if (def.type === 'union') {
    return {types: [...new Set(def.options.flatMap((option) => typesOf(option).types))], optional: false}
  }
  return {types: jsonTypes[def.type] ?? (plainTypes.has(def.type) ? [def.type] : []), optional: false}
}
