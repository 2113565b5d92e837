import {Readable} from 'node:stream'
import {documentedRoute, type Operation} from '../../api/contract/operation.js'
import {matchRoute, type Route} from '../../api/http/route/route.js'
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

/**
 * The operation of a method and path below a prefix, by its documented or assumed route. Refuses with 404 and 405.
 */
export function findOperation<O extends Operation>(
  request: WireRequest,
  prefix: string,
  operations: readonly O[],
): FoundOperation<O> {
  const {pathname} = request.url
  const fitting = (pathname.startsWith(`${prefix}/`) ? operations : []).flatMap((operation) => {
    const route = documentedRoute(operation)
    const path = matchRoute(route.path, pathname.slice(prefix.length), operation.catchAll)
    return path === undefined ? [] : {operation, route, path}
  })
  // Literal paths come first: `/requests/cancel` fits `/requests/{request_uuid}` too.
  fitting.sort((a, b) => Object.keys(a.path).length - Object.keys(b.path).length)
  const allowed = fitting.map(({route}) => route.method)
  return fitting.find(({route}) => route.method === request.method) ?? refuseRoute(request, allowed)
}

/** The token of `Authorization: Bearer TOKEN`. */
export function bearerToken({headers}: WireRequest): string | undefined {
  return /^Bearer (\S+)$/.exec(headerOf(headers, 'authorization') ?? '')?.[1]
}

export async function readBodyBytes(body: WireRequest['body'] = ''): Promise<Buffer> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.concat(await Readable.from(body).toArray())
}

/** Refuses a body that is not UTF-8 with CE001. */
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
  const values: Record<string, unknown> = Object.fromEntries(query)
  for (const issue of shape.safeParse(values).error?.issues ?? []) {
    const [name] = issue.path
    if (issue.code !== 'invalid_type' || issue.expected !== 'boolean' || typeof name !== 'string') continue
    if (values[name] === 'true' || values[name] === 'false') values[name] = values[name] === 'true'
  }
  return values
}

function expectation(issue: Issue): string {
  const {code, input} = issue
  const kind = input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input
  const got = (shown: string) => (input === undefined ? 'but it is missing' : `got ${shown}`)
  if (code === 'invalid_type') return `expected ${issue.expected}, ${got(kind)}`
  if (code === 'invalid_value') return `expected one of ${issue.values.join(', ')}, ${got(JSON.stringify(input))}`
  return code === 'too_small' ? 'must not be empty' : 'is not acceptable'
}

/** `isMalformed`: missing, unknown, or of another kind, not merely unacceptable. */
function problemOf(issue: Issue, what: string) {
  const {code, input, path} = issue
  if (code === 'unrecognized_keys') {
    return {message: `unknown ${what} field: ${issue.keys.join(', ')}`, isMalformed: true}
  }
  const message = `${path.join('.') || what}: ${expectation(issue)}`
  return {message, isMalformed: code === 'invalid_type' || input === undefined}
}

/** A problem names the field. */
export function checkShape(shape: Shape, value: unknown, what: 'path' | 'query' | 'body') {
  const read = shape.safeParse(value, {reportInput: true})
  if (read.success) return {values: read.data, problems: []}
  return {values: {}, problems: read.error.issues.map((issue) => problemOf(issue, what))}
}

/** Refuses with CE001 and names each field. Unknown fields, too: to let them pass would hide a client's mistake. */
export function parseShape(shape: Shape, value: unknown, what: 'path' | 'query' | 'body'): Record<string, unknown> {
  const {values, problems} = checkShape(shape, value, what)
  return problems.length === 0 ? values : refuse('CE001', problems.map(({message}) => message).join('; '))
}
