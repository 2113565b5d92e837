import {type Route, RouteError} from '../../api/http/route/route.js'
import {parseRoute} from '../../api/http/route/routeText.js'
import {SandboxProblem} from '../world/problem.js'
import {pushOperations, settledRoutes} from './routing.js'

/**
 * Reads routes written as `push.cancel=DELETE /v2/requests`. That each fits its operation is for the caller to check, by the rules
 * that clients have (cli/routes.ts). Throws a SandboxProblem for one of another form or service, and for two that are the same.
 */
export function parseRoutes(texts: readonly string[]): Readonly<Record<string, Route>> {
  const routes = Object.fromEntries(texts.map(parseOne))
  const ids = collision(routes)
  if (ids !== undefined) throw usage(`--route: ${ids.join(' and ')} would have the same route`)
  return routes
}

/** Two operations that no request could tell apart. */
function collision(routes: Readonly<Record<string, Route>>): string[] | undefined {
  const byPlace = new Map<string, string[]>()
  for (const {operation, route} of settledRoutes(routes)) {
    const place = `${route.method} ${route.path.replaceAll(/\{\w+\}/g, '{}')}`
    byPlace.set(place, [...(byPlace.get(place) ?? []), operation.id])
  }
  return [...byPlace.values()].find((ids) => ids.length > 1)
}

function parseOne(text: string): [string, Route] {
  const [, id = '', words = ''] = /^([^=]+)=(.*)$/su.exec(text) ?? []
  const operation = pushOperations.find((entry) => entry.id === id)
  if (operation === undefined) {
    const ids = pushOperations.map((entry) => entry.id).join(', ')
    throw usage(`--route is ID='METHOD /path' with an id of: ${ids}; got ${JSON.stringify(text)}`)
  }
  try {
    return [id, parseRoute(words)]
  } catch (error) {
    if (error instanceof RouteError) throw usage(`--route ${id}: ${error.message}`, error)
    throw error
  }
}

function usage(message: string, cause?: unknown): SandboxProblem {
  return new SandboxProblem(message, undefined, {exit: 'usage', cause})
}
