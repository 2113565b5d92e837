import type {Operation} from '../../api/contract/operation.js'
import {type AnyOperation, operations} from '../../api/contract/operations.js'
import {matchRoute, type Route, routeParameters} from '../../api/http/route/route.js'

/** The first segment of the paths of the push service. */
export const pushPrefix = '/push'

export type PushOperationId = Extract<AnyOperation, {readonly service: 'push'}>['id']

/** An operation of the push service, as the router needs it. */
export type PushOperation = Operation & {readonly id: PushOperationId}

/** An operation that was found by its route, with the values in the path. */
export interface PushFound {
  readonly operation: PushOperation
  readonly route: Route
  readonly path: Readonly<Record<string, string>>
}

/** What a method and a path lead to: an operation, or the methods that the path has. */
type PushTarget = PushFound | {readonly allowed: readonly string[]}

export const pushOperations: readonly PushOperation[] = operations.filter(
  (entry): entry is Extract<AnyOperation, {service: 'push'}> => entry.service === 'push',
)

/** Finds the operation of a request by the routes that were chosen, else by those of the contract. */
export function findPushTarget(method: string, pathname: string, routes: Readonly<Record<string, Route>>): PushTarget {
  const rest = pathname.slice(pushPrefix.length)
  const allowed: string[] = []
  for (const {operation, route} of settledRoutes(routes)) {
    const path = matchRoute(route.path, rest)
    if (path === undefined) continue
    if (route.method === method) return {operation, route, path}
    allowed.push(route.method)
  }
  return {allowed}
}

/** Every operation with its route. Literal paths come first: `/requests/cancel` fits `/requests/{request_uuid}` too. */
export function settledRoutes(routes: Readonly<Record<string, Route>>) {
  const all = pushOperations.map((operation) => ({
    operation,
    route: routes[operation.id] ?? {method: operation.method, path: operation.route},
  }))
  return all.sort((a, b) => routeParameters(a.route.path).length - routeParameters(b.route.path).length)
}
