import {documentedRoute, type Operation, parametersOf} from '../../api/contract/operation.js'
import {parseRoute, type Route, routeParameters} from '../../api/http/route/route.js'
import {withFacts, wrongUsage} from '../../failure.js'
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
            {command: ['config unset', `route.${operation.id}`]} as const,
          ] as const)
    throw withFacts(error, ({message}) => ({exit, message: `${what} cannot be used: ${message}`, try: advice}))
  }
}

/**
 * Parses and checks a user's route for an operation, `METHOD /path`: the path names each parameter of the documented path once, and
 * otherwise only single, public values of the operation, as servers and proxies log paths. Throws Failure (usage).
 */
export function parseOwnRoute(operation: Operation, text: string): Route {
  const route = parseRoute(text)
  const named = routeParameters(route.path)
  const mayName = parametersOf(operation)
    .filter(({name, isScalar}) => isScalar && !operation.secrets?.includes(name))
    .map(({name}) => name)
  const lost = routeParameters(operation.route).find((name) => !named.includes(name))
  const wrong = named.find((name, at) => !mayName.includes(name) || named.indexOf(name) !== at)
  if (lost === undefined && wrong === undefined) return route
  const problem = wrong === undefined ? `does not name {${lost}}` : `cannot name {${wrong}} here`
  const braced = mayName.map((name) => `{${name}}`).join(', ')
  throw wrongUsage(`the path for ${operation.id} ${problem}`, {
    why: braced === '' ? 'it has no parameters for a path' : `it may name ${braced}, each once`,
  })
}
