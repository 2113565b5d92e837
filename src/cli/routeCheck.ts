import {Failure} from '../contract/failure.js'
import type {Operation} from '../contract/operation.js'
import {operationById, operations} from '../contract/operations.js'
import {parseRoute, type Route, routeParameters} from '../http/route.js'
import {closest} from './usage.js'

/** The operation of that id. Raises a Failure (usage) with the nearest. */
export function knownOperation(id: string): Operation {
  const found = operationById(id)
  if (found) return found
  const guess = closest(
    id,
    operations.map((operation) => operation.id),
  )
  throw new Failure({
    exit: 'usage',
    message: `there is no operation ${id}`,
    try: guess === undefined ? 'roomctl config route list shows every id' : `did you mean ${guess}?`,
  })
}

/**
 * A route for an operation: of the right form, naming no parameter that the operation does not have, and all that it has.
 * Raises a Failure (usage) or a RouteError.
 */
export function checkRouteFor(id: string, text: string): Route {
  const route = parseRoute(text)
  const needed = routeParameters(knownOperation(id).route)
  const named = routeParameters(route.path)
  const foreign = named.find((name) => !needed.includes(name))
  const lost = needed.find((name) => !named.includes(name))
  if (foreign === undefined && lost === undefined) return route
  throw new Failure({
    exit: 'usage',
    message: foreign === undefined ? `the path does not name {${lost}}` : `${id} has no parameter {${foreign}}`,
    why:
      needed.length === 0
        ? `${id} has no parameters`
        : `${id} takes ${needed.map((name) => `{${name}}`).join(' and ')}`,
  })
}
