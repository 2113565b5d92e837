import type * as z from 'zod/mini'

type Shape = z.core.$ZodType

/** Gives each text of an answer; `member` is the name of the member that holds it. */
export type Text = (member: string) => string

/**
 * A value of a shape of the contract in which every text is one that `text` gives: every member is there, an object has one
 * more whose very name is such a text, a list has two elements. A number is 7.
 */
export function filled(shape: Shape, text: Text, member = ''): unknown {
  // zod tells the kinds of its shapes apart by this union; `$ZodType` itself knows only that there is a kind.
  const {def} = (shape as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return text(member)
    case 'number':
      return 7
    case 'boolean':
      return true
    case 'optional':
    case 'nullable':
      return filled(def.innerType, text, member)
    case 'array':
      return [filled(def.element, text, member), filled(def.element, text, member)]
    case 'union':
      return def.options[0] && filled(def.options[0], text, member)
    case 'pipe':
      return filled(def.in, text, member)
    case 'unknown':
      return {[text('')]: [text(''), {[text('')]: text('')}]}
    case 'object': {
      const members = Object.entries(def.shape).map(([name, one]) => [name, filled(one, text, name)])
      const more = def.catchall ? [[text(''), text('')]] : []
      return Object.fromEntries([...members, ...more])
    }
    default:
      throw new Error(`no text can be put into a ${def.type}`)
  }
}
