import {Failure} from '../contract/failure.js'
import type {Operation, Service} from '../contract/operation.js'
import {appendPath} from '../http/address.js'
import {fillRoute, type Route, RouteError, routeParameters} from '../http/route.js'
import type {Transport} from '../http/transport.js'

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
  readonly body: string | undefined
}

interface Arguments {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
}

/**
 * Checks the arguments of an operation against its shapes and fills its route.
 * Raises a Failure (usage) that names the argument of the wrong form.
 */
export function prepare(operation: Operation, access: Access, input: Arguments): PreparedRequest {
  const route = access.route(operation)
  check(operation, 'path', input.path ?? {})
  check(operation, 'query', input.query ?? {})
  if (operation.headers) check(operation, 'headers', input.headers ?? {})
  if (operation.body) check(operation, 'body', input.body ?? {})

  const inPath = new Set(routeParameters(route.path))
  const query = Object.entries(input.query ?? {}).filter(([name, value]) => value !== undefined && !inPath.has(name))
  const body = operation.body ? JSON.stringify(input.body ?? {}) : undefined
  return {
    service: operation.service,
    method: route.method,
    url: appendPath(access.base, fill(route.path, {...input.query, ...input.path}, operation.deep), texts(query)),
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip, br',
      ...(body === undefined ? {} : {'content-type': 'application/json'}),
      ...texts(Object.entries(input.headers ?? {}).filter(([, value]) => value !== undefined)),
    },
    body,
  }
}

function texts(entries: readonly (readonly [string, unknown])[]): Record<string, string> {
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function fill(path: string, values: Readonly<Record<string, unknown>>, deep: string | undefined): string {
  try {
    return fillRoute(path, texts(Object.entries(values)), deep)
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
  part: 'path' | 'query' | 'headers' | 'body',
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
