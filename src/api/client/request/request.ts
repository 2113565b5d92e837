import {Failure, wrongUsage} from '../../../failure.js'
import {exactJson} from '../../../text/json.js'
import {type Operation, type Parameter, parametersOf, type Service} from '../../contract/operation.js'
import {appendPath, isLoopback} from '../../http/network/address.js'
import {fillRoute, type Route, RouteError, routeParameters, type SendPlace} from '../../http/route/route.js'
import type {Transport} from '../../http/wire/transport.js'

/** A service's address and routes; resolved once for each service. */
export interface Access {
  readonly base: URL
  /** The method and path of an operation: documented, or set by flag, environment or profile. */
  route(operation: Operation): Route
  /** Sends with the service's credential, to the service's origin only. */
  readonly transport: Transport
  /** Sends without a credential to any address: files may be elsewhere. */
  readonly open: Transport
}

export interface PreparedRequest {
  readonly service: Service
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** The fields of a form for people, a file by its size. Absent for JSON. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/**
 * Checks the arguments of an operation against its shapes and arranges them by its route. Raises a Failure: usage, for an argument
 * of the wrong form; configuration, where a secret would go over plain http, or into an address that Node prints (`nodeDebug`: the
 * value of NODE_DEBUG).
 */
export async function prepare(
  operation: Operation,
  access: Access,
  input: CallArguments,
  nodeDebug?: string,
): Promise<PreparedRequest> {
  const route = access.route(operation)
  for (const part of ['path', 'query', 'headers', 'body', 'files'] as const) check(operation, part, input[part] ?? {})
  if (operation.secrets && operation.effect !== 'read') assertPrivate(operation, access.base)
  const {placed, fileFields} = placementOf(operation, route)
  if (nodeDebug) {
    const {assertSecretUnprinted} = await import('./nodeDebug.js')
    assertSecretUnprinted(operation, placed, nodeDebug)
  }

  const laidOut = layOutParts(operation, route, input)
  assertUnicode(laidOut.query)
  const {body, headers, fields} = await encodeBody(laidOut, fileFields)
  return {
    service: operation.service,
    method: route.method,
    url: appendPath(access.base, fill(route.path, laidOut.path, operation.deep), laidOut.query),
    headers: {accept: 'application/json', 'accept-encoding': 'gzip, br', ...headers, ...laidOut.headers},
    body,
    ...(fields === undefined ? {} : {fields}),
  }
}

/** A secret is not sent where it can be read on the way, whatever the profile allows (product §7). */
function assertPrivate({purpose}: Operation, base: URL): void {
  if (base.protocol === 'https:' || isLoopback(base.hostname)) return
  throw new Failure({
    exit: 'configuration',
    code: 'plain-http',
    message: `cannot ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)} over plain http: nothing was sent`,
    why: `the request carries a secret that anyone on the network path to ${base.host} could read; allowHttp does not change that`,
    try: 'roomctl config set push.url https://HOST',
  })
}

/** A lone surrogate cannot be percent-encoded. */
function assertUnicode(query: Readonly<Record<string, string>>): void {
  const [name] = Object.entries(query).find(([, value]) => /\p{Cs}/u.test(value)) ?? []
  if (name !== undefined) throw wrongUsage(`the value of ${name} is not valid Unicode text`)
}

function fill(path: string, values: Readonly<Record<string, string>>, deep: string | undefined): string {
  try {
    return fillRoute(path, values, deep)
  } catch (error) {
    if (!(error instanceof RouteError)) throw error
    throw wrongUsage(error.message, {
      why: 'an id is part of the request path, so it cannot be empty, "." or "..", or contain control characters',
    })
  }
}

function check(
  operation: Operation,
  part: 'path' | 'query' | 'headers' | 'body' | 'files',
  value: Readonly<Record<string, unknown>>,
): void {
  const shape = operation[part]
  const result = shape?.safeParse(value)
  if (!result || result.success) return
  const issue = result.error.issues[0]
  const where = issue?.path.join('.') || part
  const wrong = issue?.code === 'too_small' ? 'must not be empty' : 'does not have the documented form'
  throw wrongUsage(`${where} ${wrong}`)
}

export interface RequestBody {
  readonly body: string | Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The fields of a form for `--dry-run`, a file by its size; absent for JSON. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** A service may look at the ending of a file's name (push §6, push §7). */
const fileNames: Readonly<Record<string, string>> = {
  auth_key_file: 'AuthKey.p8',
  certificate_file: 'certificate.p12',
}

/** JSON, a form, or multipart/form-data for an operation with files, given or not. */
export async function encodeBody({body, form}: RequestParts, fileFields: readonly string[]): Promise<RequestBody> {
  if (form !== undefined) return fileFields.length > 0 ? multipart(form, fileFields) : urlencoded(form)
  if (body === undefined) return {body: undefined, headers: {}}
  return {body: exactJson(body), headers: {'content-type': 'application/json'}}
}

function urlencoded(form: readonly FormField[]): RequestBody {
  const pairs = form.map(({name, value}): [string, string] => [name, String(value)])
  return {
    body: new URLSearchParams(pairs).toString(),
    headers: {'content-type': 'application/x-www-form-urlencoded'},
    fields: shownFields(form),
  }
}

/** The runtime's FormData follows the standard and draws its boundary at random. */
async function multipart(form: readonly FormField[], fileFields: readonly string[]): Promise<RequestBody> {
  const data = new FormData()
  for (const {name, value} of form) {
    if (typeof value === 'string') data.append(name, value)
    else
      data.append(name, new File([value], fileNames[fileFields[0] ?? ''] ?? 'file', {type: 'application/octet-stream'}))
  }
  const encoded = new Response(data)
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    headers: {'content-type': encoded.headers.get('content-type') ?? 'multipart/form-data'},
    fields: shownFields(form),
  }
}

function shownFields(form: readonly FormField[]): Readonly<Record<string, unknown>> {
  const names = [...new Set(form.map(({name}) => name))]
  return Object.fromEntries(
    names.map((name) => {
      const values = form
        .filter((field) => field.name === name)
        .map(({value}) => (typeof value === 'string' ? value : `(file, ${value.length} bytes)`))
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

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

interface RequestParts {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The fields of a form. A request has a form or a JSON body. */
  readonly form?: readonly FormField[]
}

/**
 * Arranges the arguments of a call by its route: into the path what it names there, elsewhere and under another name what `send` and
 * `rename` say, and the rest as documented. Raises a Failure (usage) for a value that would be changed on the way. The route has
 * been checked against the operation.
 */
function layOutParts(operation: Operation, route: Route, input: CallArguments): RequestParts {
  const {path, query, body, files} = input
  const values: Readonly<Record<string, unknown>> = Object.assign({}, path, query, body, files)
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
  throw wrongUsage(`the value for the form field ${broken.name} cannot be sent in a form with files`, {
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
    throw wrongUsage(`the value for the header ${name} cannot be sent in a header`, {
      why: 'a header is ASCII without line breaks or surrounding spaces; the route of the operation puts the value there',
    })
  }
  return texts(values)
}

export interface PlacedParameter {
  readonly parameter: Parameter
  readonly place: 'path' | SendPlace
  /** Without meaning in the path. */
  readonly sentAs: string
}

interface Placement {
  readonly placed: readonly PlacedParameter[]
  /** By the route, not by what is given: without any value, the form is empty. */
  readonly hasForm: boolean
  readonly hasBody: boolean
  readonly fileFields: readonly string[]
}

const placements = new WeakMap<Operation, WeakMap<Route, Placement>>()

/** By the path, else by `send`, else as documented; files are in a form. Cached: a run makes many calls along one route. */
function placementOf(operation: Operation, route: Route): Placement {
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
