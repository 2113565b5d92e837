import {operations} from '../contract/operations.js'
import type {Resolved} from '../profile/resolve.js'
import type {RouteRow} from '../view/setting.js'
import {routeFlags, settledRoute} from './routes.js'

/** Every operation's route with where it comes from: flag > environment > profile > built in. Raises a Failure (usage). */
export async function routeRows(resolved: Resolved, flags: readonly string[]): Promise<RouteRow[]> {
  const given = await routeFlags(flags)
  return operations.map((entry) => {
    const flag = given.get(entry.id)
    const {method, path} = flag ?? settledRoute(entry, resolved)
    const builtIn = 'assumed' in entry ? 'assumed' : 'documented'
    const source = flag ? 'flag' : (resolved.route(entry.id)?.source ?? builtIn)
    return {operation: entry.id, method, path, source, document: entry.source}
  })
}
