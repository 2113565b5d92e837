import type {Diagnosis} from '../../../view/tool/doctor.js'
import type {RouteRow} from '../../../view/tool/setting.js'
import {hint, ok, warn} from './finding.js'

const check = 'routes'

/**
 * The routes that no document shows, of the services that are used, and those that were set. Only a call tells whether an
 * assumed one is right; its failure names the setting (product §9), so this is no finding.
 */
export function checkRoutes(rows: readonly RouteRow[], used: ReadonlySet<string>): Diagnosis[] {
  const assumed = rows.filter(({operation, source}) => source === 'assumed' && used.has(serviceOf(operation)))
  const set = rows.filter(({source}) => source !== 'assumed' && source !== 'documented').map(({operation}) => operation)
  const words = set.length === 0 ? '' : `; set: ${set.join(', ')}`
  const details = {assumed: assumed.map(({operation}) => operation), set}
  if (assumed.length === 0) return [ok(check, `every route is documented or was set${words}`, details)]
  const what = `${assumed.length} routes are assumed, as no document shows them${words}`
  const advice =
    "where one is answered with 404 or 405: roomctl config route set ID 'METHOD /path' (roomctl config route list)"
  return [hint(check, what, advice, details)]
}

/** The service that an operation belongs to: appConfig and the topics of rooms are the room service's. */
function serviceOf(operation: string): string {
  const topic = operation.split('.')[0] ?? ''
  return topic === 'asset' || topic === 'push' ? topic : 'room'
}

/**
 * The document shows the path of a room update with the media prefix, which most addresses carry already (product §9). Whoever
 * has set the route knows which of the two their service has, and is not told again.
 */
export function checkMediaPrefix(base: URL, row: RouteRow | undefined): Diagnosis | undefined {
  const prefix = base.pathname.replace(/\/$/u, '')
  if (row?.source !== 'documented' || prefix === '' || !row.path.startsWith(`${lastPart(prefix)}/`)) return undefined
  const short = row.path.slice(lastPart(prefix).length)
  const what = `room update goes to ${prefix}${row.path}: the document shows the prefix, and the address has it too`
  const advice = `where it is answered with 404: roomctl config route set room.update '${row.method} ${short}'; else set it to '${row.method} ${row.path}', and this is not said again`
  return warn('room update', what, advice, {method: row.method, path: `${prefix}${row.path}`})
}

function lastPart(prefix: string): string {
  return prefix.slice(prefix.lastIndexOf('/'))
}
