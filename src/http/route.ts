/** A method and a path with its parameters in braces, as `GET /v1/rooms/{roomId}`. */
export interface Route {
  readonly method: string
  readonly path: string
}

/** A route or a value for it that cannot be used. The message is a full sentence. */
export class RouteError extends Error {
  override readonly name = 'RouteError'
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const PARAMETER = /\{([A-Za-z][A-Za-z0-9_]*)\}/g

/**
 * Fills a path's parameters, each value percent-encoded whole; that of `deep` is a path, whose slashes stay. Raises
 * `RouteError` for a value, or a segment of one, that is missing, empty, `.` or `..` (which would climb, however they are
 * encoded), or that holds control characters. Values without a parameter are not used.
 */
export function fillRoute(template: string, values: Readonly<Record<string, string>>, deep?: string): string {
  return template.replace(PARAMETER, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new RouteError(`the path ${template} needs a value for ${name}`)
    const segments = name === deep ? value.split('/') : [value]
    return segments.map((segment) => encodeSegment(name, segment)).join('/')
  })
}

/** The names of a path's parameters, in their order. */
export function routeParameters(template: string): string[] {
  return [...template.matchAll(PARAMETER)].map(([, name = '']) => name)
}

/** Reads `METHOD /path`. Raises `RouteError` for a method or a path that cannot be used. */
export function parseRoute(text: string): Route {
  const [, method = '', path = ''] = /^(\S+) +(\S+)$/.exec(text.trim()) ?? []
  if (path === '') throw new RouteError('a route is a method and a path, for example "GET /v1/rooms/{roomId}"')
  if (!METHODS.has(method.toUpperCase())) {
    throw new RouteError(`a route begins with a method, one of ${[...METHODS].join(', ')}`)
  }
  const problem = pathProblem(path)
  if (problem) throw new RouteError(`the path of a route ${problem}`)
  return {method: method.toUpperCase(), path}
}

/**
 * The decoded values of a path that fits a template, or undefined. The value of `deep` may have several segments. A slash at
 * the end counts: `/{container}/` and `/{container}` are two routes.
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

function encodeSegment(name: string, value: string): string {
  if (value === '') throw new RouteError(`the value of ${name} must not be empty`)
  if (value === '.' || value === '..') throw new RouteError(`the value of ${name} must not be "${value}"`)
  if (/\p{Cc}/u.test(value)) throw new RouteError(`the value of ${name} must not hold control characters`)
  if (/\p{Cs}/u.test(value)) throw new RouteError(`the value of ${name} is not valid Unicode text`)
  return encodeURIComponent(value)
}

function pathProblem(path: string): string | undefined {
  if (!path.startsWith('/') || path.startsWith('//')) return 'begins with exactly one "/"'
  if (/[?#]/.test(path)) return 'holds no "?" and no "#"'
  const literal = path.replace(PARAMETER, '')
  if (!/^(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/.test(literal)) return 'holds a character that a path cannot have'
  const segments = path.split('/')
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return 'holds no "." and no ".." between slashes'
  if (segments.some((segment) => routeParameters(segment).length > 1))
    return 'has at most one parameter between two slashes'
  return undefined
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&')
}
