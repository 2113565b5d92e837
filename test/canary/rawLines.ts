import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {fillRoute, routeParameters} from '../../src/api/http/route/route.js'
import {kinds} from './answers.js'
import type {Line} from './lines.js'

const values: Readonly<Record<string, string>> = {
  roomId: 'r-standup',
  userId: 'ben',
  container: 'games/puzzle',
  uuid: 'a-level1',
  application_id: 'app-1',
  applicationId: 'app-1',
}

/** A raw call of every operation, each answered with an echo and with one more of the kinds. */
export const rawLines: readonly Line[] = operations.map((operation: Operation, at) => {
  const {service, method, route, query, catchAll, body} = operation
  const path = fillRoute(
    route,
    Object.fromEntries(routeParameters(route).map((name) => [name, sampleFor(name)])),
    catchAll,
  )
  const fields = Object.keys(namesOf(query)).filter((name) => !operation.secrets?.includes(name))
  const asked = fields.map((name) => `${name}=${sampleFor(name)}`).join('&')
  const sent = body && method !== 'GET' ? ' -f requester_id=ann' : ''
  return {
    line: `api ${service} ${method} ${path}${asked === '' ? '' : `?${asked}`}${sent}`,
    kinds: ['echo', kinds[at % kinds.length] ?? 'success'],
    formats: ['table'],
    shows: ['room token', 'server key'],
  }
})

function sampleFor(name: string): string {
  return values[name] ?? 'x-1'
}

/** The members of a shape of parameters. */
function namesOf(fields: Operation['query']): Readonly<Record<string, unknown>> {
  return 'shape' in fields.def ? (fields.def.shape as Record<string, unknown>) : {}
}
