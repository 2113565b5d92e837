import {type PlacedParameter, placeParameters} from '../../api/client/request/requestParts.js'
import type {Operation} from '../../api/contract/operation.js'
import {routeFlags} from '../../cli/session/routes.js'
import type {Session} from '../../cli/session/session.js'
import type {RouteTrial} from '../../view/tool/setting.js'
import {routeWithSource} from './routesRouteRows.js'

/** Where an operation would be sent, with its parameters in braces; sends nothing. Raises a Failure. */
export async function tryRoute(session: Session, operation: Operation, flags: readonly string[]): Promise<RouteTrial> {
  const {base} = await session.api.access(operation.service)
  const {route, source} = routeWithSource(session.resolved, await routeFlags(flags), operation)
  const placed = placeParameters(operation, route)
  const query = Object.entries(fieldsAt(placed, 'query') ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${value}`,
  )
  return {
    operation: operation.id,
    method: route.method,
    url: `${base.href.replace(/\/$/u, '')}${route.path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    source,
    headers: fieldsAt(placed, 'header'),
    body: fieldsAt(placed, 'body'),
    form: fieldsAt(placed, 'form'),
  }
}

function fieldsAt(
  placed: readonly PlacedParameter[],
  wanted: PlacedParameter['place'],
): Readonly<Record<string, string>> | null {
  const fields = placed.filter(({place}) => place === wanted)
  return fields.length === 0
    ? null
    : Object.fromEntries(fields.map(({sentAs, parameter}) => [sentAs, `{${parameter.name}}`]))
}
