import {type Article, article, introduction, type Table, type Text, table, text} from './article.js'
import {readPackaged} from './topicPages.js'

/** The part of JSON Schema 2020-12 that describes answers. */
export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  /** The closed set of its values. */
  readonly enum?: readonly (string | null)[]
  /** Values that the documents of the services list; there may be others. */
  readonly examples?: readonly string[]
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: FieldSchema
  readonly anyOf?: readonly FieldSchema[]
}

/** The schema of the answer of each command, by the flags that give it another form; under `` without one. */
export type FieldFile = Readonly<Record<string, Readonly<Record<string, FieldSchema>>>>

/** docs/fields.json, which `npm run task -- fields` writes. */
export interface Fields {
  readonly error_codes: readonly string[]
  /** The schema of a failure on stderr. */
  readonly failure: FieldSchema
  readonly commands: FieldFile
}

export function readFields(root: string): Fields {
  return JSON.parse(readPackaged(root, 'docs/fields.json'))
}

/** The schemas of all commands. */
export function readFieldFile(root: string): FieldFile {
  return readFields(root).commands
}

export interface CommandAnswer {
  readonly command: string
  readonly forms: FieldFile[string]
}

/** The JSON Schema of the whole `-o json` answer of a command. */
export function answerSchema({command, forms}: CommandAnswer): object {
  const all = Object.entries(forms).map(([flags, schema]) => (flags === '' ? schema : {title: flags, ...schema}))
  const [only] = all
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `roomctl ${command} -o json`,
    ...(all.length === 1 ? only : {anyOf: all}),
  }
}

/** Tables of the fields in an answer, one for each form that it has. */
export function fieldBlocks(forms: FieldFile[string]): (Text | Table)[] {
  return Object.entries(forms).flatMap(([flags, schema]) =>
    (schema.anyOf ?? [schema]).flatMap((form) => formBlocks(flags, form)),
  )
}

function formBlocks(flags: string, form: FieldSchema): (Text | Table)[] {
  const rows = fieldRows(form.items ?? form, '')
  const kind = form.items || form.type === 'array' ? 'an array of objects' : 'an object'
  const heading = flags === '' ? kind.replace('a', 'A') : `With \`${flags}\`: ${kind}`
  if (rows.length === 0) return [text(`${heading}.`)]
  return [text(`${heading}:`), table(['Field', 'Type', 'Always there', 'Meaning'], rows)]
}

export interface ListedField {
  /** With the members that lead to it: `error.code`, `attendees[].user_id`. */
  readonly name: string
  readonly meaning: string
}

/** Each field of the forms once, with its meaning in the first. */
export function listedFields(forms: FieldFile[string]): ListedField[] {
  const schemas = Object.values(forms).flatMap((schema) => schema.anyOf ?? [schema])
  const rows = schemas.flatMap((form) => fieldRows(form.items ?? form, '')).reverse()
  const fields = new Map(rows.map(([name = '', , , meaning = '']) => [name, {name, meaning}]))
  return [...fields.values()].reverse()
}

function fieldRows({properties = {}, required = []}: FieldSchema, at: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const type = schema.type === undefined ? 'any' : [schema.type].flat().join(' or ')
    const row = [`${at}${name}`, type, required.includes(name) ? 'yes' : 'no', meaningOf(schema)]
    const inside = schema.items ? fieldRows(schema.items, `${at}${name}[].`) : fieldRows(schema, `${at}${name}.`)
    return [row, ...inside]
  })
}

function meaningOf({description, enum: values, examples, items}: FieldSchema): string {
  const closed = values ?? items?.enum
  const listed = examples ?? items?.examples
  return [
    ...(description === undefined ? [] : [description]),
    ...(closed ? [`one of ${closed.filter((value) => value !== null).join(', ')}`] : []),
    ...(listed ? [`documented: ${listed.join(', ')}`] : []),
  ].join('; ')
}

/** The page `roomctl help fields COMMAND`. */
export function fieldsArticle({command, forms}: CommandAnswer): Article {
  return article(`Fields of roomctl ${command} -o json`, introduction(...fieldBlocks(forms)))
}
