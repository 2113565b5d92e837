/** Where a parameter can be sent. `form`: a field of a form, with or without files. */
const sendPlaces = ['query', 'body', 'form', 'header'] as const
export type SendPlace = (typeof sendPlaces)[number]

/** A method and a path with its parameters in braces, as `GET /v1/rooms/{roomId}`. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly send?: Readonly<Record<string, SendPlace>>
  /** The parameters that are sent under another name. One in the path has none there. */
  readonly rename?: Readonly<Record<string, string>>
}

/** A route or a value for it that cannot be used. The message is a full sentence. */
export class RouteError extends Error {
  override readonly name = 'RouteError'
}

const PARAMETER = /\{([A-Za-z][A-Za-z0-9_]*)\}/g

/**
 * Fills a path's parameters, each value percent-encoded; that of `deep` is a path, whose slashes stay. Raises `RouteError` for a
 * value or segment that is missing, empty, `.` or `..` (which would climb, however encoded), or has control characters.
 */
export function fillRoute(template: string, values: Readonly<Record<string, string>>, deep?: string): string {
  return template.replace(PARAMETER, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new RouteError(`the path ${template} needs a value for ${name}`)
    const segments = name === deep ? value.split('/') : [value]
    return segments.map((segment) => encodeSegment(name, segment)).join('/')
  })
}

export function routeParameters(template: string): string[] {
  return [...template.matchAll(PARAMETER)].map(([, name = '']) => name)
}

/**
 * The decoded values of a path that fits a template, or undefined. The value of `deep` may have several segments. `/{container}/`
 * and `/{container}` are two routes.
 */
export function matchRoute(template: string, pathname: string, deep?: string): Record<string, string> | undefined {
  const [first = '', ...literals] = template.replace(PARAMETER, '{}').split('{}').map(escapePattern)
  const value = (name: string) => (name === deep ? '([^/]+(?:/[^/]+)*)' : '([^/]+)')
  const pattern = routeParameters(template).reduce(
    (text, name, n) => `${text}${value(name)}${literals[n] ?? ''}`,
    first,
  )
  const found = new RegExp(`^${pattern}$`).exec(pathname)
  if (!found) return undefined
  try {
    return Object.fromEntries(
      routeParameters(template).map((name, n) => [name, decodeURIComponent(found[n + 1] ?? '')]),
    )
  } catch {
    return undefined
  }
}

/** Most ids: nothing in them needs encoding or could climb. */
const PLAIN = /^[A-Za-z0-9_-]+$/

function encodeSegment(name: string, value: string): string {
  if (PLAIN.test(value)) return value
  if (value === '') throw new RouteError(`the value of ${name} must not be empty`)
  if (value === '.' || value === '..') throw new RouteError(`the value of ${name} must not be "${value}"`)
  if (/\p{Cc}/u.test(value)) throw new RouteError(`the value of ${name} must not contain control characters`)
  if (/\p{Cs}/u.test(value)) throw new RouteError(`the value of ${name} is not valid Unicode text`)
  return encodeURIComponent(value)
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&')
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const members = new Set(['method', 'path', 'send', 'rename'])

/**
 * Reads a route: `METHOD /path`, or a JSON object with `method`, `path`, `send` and `rename`. Whether its parameters are those of an
 * operation is for the caller to check. Raises `RouteError`.
 */
export function parseRoute(text: string): Route {
  const written = text.trim()
  if (written.startsWith('{')) return objectRoute(written)
  const [, method = '', path = ''] = /^(\S+) +(\S+)$/.exec(written) ?? []
  if (path === '') throw new RouteError('a route is a method and a path, for example "GET /v1/rooms/{roomId}"')
  return {method: methodOf(method), path: pathOf(path)}
}

export function routeText(route: Route): string {
  return route.send || route.rename ? JSON.stringify(route) : `${route.method} ${route.path}`
}

function objectRoute(text: string): Route {
  const object = jsonOf(text)
  const route = routeOf(object)
  const {send, rename} = object
  const kept = [object, send ?? {}, rename ?? {}].flatMap(Object.keys)
  // Of two members with one name JSON.parse keeps the last, so they are counted in the text.
  const written = text.match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? []
  if (written.length === kept.length) return route
  throw new RouteError('a route member is given twice')
}

function routeOf(object: Readonly<Record<string, unknown>>): Route {
  const stranger = Object.keys(object).find((name) => !members.has(name))
  if (stranger !== undefined) {
    throw new RouteError(`a route has no member "${stranger}"; its members are ${[...members].join(', ')}`)
  }
  const {method, path} = object
  if (typeof method !== 'string' || typeof path !== 'string') {
    throw new RouteError('a route as an object has a "method" and a "path", each a text')
  }
  const send = placesOf(object.send)
  const rename = namesOf(object.rename)
  return {method: methodOf(method), path: pathOf(path), ...(send ? {send} : {}), ...(rename ? {rename} : {})}
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new RouteError('a route that begins with { must be a JSON object')
  }
  return value as Readonly<Record<string, unknown>>
}

function placesOf(value: unknown): Readonly<Record<string, SendPlace>> | undefined {
  const entries = entriesOf('send', value)
  const places = entries.map(([name, word]) => {
    const place = sendPlaces.find((known) => known === word)
    if (place) return [name, place] as const
    throw new RouteError(`"send" has an unknown place for ${name}; use one of ${sendPlaces.join(', ')}`)
  })
  return places.length === 0 ? undefined : Object.fromEntries(places)
}

function namesOf(value: unknown): Readonly<Record<string, string>> | undefined {
  const entries = entriesOf('rename', value)
  const names = entries.map(([name, other]) => {
    if (typeof other === 'string' && isName(other)) return [name, other] as const
    throw new RouteError(`"rename" may use only letters, digits, ".", "_", "-", "[" and "]" for ${name}`)
  })
  return names.length === 0 ? undefined : Object.fromEntries(names)
}

function isName(text: string): boolean {
  return /^[\w.[\]-]{1,100}$/.test(text) && text !== '__proto__'
}

function entriesOf(member: string, value: unknown): [string, unknown][] {
  if (value === undefined) return []
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value)
  throw new RouteError(`"${member}" of a route is an object with a member for each parameter`)
}

function methodOf(text: string): string {
  const method = methods.find((known) => known === text.toUpperCase())
  if (method) return method
  throw new RouteError(`a route begins with a method, one of ${methods.join(', ')}`)
}

function pathOf(path: string): string {
  const problem = pathProblem(path)
  if (problem) throw new RouteError(`the path of a route ${problem}`)
  return path
}

function pathProblem(path: string): string | undefined {
  if (!path.startsWith('/') || path.startsWith('//')) return 'begins with exactly one "/"'
  if (/[?#]/.test(path)) return 'contains no "?" or "#"'
  const literal = path.replace(/\{[A-Za-z][A-Za-z0-9_]*\}/g, '')
  if (!/^(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/.test(literal))
    return 'contains a character not allowed in a path'
  const segments = path.split('/')
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return 'contains no "." or ".." segment'
  if (segments.some((segment) => routeParameters(segment).length > 1)) return 'has at most one parameter per segment'
  return undefined
}
