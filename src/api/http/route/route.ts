import {wrongUsage} from '../../../failure.js'

/** A method and a path with its parameters in braces, as `GET /v1/rooms/{roomId}`. */
export interface Route {
  readonly method: string
  readonly path: string
}

const PARAMETER = /\{([A-Za-z][A-Za-z0-9_]*)\}/g

/**
 * Fills a path's parameters, each value percent-encoded; that of `catchAll` is a path, whose slashes stay. Throws Failure (usage) for a
 * value or segment that is missing, empty, `.` or `..` (which would climb, however encoded), or has control characters.
 */
export function fillRoute(template: string, values: Readonly<Record<string, string>>, catchAll?: string): string {
  return template.replace(PARAMETER, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw wrongUsage(`the path ${template} needs a value for ${name}`)
    const segments = name === catchAll ? value.split('/') : [value]
    return segments.map((segment) => encodeSegment(name, segment)).join('/')
  })
}

export function routeParameters(template: string): string[] {
  return [...template.matchAll(PARAMETER)].map(([, name = '']) => name)
}

/**
 * The decoded values of a path that fits a template, or undefined. The value of `catchAll` may have several segments. `/{container}/`
 * and `/{container}` are two routes.
 */
export function matchRoute(template: string, pathname: string, catchAll?: string): Record<string, string> | undefined {
  const parts = template.split(PARAMETER)
  const pattern = parts.map((part, n) =>
    n % 2 === 0 ? escapePattern(part) : part === catchAll ? '([^/]+(?:/[^/]+)*)' : '([^/]+)',
  )
  const match = new RegExp(`^${pattern.join('')}$`).exec(pathname)
  if (!match) return undefined
  try {
    return Object.fromEntries(match.slice(1).map((value, n) => [parts[2 * n + 1], decodeURIComponent(value)]))
  } catch {
    return undefined
  }
}

function encodeSegment(name: string, value: string): string {
  const problem = valueProblem(value)
  if (problem === undefined) return encodeURIComponent(value)
  throw wrongUsage(`the value of ${name} ${problem}`, {
    why: 'an id is part of the request path, so it cannot be empty, "." or "..", or contain control characters',
  })
}

function valueProblem(value: string): string | undefined {
  if (value === '') return 'must not be empty'
  if (value === '.' || value === '..') return `must not be "${value}"`
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters'
  return /\p{Cs}/u.test(value) ? 'is not valid Unicode text' : undefined
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&')
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Reads a route, `METHOD /path`. The caller checks its parameters. Throws Failure (usage). */
export function parseRoute(text: string): Route {
  const [, member] = /^\s*\{.*?"(send|rename)"\s*:/su.exec(text) ?? []
  if (member) throw wrongUsage(`a route is only a method and a path, and "${member}" was removed`)
  const [, word = '', path = ''] = /^(\S+) +(\S+)$/.exec(text.trim()) ?? []
  if (path === '') throw wrongUsage('a route is a method and a path, for example "GET /v1/rooms/{roomId}"')
  const method = methods.find((known) => known === word.toUpperCase())
  if (!method) throw wrongUsage(`a route begins with a method, one of ${methods.join(', ')}`)
  if (!isPath(path)) {
    const why = 'it begins with one "/", has no "?", "#", "." or "..", and at most one parameter between two slashes'
    throw wrongUsage(`the path ${path} cannot be the path of a route`, {why})
  }
  return {method, path}
}

export function routeText({method, path}: Route): string {
  return `${method} ${path}`
}

function isPath(path: string): boolean {
  const literal = path.replace(PARAMETER, '')
  const segments = path.split('/')
  return (
    /^\/(?!\/)/.test(path) &&
    /^(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/.test(literal) &&
    !segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment) || routeParameters(segment).length > 1)
  )
}
