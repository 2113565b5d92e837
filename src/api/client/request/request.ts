import {Failure} from '../../contract/failure.js'
import type {Operation, Service} from '../../contract/operation.js'
import {appendPath, isLoopback} from '../../http/network/address.js'
import {fillRoute, type Route, RouteError} from '../../http/route/route.js'
import type {Transport} from '../../http/wire/transport.js'
import {type CallArguments, layOutParts} from './layout.js'
import {assertSecretUnprinted} from './nodeDebug.js'
import {encodeBody} from './payload.js'

/** Where a service is and how it is called; resolved once for each service. */
export interface Access {
  readonly base: URL
  /** The method and path of an operation: documented, or set by flag, environment or profile. */
  route(operation: Operation): Route
  /** Sends with the service's credential, to the service's origin only. */
  readonly transport: Transport
  /** Sends without a credential, anywhere: for the addresses of files that lie elsewhere. */
  readonly open: Transport
}

/** A request ready to be sent, without its credential. */
export interface PreparedRequest {
  readonly service: Service
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** The fields of a form, for people: a file by its size. Absent where the body is JSON. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/**
 * Checks the arguments of an operation against its shapes and lays them out along its route. Raises a Failure: usage, that
 * names the argument of the wrong form; configuration, where a secret would go over plain http, or would stand in an address
 * that Node prints (`nodeDebug`: the value of NODE_DEBUG).
 */
export async function prepare(
  operation: Operation,
  access: Access,
  input: CallArguments,
  nodeDebug?: string,
): Promise<PreparedRequest> {
  const route = access.route(operation)
  check(operation, 'path', input.path ?? {})
  check(operation, 'query', input.query ?? {})
  if (operation.headers) check(operation, 'headers', input.headers ?? {})
  if (operation.body) check(operation, 'body', input.body ?? {})
  if (operation.files) check(operation, 'files', input.files ?? {})
  if (operation.secrets && operation.effect !== 'read') assertPrivate(operation, access.base)
  assertSecretUnprinted(operation, route, nodeDebug)

  const laidOut = layOutParts(operation, route, input)
  assertUnicode(laidOut.query)
  const {body, headers, fields} = await encodeBody(laidOut, Object.keys(input.files ?? {}))
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
    why: `the request carries a secret, which anybody on the way to ${base.host} could read; allowHttp does not change that`,
    try: 'roomctl config set push.url https://HOST',
  })
}

/** What is no text cannot be percent-encoded. */
function assertUnicode(query: Readonly<Record<string, string>>): void {
  const [name] = Object.entries(query).find(([, value]) => /\p{Cs}/u.test(value)) ?? []
  if (name !== undefined) throw new Failure({exit: 'usage', message: `the value of ${name} is not valid Unicode text`})
}

function fill(path: string, values: Readonly<Record<string, string>>, deep: string | undefined): string {
  try {
    return fillRoute(path, values, deep)
  } catch (error) {
    if (!(error instanceof RouteError)) throw error
    throw new Failure({
      exit: 'usage',
      message: error.message,
      why: 'an id stands in the path of the request, so it cannot be empty, "." or ".." or hold control characters',
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
  const wrong = issue?.code === 'too_small' ? 'must not be empty' : 'has not the form that the document gives it'
  throw new Failure({exit: 'usage', message: `${where} ${wrong} (${operation.source})`})
}
