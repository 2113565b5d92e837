import type * as z from 'zod/mini'
import type {Operation} from './operation.js'

/** A parameter of an operation, by its document name, and where the document has it. */
export interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'body' | 'file'
  /** One text, number or truth value, which can stand anywhere; not a list, an object or a file. */
  readonly isScalar: boolean
}

const scalars = new Set(['string', 'number', 'boolean', 'enum', 'literal'])

/** The parameters of an operation that a route may place, path first: all but its headers. */
export function parametersOf({path, query, body, files}: Operation): Parameter[] {
  return [
    ...membersOf('path', path),
    ...membersOf('query', query),
    ...membersOf('body', body),
    ...membersOf('file', files),
  ]
}

function membersOf(place: Parameter['place'], shape: z.ZodMiniType | undefined): Parameter[] {
  if (!shape) return []
  // zod tells the kinds of its shapes apart by this union; `ZodMiniType` itself knows only that there is a kind.
  const {def} = (shape as unknown as z.core.$ZodTypes)._zod
  if (def.type !== 'object') return []
  return Object.entries(def.shape).map(([name, member]) => ({name, place, isScalar: scalars.has(kindOf(member))}))
}

function kindOf(shape: z.core.$ZodType): string {
  const {def} = (shape as z.core.$ZodTypes)._zod
  return def.type === 'optional' || def.type === 'nullable' ? kindOf(def.innerType) : def.type
}
