import {type Operation, services} from '../../api/contract/operation.js'
import {operations} from '../../api/contract/operations.js'
import type {Route} from '../../api/http/route/route.js'
import {routeFlags, settledRoute} from '../../cli/session/routes.js'
import type {Resolved} from '../../storage/profile/resolve.js'
import type {RouteRow, SettingRow} from '../../view/tool/settings.js'

/** Every setting of a run with its source, and the tokens as where they are kept, never themselves. */
export function settingRows(resolved: Resolved): SettingRow[] {
  const settings = resolved
    .list()
    .map(({key, value, source, env}) => ({key, value: value ?? null, source, env: env ?? null}))
  return [...settings, ...services.map((service) => tokenRow(resolved, service))]
}

function tokenRow(resolved: Resolved, service: (typeof services)[number]): SettingRow {
  const env = `ROOMCTL_${service.toUpperCase()}_TOKEN`
  const key = `${service}.token`
  if (resolved.isSandbox) return {key, value: 'built in', source: 'default', env}
  if (resolved.envToken(service) !== undefined) return {key, value: 'set', source: 'env', env}
  const stored = resolved.credential(service)
  if (stored === undefined) return {key, value: null, source: 'default', env}
  return {
    key,
    value: `in the ${stored.store === 'file' ? 'profile' : stored.store}, for ${stored.origin}`,
    source: 'profile',
    env,
  }
}

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
