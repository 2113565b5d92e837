import type {Operation} from '../contract/operation.js'
import type {Route} from '../http/route.js'

interface Hint {
  readonly why: string
  readonly try: string
}

/**
 * What a 404 or 405 without a code means: more often a wrong path than a missing room, so it says which setting changes
 * the path (product §9). `called` is the route that was called, where it is known.
 */
export function routeHint(operation: Operation, called: Route | undefined): Hint {
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

/**
 * What a 404 or 405 of a service without codes may mean beside that a thing is not there (asset, Errors): a wrong path. A
 * service that says something, or that it does not take the method, was reached, unless its route was changed.
 */
export function placeHint(operation: Operation, called: Route | undefined, wasReached: boolean): Partial<Hint> {
  const own = `${operation.method} ${operation.route}`
  if (called && `${called.method} ${called.path}` !== own) return routeHint(operation, called)
  if (wasReached) return {}
  return {
    why: `it is not there, or nothing answers at ${own} under the service's address`,
    try: `check the path; if it is right, roomctl config route set ${operation.id} '${own}', with the path that your service has`,
  }
}
