import {Failure} from '../../contract/failure.js'
import type {Operation} from '../../contract/operation.js'
import {type Parameter, parametersOf} from '../../contract/operation.js'
import {type Route, routeParameters, type SendPlace} from '../../http/route/route.js'

/** The arguments of a call, in the parts of the document. */
export interface CallArguments {
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

type Pair = readonly [name: string, value: unknown]

/** The values of a request by the place where its route puts them. */
export interface RequestParts {
  /** The values of the path's parameters. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** The members of a JSON body. */
  readonly body?: Readonly<Record<string, unknown>>
  /** The fields of a form. A request has a form or a JSON body. */
  readonly form?: readonly FormField[]
}

/**
 * Arranges the arguments of a call by its route: into the path what it names there, elsewhere and under another name what `send` and
 * `rename` say, and the rest as documented. Raises a Failure (usage) for a value that would be changed on the way. The route has
 * been checked against the operation.
 */
export function layOutParts(operation: Operation, route: Route, input: CallArguments): RequestParts {
  const values: Readonly<Record<string, unknown>> = {...input.path, ...input.query, ...input.body, ...input.files}
  const {placed, hasForm, hasBody} = placementOf(operation, route)
  const at: Record<PlacedParameter['place'], Pair[]> = {path: [], query: [], header: [], form: [], body: []}
  for (const [name, value] of Object.entries(values)) {
    const found = value === undefined ? undefined : placed.find(({parameter}) => parameter.name === name)
    if (found) at[found.place].push([found.place === 'path' ? name : found.sentAs, value])
  }

  return {
    path: texts(at.path),
    query: texts(at.query),
    headers: {...texts(Object.entries(input.headers ?? {})), ...headersOf(at.header)},
    ...(hasForm ? {form: formOf(operation, at.form)} : {}),
    ...(hasBody ? {body: Object.fromEntries(at.body)} : {}),
  }
}

function texts(values: readonly Pair[]): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of values) if (value !== undefined) given[name] = String(value)
  return given
}

function formOf({files}: Operation, values: readonly Pair[]): FormField[] {
  const fields = values.flatMap(([name, value]) => fieldsOf(name, value))
  const broken = files && fields.find(({value}) => typeof value === 'string' && /[\r\n]/.test(value))
  if (!broken) return fields
  throw new Failure({
    exit: 'usage',
    message: `the value for the form field ${broken.name} cannot be sent in a form with files`,
    why: 'line breaks in it would be changed in transit; the route of the operation puts the value there',
  })
}

function fieldsOf(name: string, value: unknown): FormField[] {
  if (value instanceof Uint8Array) return [{name, value}]
  if (Array.isArray(value)) return value.map((one) => ({name, value: String(one)}))
  return [{name, value: typeof value === 'object' ? JSON.stringify(value) : String(value)}]
}

/** A header is one line of ASCII; any other value is refused. */
function headersOf(values: readonly Pair[]): Record<string, string> {
  for (const [name, value] of values) {
    if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(String(value))) continue
    throw new Failure({
      exit: 'usage',
      message: `the value for the header ${name} cannot be sent in a header`,
      why: 'a header is ASCII without line breaks or surrounding spaces; the route of the operation puts the value there',
    })
  }
  return texts(values)
}

/** A parameter with its place and name by a route. */
export interface PlacedParameter {
  readonly parameter: Parameter
  readonly place: 'path' | SendPlace
  /** Without meaning in the path. */
  readonly sentAs: string
}

/** The places of an operation's values by a route. */
interface Placement {
  readonly placed: readonly PlacedParameter[]
  /** By the route, not by what is given: without any value, the form is empty. */
  readonly hasForm: boolean
  readonly hasBody: boolean
  readonly fileFields: readonly string[]
}

const placements = new WeakMap<Operation, WeakMap<Route, Placement>>()

/** By the path, else by `send`, else as documented; files are in a form. Cached: a run makes many calls along one route. */
export function placementOf(operation: Operation, route: Route): Placement {
  const known = placements.get(operation)?.get(route)
  if (known) return known
  const placed = place(operation, route)
  const hasForm = placed.some(({place}) => place === 'form')
  const hasBody = !hasForm && placed.some(({place}) => place === 'body')
  const fileFields = placed.flatMap(({parameter: {name, place}}) => (place === 'file' ? [name] : []))
  const placement = {placed, hasForm, hasBody, fileFields}
  const along = placements.get(operation) ?? new WeakMap<Route, Placement>()
  placements.set(operation, along.set(route, placement))
  return placement
}

export function placeParameters(operation: Operation, route: Route): readonly PlacedParameter[] {
  return placementOf(operation, route).placed
}

function place(operation: Operation, route: Route): PlacedParameter[] {
  const inPath = new Set(routeParameters(route.path))
  return parametersOf(operation).map((parameter) => {
    const {name} = parameter
    return {parameter, place: placeSent(parameter, route, inPath), sentAs: route.rename?.[name] ?? name}
  })
}

function placeSent(
  {name, place}: Parameter,
  {send = {}}: Route,
  inPath: ReadonlySet<string>,
): PlacedParameter['place'] {
  if (inPath.has(name)) return 'path'
  if (place === 'file') return 'form'
  return (Object.hasOwn(send, name) ? send[name] : undefined) ?? place
}
