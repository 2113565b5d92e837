import {type Parameter, parametersOf} from '../../contract/parameters.js'
import {type Route, RouteError, routeParameters} from '../../http/route.js'
import {parseRoute} from '../../http/routeText.js'
import {SandboxProblem} from '../problem.js'
import {type PushOperation, pushOperations, settledRoutes} from './routing.js'

/** Reads routes written as `push.cancel=DELETE /v2/requests`. Throws a SandboxProblem for one that cannot be answered at. */
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
    const route = parseRoute(words)
    const problem = problemOf(operation, route)
    if (problem !== undefined) throw new RouteError(problem)
    return [id, route]
  } catch (error) {
    if (error instanceof RouteError) throw usage(`--route ${id}: ${error.message}`, error)
    throw error
  }
}

/** Why a route does not fit its operation; undefined where it does. */
function problemOf(operation: PushOperation, {path, send = {}, rename = {}}: Route): string | undefined {
  const parameters = parametersOf(operation)
  const find = (name: string) => parameters.find((parameter) => parameter.name === name)
  const inPath = routeParameters(path)
  const stranger = [...inPath, ...Object.keys(send), ...Object.keys(rename)].find((name) => find(name) === undefined)
  if (stranger !== undefined) return `${operation.id} has no parameter ${stranger}`
  const unfit = inPath.find((name) => find(name)?.isScalar === false)
  if (unfit !== undefined) return `${unfit} is a list, an object or a file and cannot stand in a path`
  const inBody = ({name, place}: Parameter) =>
    !inPath.includes(name) && (send[name] ?? (place === 'body' ? 'body' : undefined)) === 'body'
  const hasForm = operation.files !== undefined || Object.values(send).includes('form')
  const left = hasForm ? parameters.find(inBody) : undefined
  return left && `${left.name} stays in a JSON body, but the request has a form`
}

function usage(message: string, cause?: unknown): SandboxProblem {
  return new SandboxProblem(message, undefined, {exit: 'usage', cause})
}
