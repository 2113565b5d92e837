import {Failure, wrongUsage} from '../../../failure.js'
import {exactJson} from '../../../text/json.js'
import {type Operation, type Parameter, parametersOf, type Service} from '../../contract/operation.js'
import {appendPath, isLoopback} from '../../http/network/address.js'
import {fillRoute, type Route, routeParameters} from '../../http/route/route.js'
import type {Transport} from '../../http/wire/transport.js'

/** A service's address and routes; resolved once for each service. */
export interface Access {
  readonly base: URL
  /** The method and path of an operation: documented, or set by flag, environment or profile. */
  route(operation: Operation): Route
  /** Sends with the service's credential, to the service's origin only. */
  readonly transport: Transport
  /** Reads the credential, which else the first request does. */
  readonly authorize?: () => Promise<unknown>
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
 * Checks the arguments of an operation against its shapes and arranges them by its route. Throws Failure: usage, for an argument
 * of the wrong form; configuration, if a secret would go over plain http.
 */
export async function prepare(operation: Operation, access: Access, input: CallArguments): Promise<PreparedRequest> {
  const route = access.route(operation)
  for (const part of ['path', 'query', 'headers', 'body', 'files'] as const) check(operation, part, input[part] ?? {})
  if (operation.secrets && operation.effect !== 'read') assertPrivate(operation, access.base)

  const laidOut = layOutParts(operation, route, input)
  assertUnicode(laidOut.query)
  const {body, headers, fields} = await encodeBody(laidOut)
  return {
    service: operation.service,
    method: route.method,
    url: appendPath(access.base, fillRoute(route.path, laidOut.path, operation.catchAll), laidOut.query),
    headers: {accept: 'application/json', 'accept-encoding': 'gzip, br', ...headers, ...laidOut.headers},
    body,
    ...(fields === undefined ? {} : {fields}),
  }
}

/** Never sends a secret over plain http to another machine, even if the profile allows it. */
function assertPrivate({purpose, service}: Operation, base: URL): void {
  if (base.protocol === 'https:' || isLoopback(base.hostname)) return
  throw new Failure({
    exit: 'configuration',
    code: 'plain-http',
    message: `cannot ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)} over plain http: nothing was sent`,
    why: `the request carries a secret that anyone on the network path to ${base.host} could read; allowHttp does not change that`,
    try: {command: ['config set', `${service}.url`, base.href.replace(/^http:/u, 'https:').replace(/\/$/u, '')]},
  })
}

/** A lone surrogate cannot be percent-encoded. */
function assertUnicode(query: Readonly<Record<string, string>>): void {
  const [name] = Object.entries(query).find(([, value]) => /\p{Cs}/u.test(value)) ?? []
  if (name !== undefined) throw wrongUsage(`the value of ${name} is not valid Unicode text`)
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

interface RequestBody {
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

/** JSON, or multipart/form-data for an operation with files, given or not. */
export async function encodeBody({body, files}: RequestParts): Promise<RequestBody> {
  if (files !== undefined) return multipart(files)
  if (body === undefined) return {body: undefined, headers: {}}
  return {body: exactJson(body), headers: {'content-type': 'application/json'}}
}

/** The runtime's FormData follows the standard and draws its boundary at random. */
async function multipart(files: Readonly<Record<string, Uint8Array>>): Promise<RequestBody> {
  const data = new FormData()
  for (const [name, bytes] of Object.entries(files)) {
    data.append(name, new File([new Uint8Array(bytes)], fileNames[name] ?? 'file', {type: 'application/octet-stream'}))
  }
  const encoded = new Response(data)
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    headers: {'content-type': encoded.headers.get('content-type') ?? 'multipart/form-data'},
    fields: Object.fromEntries(Object.entries(files).map(([name, {length}]) => [name, `(file, ${length} bytes)`])),
  }
}

export interface CallArguments {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly files?: Readonly<Record<string, unknown>>
}

interface RequestParts {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** By their fields. A request has files or a JSON body. */
  readonly files?: Readonly<Record<string, Uint8Array>>
}

/** Arranges the arguments of a call by its route: in the path what it names there, the rest as documented. */
function layOutParts(operation: Operation, route: Route, input: CallArguments): RequestParts {
  const {query, body, files} = input
  const values: Readonly<Record<string, unknown>> = Object.assign({}, input.path, query, body, files)
  const at: Record<Parameter['place'], Pair[]> = {path: [], query: [], body: [], file: []}
  const inPath = routeParameters(route.path)
  for (const {name, place} of parametersOf(operation)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value !== undefined) at[inPath.includes(name) ? 'path' : place].push([name, value])
  }
  return {
    path: texts(at.path),
    query: texts(at.query),
    headers: texts(Object.entries(input.headers ?? {})),
    // Depends on the operation alone: without a file the form is empty.
    ...(operation.files ? {files: Object.fromEntries(at.file) as Record<string, Uint8Array>} : {}),
    ...(operation.body ? {body: Object.fromEntries(at.body)} : {}),
  }
}

type Pair = readonly [name: string, value: unknown]

function texts(values: readonly Pair[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [name, value] of values) if (value !== undefined) fields[name] = String(value)
  return fields
}
