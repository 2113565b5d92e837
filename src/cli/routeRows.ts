import {operations} from '../contract/operations.js'
import {parseRoute} from '../http/route.js'
import type {Resolved} from '../profile/resolve.js'
import type {RouteRow} from '../view/setting.js'

/** Every operation's route with where it comes from: flag > environment > profile > built in. */
export function routeRows(resolved: Resolved, flags: readonly string[]): RouteRow[] {
  const given = new Map(flags.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]))
  return operations.map((entry) => {
    const flag = given.get(entry.id)
    const own = flag === undefined ? resolved.route(entry.id) : {text: flag, source: 'flag' as const}
    const {method, path} = own ? parseRoute(own.text) : {method: entry.method, path: entry.route}
    const builtIn = 'assumed' in entry ? 'assumed' : 'documented'
    return {operation: entry.id, method, path, source: own?.source ?? builtIn, document: entry.source}
  })
}
