import {Failure} from '../contract/failure.js'
import type {Operation} from '../contract/operation.js'
import {type Route, routeParameters, type SendPlace} from '../http/route.js'

/** The arguments of a call, in the parts that the document has them in. */
export interface Arguments {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly files?: Readonly<Record<string, unknown>>
}

/** One field of a form; a list has a field for each of its members. */
export interface FormField {
  readonly name: string
  readonly value: string | Uint8Array
}

/** Where each value of a request stands once the route has had its say. */
export interface LaidOut {
  /** The values of the path's parameters. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** The members of a JSON body; absent where there is none. */
  readonly body?: Readonly<Record<string, unknown>>
  /** The fields of a form; absent where there is none. A request has a form or a JSON body. */
  readonly form?: readonly FormField[]
}

/**
 * Puts the arguments of a call where its route wants them: into the path what is named there, elsewhere and under another
 * name what `send` and `rename` say, and all else where the document has it. Raises a Failure (usage) for a value that
 * cannot stand in a header. That the route fits the operation has been checked before.
 */
export function layOut(operation: Operation, route: Route, input: Arguments): LaidOut {
  const inPath = new Set(routeParameters(route.path))
  const values = {...input.body, ...input.query, ...input.path}
  const placed = [
    ...entries(input.query, inPath).map(([name, value]) => ({name, value, place: route.send?.[name] ?? 'query'})),
    ...entries(input.body, inPath).map(([name, value]) => ({name, value, place: route.send?.[name] ?? 'body'})),
    ...entries(input.files, inPath).map(([name, value]) => ({name, value, place: 'form' as const})),
  ]
  const at = (wanted: SendPlace) =>
    placed
      .filter(({place}) => place === wanted)
      .map(({name, value}) => [route.rename?.[name] ?? name, value] as [string, unknown])

  const form = at('form').flatMap(([name, value]) => fieldsOf(name, value))
  const body = at('body')
  const hasForm = form.length > 0 || operation.files !== undefined
  return {
    path: texts([...inPath].flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]))),
    query: texts(at('query')),
    headers: {...texts(entries(input.headers, new Set())), ...headersOf(at('header'))},
    ...(hasForm ? {form} : {}),
    ...(!hasForm && (operation.body || body.length > 0) ? {body: Object.fromEntries(body)} : {}),
  }
}

/** What was given, and does not stand in the path. */
function entries(part: Readonly<Record<string, unknown>> | undefined, inPath: ReadonlySet<string>) {
  return Object.entries(part ?? {}).filter(([name, value]) => value !== undefined && !inPath.has(name))
}

function texts(values: readonly (readonly unknown[])[]): Record<string, string> {
  return Object.fromEntries(values.map(([name, value]) => [name, String(value)]))
}

function fieldsOf(name: string, value: unknown): FormField[] {
  if (value instanceof Uint8Array) return [{name, value}]
  if (Array.isArray(value)) return value.map((one) => ({name, value: String(one)}))
  return [{name, value: typeof value === 'object' ? JSON.stringify(value) : String(value)}]
}

/** A header carries one line of ASCII; what it would change or lose is refused. */
function headersOf(values: readonly (readonly [string, unknown])[]): Record<string, string> {
  for (const [name, value] of values) {
    if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(String(value))) continue
    throw new Failure({
      exit: 'usage',
      message: `the value for the header ${name} cannot stand in a header`,
      why: 'a header carries ASCII without line ends and without spaces around it; the route of the operation sends the value there',
    })
  }
  return texts(values)
}
