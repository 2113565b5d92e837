import type {Operation} from '../../api/contract/operation.js'
import {operations} from '../../api/contract/operations.js'
import type {Route} from '../../api/http/route/route.js'
import {routeFlags, settledRoute} from '../../cli/session/routes.js'
import type {Resolved} from '../../storage/profile/resolve.js'
import type {RouteRow} from '../../view/tool/setting.js'

/** Every operation's route with where it comes from: flag > environment > profile > built in. Raises a Failure (usage). */
export async function routeRows(resolved: Resolved, flags: readonly string[]): Promise<RouteRow[]> {
  const given = await routeFlags(flags)
  return operations.map((entry: Operation) => {
    const {route, source} = routeWithSource(resolved, given, entry)
    const {method, path, send = null, rename = null} = route
    return {operation: entry.id, method, path, source, send, rename, document: entry.source}
  })
}

/** The route of one operation, and where it comes from. */
export function routeWithSource(
  resolved: Resolved,
  given: ReadonlyMap<string, Route>,
  operation: Operation,
): {readonly route: Route; readonly source: RouteRow['source']} {
  const flag = given.get(operation.id)
  if (flag) return {route: flag, source: 'flag'}
  const builtIn = operation.assumed === undefined ? 'documented' : 'assumed'
  return {route: settledRoute(operation, resolved), source: resolved.route(operation.id)?.source ?? builtIn}
}
