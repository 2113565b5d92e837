import {documentedRoute, type Operation, parametersOf} from '../../api/contract/operation.js'
import {parseRoute, type Route, routeParameters} from '../../api/http/route/route.js'
import {type Failure, withFacts, wrongUsage} from '../../failure.js'
import {type Resolved, routeVariable} from '../../storage/profile/resolve.js'

/** The route from the environment, the profile, or built in. Throws Failure. */
export function settledRoute(operation: Operation, resolved: Resolved): Route {
  const own = resolved.route(operation.id)
  if (!own) return documentedRoute(operation)
  try {
    return parseOwnRoute(operation, own.text)
  } catch (error) {
    const [exit, what, advice] =
      own.source === 'env'
        ? (['usage', routeVariable(operation.id)] as const)
        : ([
            'configuration',
            `the route of ${operation.id} in the profile ${resolved.name}`,
            `roomctl config unset route.${operation.id}`,
          ] as const)
    throw withFacts(error, ({message}) => ({exit, message: `${what} cannot be used: ${message}`, try: advice}))
  }
}

/**
 * Parses and checks a user's route for an operation, `METHOD /path`: the path names each parameter of the documented path once, and
 * otherwise only single, public values of the operation. Throws Failure (usage).
 */
export function parseOwnRoute(operation: Operation, text: string): Route {
  const route = parseRoute(text)
  const named = routeParameters(route.path)
  checkPath(operation, named)
  checkPathValues(operation, named)
  return route
}

function refused(message: string, why: string): Failure {
  return wrongUsage(message, {why})
}

/** The path names every required parameter once, and no others. */
function checkPath(operation: Operation, named: readonly string[]): void {
  const path = `the path for ${operation.id}`
  const names = parametersOf(operation).map(({name}) => name)
  const foreign = named.find((name) => !names.includes(name))
  if (foreign !== undefined)
    throw refused(`${path} names {${foreign}}, which is not one of its parameters`, mayName(operation))
  const lost = routeParameters(operation.route).find((name) => !named.includes(name))
  if (lost !== undefined) throw refused(`${path} does not name {${lost}}`, mayName(operation))
  const double = named.find((name, at) => named.indexOf(name) !== at)
  if (double !== undefined) throw refused(`${path} names {${double}} twice`, 'each value is sent once')
}

/** A path parameter is a single string and not secret. */
function checkPathValues(operation: Operation, named: readonly string[]): void {
  for (const parameter of parametersOf(operation)) {
    const isSecret = operation.secrets?.includes(parameter.name)
    if (!named.includes(parameter.name) || (parameter.isScalar && !isSecret)) continue
    const what = isSecret ? 'a secret' : parameter.place === 'file' ? 'a file' : 'a list or an object'
    const why = isSecret ? 'servers and proxies log paths' : 'a path segment is one string'
    throw refused(`the path for ${operation.id} names {${parameter.name}}, which is ${what}`, why)
  }
}

function mayName(operation: Operation): string {
  const fit = parametersOf(operation).filter(({name, isScalar}) => isScalar && !operation.secrets?.includes(name))
  const needed = routeParameters(operation.route)
  const free = fit.map(({name}) => name).filter((name) => !needed.includes(name))
  const description = [
    ...(needed.length === 0 ? [] : [`it names ${needed.map(braced).join(' and ')}`]),
    ...(free.length === 0 ? [] : [`it may name ${free.map(braced).join(', ')}${needed.length === 0 ? '' : ' too'}`]),
  ]
  return description.length === 0 ? `${operation.id} has no parameters for a path` : description.join(', ')
}

function braced(name: string): string {
  return `{${name}}`
}
