/** Where a parameter can be sent. `form`: a field of a form, with or without files. */
export const sendPlaces = ['query', 'body', 'form', 'header'] as const
export type SendPlace = (typeof sendPlaces)[number]

/** A method and a path with its parameters in braces, as `GET /v1/rooms/{roomId}`. */
export interface Route {
  readonly method: string
  readonly path: string
  /** The parameters that are sent elsewhere than the document has them. */
  readonly send?: Readonly<Record<string, SendPlace>>
  /** The parameters that are sent under another name. One that stands in the path has none there. */
  readonly rename?: Readonly<Record<string, string>>
}

/** A route or a value for it that cannot be used. The message is a full sentence. */
export class RouteError extends Error {
  override readonly name = 'RouteError'
}

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

/** What most ids are made of: nothing in them is to be encoded, or could climb. */
const PLAIN = /^[A-Za-z0-9_-]+$/

function encodeSegment(name: string, value: string): string {
  if (PLAIN.test(value)) return value
  if (value === '') throw new RouteError(`the value of ${name} must not be empty`)
  if (value === '.' || value === '..') throw new RouteError(`the value of ${name} must not be "${value}"`)
  if (/\p{Cc}/u.test(value)) throw new RouteError(`the value of ${name} must not hold control characters`)
  if (/\p{Cs}/u.test(value)) throw new RouteError(`the value of ${name} is not valid Unicode text`)
  return encodeURIComponent(value)
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&')
}
