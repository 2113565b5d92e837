import type {Operation} from '../../contract/operation.js'
import {parametersOf} from '../../contract/operation.js'
import type {Route} from '../../http/route/route.js'
import {routeText} from '../../http/route/route.js'

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
  const set = routeSet(operation, called)
  if (set) return {why: nothingAt(operation, set), try: setting(operation, offered(operation, set))}
  const other = operation.route.startsWith('/media/') ? `${operation.method} ${operation.route.slice(6)}` : own
  const why = operation.assumed
    ? `the document does not show this operation's method and path; ${own} is assumed`
    : `nothing answers at the documented ${own} under the service's address`
  return {why, try: setting(operation, other)}
}

/**
 * What a 404 or 405 of a service without codes may mean beside that a thing is not there (asset, Errors): a wrong path. A
 * service that says something, or that it does not take the method, was reached, unless its route was changed or is only
 * assumed: then anything may have answered.
 */
export function placeHint(
  operation: Operation,
  called: Route | undefined,
  {status, message}: {readonly status: number; readonly message?: string | undefined},
): Partial<Hint> {
  if (operation.assumed !== undefined) return assumedHint(operation, called, status)
  if (routeSet(operation, called)) return routeHint(operation, called)
  if (status === 405 || message !== undefined) return {}
  const own = `${operation.method} ${operation.route}`
  return {
    why: `it does not exist, or nothing answers at ${own} under the service's address`,
    try: `check the path; if it is right, ${setting(operation, own)}`,
  }
}

/** Nobody but the service knows whether the path is wrong or what the request names is not there, so both are said. */
function assumedHint(operation: Operation, called: Route | undefined, status: number): Hint {
  const {why, try: advice} = routeHint(operation, called)
  const namesApplication = parametersOf(operation).some(({name}) => name === 'application_id')
  if (status === 405 || !namesApplication) return {why, try: advice}
  return {
    why: `${why}${routeSet(operation, called) ? ',' : '; either that is wrong,'} or the service does not know the application`,
    try: `check the application id; if it is right, ${advice}`,
  }
}

/** The route that was called, where it is not the operation's own. */
function routeSet({method, route}: Operation, called: Route | undefined): Route | undefined {
  return called && routeText(called) !== `${method} ${route}` ? called : undefined
}

function nothingAt({id}: Operation, {method, path}: Route): string {
  return `nothing answers at ${method} ${path}, the route set for ${id}`
}

/** The built-in route, or the one that is set where it says more than a path: it would be lost. */
function offered({method, route}: Operation, set: Route): string {
  return set.send || set.rename ? routeText(set) : `${method} ${route}`
}

function setting({id}: Operation, text: string): string {
  return `roomctl config route set ${id} '${text.replaceAll("'", "'\\''")}', with the path your service uses`
}
