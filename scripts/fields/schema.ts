import type {FieldSchema} from '../../src/cli/help/fields.js'
import {type ContractField, type ContractObject, documentedValues} from './contract.js'
import type {DeclaredObject} from './declared.js'
import {meaningOf, serviceMeanings} from './meanings.js'
import type {Shape} from './shape.js'

/** Members that hold what a user or a service put there: their own members are not listed. */
const passedThrough = new Set(['headers', 'body', 'routes', 'claims', 'environment'])
/** Members whose own members depend on the operation or the check: listed, but none is always there. */
const various = new Set(['targets', 'details', 'updated', 'replaced', 'replaces', 'transactions', 'before', 'after'])

export interface Known {
  readonly contract: readonly ContractObject[]
  /** The object types of the source. */
  readonly declared: readonly DeclaredObject[]
  /** The label of a field in the tables of the command. */
  readonly meanings: ReadonlyMap<string, string>
}

/** The JSON Schema of a shape. Arrays and objects are alternatives: several targets answer with a list. */
export function schemaOf(shape: Shape, known: Known): FieldSchema {
  const {types, objects, items} = shape
  if (!types.includes('array') || !types.includes('object')) return valueSchema('', shape, known)
  const list = {types: ['array'], ...(items ? {items} : {})}
  return {
    anyOf: [valueSchema('', list, known), valueSchema('', {types: ['object'], ...(objects ? {objects} : {})}, known)],
  }
}

function valueSchema(name: string, {types, objects, items}: Shape, known: Known): FieldSchema {
  if (types.includes('any')) return {}
  const of = jsonTypes(types)
  if (objects && passedThrough.has(name)) return {type: of}
  return {
    type: of,
    ...(objects ? objectSchema(name, objects, known) : {}),
    ...(items ? {items: valueSchema('', items, known)} : {}),
  }
}

/** In one order, and a number that is not always whole is a number; so is one that is only declared. */
function jsonTypes(types: readonly string[]): string | string[] {
  const seen = types.filter((type) => type !== 'numeric')
  const numbers = types.length > seen.length && !seen.includes('integer') ? ['number'] : []
  const all = [...new Set([...seen, ...numbers])]
    .filter((type) => type !== 'integer' || !seen.includes('number'))
    .sort()
  return all.length === 1 && all[0] ? all[0] : all
}

function objectSchema(
  name: string,
  {count, members, isOwn}: NonNullable<Shape['objects']>,
  known: Known,
): Pick<FieldSchema, 'properties' | 'required' | 'additionalProperties'> {
  const seen = Object.keys(members)
  // An object that shares two names with a service's reply is derived from it.
  const served = isOwn ? [] : known.contract.filter((object) => seen.filter((one) => object.has(one)).length >= 2)
  const whole = served.filter((object) => [...object.keys()].filter((one) => one in members).length * 2 > object.size)
  // An object is of the types that name all of its members, and have no other that is always there.
  const typed = known.declared.filter(
    (type) => seen.every((one) => type.has(one)) && [...type].every(([one, {optional}]) => optional || one in members),
  )
  const names = [...new Set([...seen, ...whole.flatMap((object) => [...object.keys()])])].sort()
  const properties = names.map((one): [string, FieldSchema] => {
    const fields = served.flatMap((object) => object.get(one) ?? [])
    const texts = textsOf(members[one]?.shape)
    const own = fields.length > 0 ? [] : texts ? [texts] : typed.map((type) => type.get(one)?.values ?? [])
    const schema = withValues(fieldSchema(one, members[one]?.shape, fields, known), documentedValues.get(one), own)
    return [one, described(schema, one, fields, known)]
  })
  const always = names.filter((one) => {
    const isOptional = served.some((object) => object.get(one)?.optional)
    return members[one]?.count === count && !isOptional
  })
  const isVarious = various.has(name)
  return {
    properties: Object.fromEntries(properties),
    ...(isVarious || always.length === 0 ? {} : {required: always}),
    additionalProperties: isVarious || served.length > 0,
  }
}

/** The texts that a type declares for a field, or for the elements of its list; undefined if only values were seen. */
function textsOf(shape: Shape | undefined): readonly string[] | undefined {
  return shape?.texts ?? (shape?.items && textsOf(shape.items))
}

function fieldSchema(
  name: string,
  shape: Shape | undefined,
  fields: readonly ContractField[],
  known: Known,
): FieldSchema {
  const told = fields.flatMap(({types}) => types)
  if (fields.some(({types}) => types.length === 0)) return {}
  return valueSchema(name, {...shape, types: [...new Set([...(shape?.types ?? []), ...told])]}, known)
}

/** With the values of a field, if the source declares a closed set in each of its types; as examples those that the documents list. */
function withValues(
  schema: FieldSchema,
  listed: readonly string[] | undefined,
  declared: readonly (readonly string[])[],
): FieldSchema {
  const {type = [], items} = schema
  if (items) return {...schema, items: withValues(items, listed, declared)}
  const types = [type].flat()
  if (!types.includes('string') || types.some((one) => one !== 'string' && one !== 'null')) return schema
  const own = declared.every((one) => one.length > 0) ? [...new Set(declared.flat())].sort() : []
  if (own.length > 0) return {...schema, enum: types.includes('null') ? [null, ...own] : own}
  return listed ? {...schema, examples: listed} : schema
}

function described(
  schema: FieldSchema,
  name: string,
  fields: readonly ContractField[],
  {meanings}: Known,
): FieldSchema {
  const text = (fields.length > 0 ? serviceMeanings.get(name) : undefined) ?? meaningOf(name) ?? meanings.get(name)
  return text === undefined ? schema : {...schema, description: text}
}
