import {documentedRoute, type Operation} from '../../api/contract/operation.js'
import {matchRoute, type Route, routeParameters} from '../../api/http/route/route.js'
import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest} from '../../api/http/wire/transport.js'
import {refuse, refuseRoute} from './service.js'

type Shape = Operation['path']
type Issue = NonNullable<ReturnType<Shape['safeParse']>['error']>['issues'][number]

/** An operation with the values in the path. */
export interface FoundOperation<O extends Operation> {
  readonly operation: O
  readonly route: Route
  readonly path: Readonly<Record<string, string>>
}

/** The operation of a method and path below a prefix. Refuses with 404 and 405. */
export function findOperation<O extends Operation>(
  request: WireRequest,
  prefix: string,
  routed: Iterable<{readonly operation: O; readonly route: Route}>,
): FoundOperation<O> {
  const {pathname} = request.url
  const allowed: string[] = []
  for (const {operation, route} of pathname.startsWith(`${prefix}/`) ? routed : []) {
    const path = matchRoute(route.path, pathname.slice(prefix.length), operation.catchAll)
    if (path === undefined) continue
    if (route.method === request.method) return {operation, route, path}
    allowed.push(route.method)
  }
  return refuseRoute(request, allowed)
}

/** Operations with their routes. Literal paths come first: `/requests/cancel` fits `/requests/{request_uuid}` too. */
export function routedOperations<O extends Operation>(
  operations: readonly O[],
  chosen: Readonly<Record<string, Route>>,
) {
  const all = operations.map((operation) => ({
    operation,
    route: chosen[operation.id] ?? documentedRoute(operation),
  }))
  return all.sort((a, b) => routeParameters(a.route.path).length - routeParameters(b.route.path).length)
}

/** The token of `Authorization: Bearer TOKEN`. */
export function bearerToken({headers}: WireRequest): string | undefined {
  return /^Bearer (\S+)$/.exec(headerOf(headers, 'authorization') ?? '')?.[1]
}

/** The document shows no limit. */
const maxBytes = 8 * 1024 * 1024

/** Refuses a longer body with CE001. */
export async function readBodyBytes(body: WireRequest['body']): Promise<Buffer> {
  if (body === undefined || typeof body === 'string') return Buffer.from(body ?? '')
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body instanceof Uint8Array ? [body] : body) {
    parts.push(part)
    length += part.length
    if (length > maxBytes) refuse('CE001', `body: longer than ${maxBytes} bytes`)
  }
  return Buffer.concat(parts)
}

/** Refuses a longer body, or one that is not UTF-8, with CE001. */
export async function readText(body: WireRequest['body']): Promise<string> {
  const bytes = await readBodyBytes(body)
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    return refuse('CE001', 'body: expected UTF-8')
  }
}

/** No body has no members. Refuses with CE001 anything that is no JSON. */
export function readJson(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return refuse('CE001', 'body: expected a JSON object, got something that is not JSON')
  }
}

/** The query as the contract types it: `true` and `false` are text on the wire. */
export function readQuery(shape: Shape, query: URLSearchParams): Record<string, unknown> {
  const twice = [...query.keys()].find((name) => query.getAll(name).length > 1)
  if (twice !== undefined) refuse('CE001', `${twice}: given more than once`)
  const values: Record<string, unknown> = Object.fromEntries(query)
  for (const issue of shape.safeParse(values).error?.issues ?? []) {
    const [name] = issue.path
    if (issue.code !== 'invalid_type' || issue.expected !== 'boolean' || typeof name !== 'string') continue
    if (values[name] === 'true' || values[name] === 'false') values[name] = values[name] === 'true'
  }
  return values
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (Object(value) as Record<PropertyKey, unknown>)[key], whole)
}

function expectation(issue: Issue, value: unknown): string {
  if (issue.code === 'invalid_type') {
    return `expected ${issue.expected}, ${value === undefined ? 'but it is missing' : `got ${kindOf(value)}`}`
  }
  if (issue.code === 'invalid_value') {
    return `expected one of ${issue.values.join(', ')}, ${value === undefined ? 'but it is missing' : `got ${JSON.stringify(value)}`}`
  }
  return issue.code === 'too_small' ? 'must not be empty' : 'is not acceptable'
}

function messageOf(issue: Issue, whole: unknown, what: string): string {
  if (issue.code === 'unrecognized_keys') return `unknown ${what} field: ${issue.keys.join(', ')}`
  return `${issue.path.join('.') || what}: ${expectation(issue, valueAt(whole, issue.path))}`
}

/** A problem names the field; `isMalformed`: missing, unknown, or of another kind, not merely unacceptable. */
export function checkShape(shape: Shape, value: unknown, what: 'path' | 'query' | 'body') {
  const read = shape.safeParse(value)
  if (read.success) return {values: read.data, problems: []}
  const problems = read.error.issues.map((issue) => ({
    message: messageOf(issue, value, what),
    isMalformed:
      issue.code === 'invalid_type' || issue.code === 'unrecognized_keys' || valueAt(value, issue.path) === undefined,
  }))
  return {values: {}, problems}
}

/** Refuses with CE001 and names each field. Unknown fields, too: to let them pass would hide a client's mistake. */
export function parseShape(shape: Shape, value: unknown, what: 'path' | 'query' | 'body'): Record<string, unknown> {
  const {values, problems} = checkShape(shape, value, what)
  return problems.length === 0 ? values : refuse('CE001', problems.map(({message}) => message).join('; '))
}
