import type {FieldFile, FieldSchema} from '../../src/cli/help/fields.js'

/** Promises of an earlier file that a later one breaks, each with its command and field. */
export function brokenPromises(before: FieldFile, after: FieldFile): string[] {
  return Object.entries(before).flatMap(([command, forms]) =>
    Object.entries(forms).flatMap(([flags, schema]) => {
      const line = flags === '' ? command : `${command} ${flags}`
      const now = after[command]?.[flags]
      return now === undefined
        ? [`${line}: has no answer any more`]
        : broken(schema, now, '').map((one) => `${line}: ${one}`)
    }),
  )
}

function broken(before: FieldSchema, after: FieldSchema, at: string): string[] {
  const [was, is] = [typesOf(before), typesOf(after)]
  if (was !== '' && was !== is) return [`${at || 'the answer'} was ${was}, and is ${is || 'anything'}`]
  const values = lostValues(before, after).map((one) => `${at} ${one}`)
  const forms = (before.anyOf ?? []).flatMap((one, index) => broken(one, after.anyOf?.[index] ?? {}, at))
  const items = before.items ? broken(before.items, after.items ?? {}, `${at}[]`) : []
  const fields = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const field = `${at}${at === '' ? '' : '.'}${name}`
    const now = after.properties?.[name]
    return now === undefined ? [`${field} is gone${renamed(name, before, after)}`] : broken(schema, now, field)
  })
  const lost = (before.required ?? [])
    .filter((name) => after.properties?.[name] && !after.required?.includes(name))
    .map((name) => `${at}${at === '' ? '' : '.'}${name} is not always there any more`)
  return [...values, ...forms, ...items, ...fields, ...lost]
}

function typesOf({type = []}: FieldSchema): string {
  return [type].flat().join(' or ')
}

/** The values that a field lost. A single new one is likely the old one. */
function lostValues(before: FieldSchema, after: FieldSchema): string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const [added, ...others] = is.filter((one) => !was.includes(one))
  const renamed = added === undefined || others.length > 0 ? '' : `, or renamed it to ${added}`
  return was.filter((one) => !is.includes(one)).map((one) => `lost the value ${one}${renamed}`)
}

function valuesOf({enum: own, examples = []}: FieldSchema): readonly (string | null)[] {
  return own ?? examples
}

/** A new field of the same form is likely the old one. */
function renamed(name: string, before: FieldSchema, after: FieldSchema): string {
  const form = (schema: FieldSchema | undefined) => JSON.stringify({...schema, description: undefined})
  const wanted = form(before.properties?.[name])
  const added = Object.entries(after.properties ?? {}).filter(([one]) => !(one in (before.properties ?? {})))
  const found = added.find(([, schema]) => form(schema) === wanted)?.[0]
  return found === undefined ? '' : `, or renamed to ${found}`
}
