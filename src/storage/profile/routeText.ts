/** A route as a profile keeps it: `METHOD /path`, or an object that also says where its parameters go (product §1). */
export type StoredRoute = string | Readonly<Record<string, unknown>>

/** The members of the object, and what each must be. */
const forms = new Map<string, (value: unknown) => boolean>([
  ['method', (value) => typeof value === 'string' && /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(value)],
  ['path', (value) => typeof value === 'string' && isPath(value)],
  ['send', (value) => isTextsOf(value, /^(?:query|body|form|header)$/)],
  ['rename', (value) => isTextsOf(value, /^[\w.[\]-]+$/)],
])

/**
 * The text of a route, as `config route set` takes it; undefined where it has not the form of one: a path from one slash,
 * without query, fragment, scheme and climbing segments. Whether its parameters fit the operation is for the caller to check.
 */
export function routeTextOf(route: StoredRoute): string | undefined {
  if (typeof route === 'string') return storedRoute(route) === undefined ? undefined : route
  return isRoute(route) ? JSON.stringify(route) : undefined
}

/** A route as the profile keeps it, from its text; undefined where that has not the form of one. */
export function storedRoute(text: string): StoredRoute | undefined {
  if (text.startsWith('{')) return fromJson(text)
  const [, method, path] = /^(\S+) (\S+)$/.exec(text) ?? []
  return isRoute({method, path}) ? text : undefined
}

/** The form of a route in words, to follow "must be". */
export const routeForm =
  "a method and a path, like 'POST /v1/rooms/{roomId}/end', or a JSON object of method, path, send and rename"

function fromJson(text: string): StoredRoute | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRoute(value) ? value : undefined
  } catch {
    // The message of a JSON error would quote the text.
    return undefined
  }
}

function isRoute(value: unknown): value is Readonly<Record<string, unknown>> {
  const entries = Object.entries(value ?? {})
  const isNeeded = (name: string) => entries.some(([own]) => own === name)
  return isNeeded('method') && isNeeded('path') && entries.every(([name, member]) => forms.get(name)?.(member) === true)
}

function isPath(text: string): boolean {
  if (!/^\/(?!\/)[^\s\p{Cc}\\?#]*$/u.test(text)) return false
  return !text.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
}

function isTextsOf(value: unknown, form: RegExp): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((text) => typeof text === 'string' && form.test(text))
}
