import {type PlacedParameter, placeParameters} from '../../api/client/request/requestParts.js'
import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import {operationById, operations} from '../../api/contract/operations.js'
import {routeText} from '../../api/http/route/route.js'
import {routeFlags} from '../../cli/session/routes.js'
import {parseOwnRoute} from '../../cli/session/routeValidation.js'
import type {Session} from '../../cli/session/session.js'
import {setRoute, unsetRoute} from '../../storage/profile/edit.js'
import {nearest} from '../../text/nearest.js'
import type {RouteTrial} from '../../view/tool/settings.js'
import {editableProfile, editProfileFile} from './profiles.js'
import {routeWithSource} from './rows.js'

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

/** Sets the route of an operation, `METHOD /path` or JSON, in the profile. Raises a RouteError or a Failure (usage). */
export async function setProfileRoute(session: Session, id: string, text: string) {
  const route = parseOwnRoute(knownOperation(id), text)
  const profile = editableProfile(session)
  await editProfileFile(session, (file) => setRoute(file, profile, id, routeText(route)))
  const {method, path, send = null, rename = null} = route
  return {profile, operation: id, method, path, send, rename}
}

/** Goes back to the built-in route of an operation. Raises a Failure (usage). */
export async function unsetProfileRoute(session: Session, id: string) {
  const {method, route: path} = knownOperation(id)
  const profile = editableProfile(session)
  await editProfileFile(session, (file) => unsetRoute(file, profile, id))
  return {profile, operation: id, method, path, send: null, rename: null}
}

/** The operation of that id. Raises a Failure (usage) with the nearest. */
export function knownOperation(id: string): Operation {
  const found = operationById(id)
  if (found) return found
  const guess = nearest(
    id,
    operations.map((operation) => operation.id),
  )
  throw new Failure({
    exit: 'usage',
    message: `there is no operation ${id}`,
    try: guess === undefined ? 'roomctl config route list shows every id' : `did you mean ${guess}?`,
  })
}
