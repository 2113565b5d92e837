import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {getAsset, isSea} from 'node:sea'
import {type Article, article, type Block, examples, introduction, sectionOf, table, text} from './article.js'

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

/** The schemas of all commands: docs/fields.json, which `npm run task -- fields` writes. */
export function readFieldFile(root: string): FieldFile {
  const file = 'docs/fields.json'
  return JSON.parse(isSea() ? getAsset(file, 'utf8') : readFileSync(join(root, file), 'utf8')).commands
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
export function fieldBlocks(forms: FieldFile[string]): Block[] {
  return Object.entries(forms).flatMap(([flags, schema]) =>
    (schema.anyOf ?? [schema]).flatMap((form) => formBlocks(flags, form)),
  )
}

function formBlocks(flags: string, form: FieldSchema): Block[] {
  const rows = fieldRows(form.items ?? form, '')
  const kind = form.items || form.type === 'array' ? 'an array of objects' : 'an object'
  const heading = flags === '' ? kind.replace('a', 'A') : `With \`${flags}\`: ${kind}`
  if (rows.length === 0) return [text(`${heading}.`)]
  return [text(`${heading}:`), table(['Field', 'Type', 'Always there', 'Meaning'], rows)]
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
  const one = values ?? items?.enum
  const listed = examples ?? items?.examples
  return [
    ...(description === undefined ? [] : [description]),
    ...(one ? [`one of ${one.filter((value) => value !== null).join(', ')}`] : []),
    ...(listed ? [`documented: ${listed.join(', ')}`] : []),
  ].join('; ')
}

/** What `roomctl help fields COMMAND` says. */
export function fieldsArticle({command, forms}: CommandAnswer): Article {
  return article(`Fields of roomctl ${command} -o json`, introduction(...fieldBlocks(forms)))
}

/** The promise about machine formats. */
export const fieldPromise: readonly Block[] = [
  text(
    'Within a major version, fields and enum values of machine formats are added, never removed, renamed or retyped. The same holds',
    'for errors, plans, the journal, events, locks and results. Tables and sentences are no interface.',
  ),
  text(
    '`roomctl help fields COMMAND` lists the fields of a command, with `-o json` as a JSON Schema (2020-12) of the whole answer: an array',
    'for a list, whose `items` is one line of `-o ndjson`. A field that is always there is `required`. `enum` has all values of a field',
    'that roomctl defines, `examples` those that the documents list for a field of a service. An object that is passed through from a',
    'service may have more fields. `api`, `completion` and `sandbox start` have no schema.',
  ),
]

export const fields = article(
  'Fields of JSON answers',
  introduction(...fieldPromise),
  sectionOf(
    'Examples',
    examples(
      ['The fields of a room in a list', 'roomctl help fields room list'],
      ['A JSON Schema to check answers against', 'roomctl help fields room end -o json'],
    ),
  ),
)
