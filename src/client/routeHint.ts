import type {Operation} from '../contract/operation.js'
import type {Route} from '../http/route.js'

/**
 * What a 404 or 405 without a code means: more often a wrong path than a missing room, so it says which setting changes
 * the path (product §9). `called` is the route that was called, where it is known.
 */
export function routeHint(operation: Operation, called: Route | undefined): {why: string; try: string} {
  const own = `${operation.method} ${operation.route}`
  const other = operation.route.startsWith('/media/') ? `${operation.method} ${operation.route.slice(6)}` : own
  const setting = (text: string) =>
    `roomctl config route set ${operation.id} '${text}', with the path that your service has`
  if (called && `${called.method} ${called.path}` !== own) {
    return {
      why: `nothing answers at ${called.method} ${called.path}, the route that is set for ${operation.id}`,
      try: setting(own),
    }
  }
  const why = operation.assumed
    ? `the document does not show this operation's method and path; ${own} is assumed`
    : `nothing answers at the documented ${own} under the service's address`
  return {why, try: setting(other)}
}
