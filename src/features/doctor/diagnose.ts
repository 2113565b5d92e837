import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import type {Diagnosis} from '../../view/tool/doctor.js'
import type {RouteRow} from '../../view/tool/setting.js'
import {routeRows} from '../config/routesRouteRows.js'
import {trustedHere} from './checks/authorities.js'
import {fail, warn} from './checks/finding.js'
import {checkMediaPrefix, checkRoutes} from './checks/routes.js'
import {checkService} from './checks/service.js'

const services = ['room', 'asset', 'push'] as const

/** What only the command line gives. */
interface Wanted {
  /** `--route` texts. */
  readonly routes: readonly string[]
  /** The container to ask the asset service about. */
  readonly container: string | undefined
}

/** Checks the routes and the services of the profile, all services at once. Only reads are sent. Raises a Failure (interrupted). */
export async function checkServices(session: Session, {routes, container}: Wanted): Promise<Diagnosis[]> {
  const {resolved, runtime} = session
  const used = resolved.isSandbox
    ? services
    : services.filter((service) => resolved.values[`${service}.url`] !== undefined)
  if (used.length === 0) return [nothingSetUp(session)]
  const {rows, found} = await routesOf(session, routes, new Set(used))
  const trusted = await trustedHere(resolved.isSandbox ? undefined : resolved.values.caFile, runtime.env)
  const bound = {ms: resolved.values.timeout, signal: runtime.signal}
  const each = await Promise.all(services.map((one) => checkService(one, {session, trusted, bound, container})))
  return [...found, ...prefixOf(session, rows), ...trusted.found, ...each.flat()]
}

function nothingSetUp({resolved}: Session): Diagnosis {
  const what = resolved.exists
    ? `profile ${resolved.name} has no address of a service`
    : `there is no profile ${resolved.name}`
  return warn(
    'services',
    `${what}, and no variable gives one`,
    'roomctl config init, or add -p sandbox to try the tool',
  )
}

async function routesOf(session: Session, texts: readonly string[], used: ReadonlySet<string>) {
  try {
    const rows = await routeRows(session.resolved, texts)
    return {rows, found: checkRoutes(rows, used)}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {message, why, try: advice} = error.facts
    const what = why === undefined ? message : `${message} (${why})`
    return {rows: [], found: [fail('routes', what, advice ?? 'roomctl config route list shows every id')]}
  }
}

function prefixOf({resolved}: Session, rows: readonly RouteRow[]): Diagnosis[] {
  const text = resolved.values['room.url']
  if (resolved.isSandbox || text === undefined || !URL.canParse(text)) return []
  const found = checkMediaPrefix(
    new URL(text),
    rows.find(({operation}) => operation === 'room.update'),
  )
  return found ? [found] : []
}
