import type * as z from 'zod/mini'
import {codes, type Operation} from './operation.js'

/** The enumerations that replies show as any text (room, Enumerations; push, Enumerations). */
export const shownEnumValues = [
  ...['RESERVED', 'MEETING', 'IDLE', 'ENDED', 'CREATOR', 'FIRST_ENTER_USER'],
  ...['CERTIFICATE', 'TOKEN', 'NONE', 'SUCCESS'],
] as const

/** The names and enum values of an operation's arguments and reply, which hide no secret. */
export function documentWords({path, query, headers, body, files, reply}: Operation): string[] {
  const shapes = [path, query, headers, body, files, reply]
  return [...codes, ...shownEnumValues, ...shapes.flatMap((shape) => (shape ? wordsIn(shape) : []))]
}

function wordsIn(shape: z.core.$ZodType): string[] {
  // zod tells the kinds of its shapes apart by this union.
  const {def} = (shape as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, member]) => [name, ...wordsIn(member)])
    case 'array':
      return wordsIn(def.element)
    case 'optional':
    case 'nullable':
      return wordsIn(def.innerType)
    case 'pipe':
      return wordsIn(def.in)
    case 'union':
      return def.options.flatMap(wordsIn)
    case 'enum':
      return Object.values(def.entries).map(String)
    default:
      return []
  }
}
