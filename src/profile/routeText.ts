/**
 * Whether a text has the form of a route, `METHOD /path`: a path from one slash, without query, fragment, scheme and
 * climbing segments (product §1, `config route`). Whether its parameters fit the operation is for the caller to check.
 */
export function isRouteText(text: string): boolean {
  const [, path] = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\/[^\s\p{Cc}\\?#]*)$/u.exec(text) ?? []
  if (path === undefined || path.startsWith('//')) return false
  return !path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
}

/** The form of a route in words, to follow "must be". */
export const routeForm = "a method and a path, like 'POST /v1/rooms/{roomId}/end'"
