import {type PlacedParameter, placeParameters} from '../../api/client/request/requestParts.js'
import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import {operationById, operations} from '../../api/contract/operations.js'
import {routeText} from '../../api/http/route/route.js'
import {decodeText, readSmallFile} from '../../cli/files/readFile.js'
import {routeFlags} from '../../cli/session/routes.js'
import {parseOwnRoute} from '../../cli/session/routeValidation.js'
import type {Session} from '../../cli/session/session.js'
import {setRoute, unsetRoute} from '../../storage/profile/edit.js'
import {nearest} from '../../text/nearest.js'
import {safeText} from '../../text/text.js'
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

/** A file of routes is read up to this size; the rest is a mistake. */
const maxFileBytes = 256 * 1024

/**
 * The routes of a file by operation id, as `setProfileRoute` takes them: a JSON object of ids and routes, or an exported profile.
 * Raises a RouteError or a Failure (file, usage).
 */
export function readRouteFile(path: string): Map<string, string> {
  const {bytes} = readSmallFile(path, {maxBytes: maxFileBytes, most: '256 KiB'})
  const whole = objectOf(jsonOf(decodeText(bytes, path)))
  const routes = whole && 'routes' in whole ? objectOf(whole.routes) : whole
  if (routes === undefined) {
    const advice = `{"push.send": "POST /v1/messages"}, or a profile that config profile export wrote`
    throw new Failure({exit: 'file', message: `${safeText(path)} holds no routes`, try: advice})
  }
  return new Map(
    Object.entries(routes).map(([id, route]) => {
      const text = typeof route === 'string' ? route : JSON.stringify(route)
      return [id, routeText(parseOwnRoute(knownOperation(id), text))]
    }),
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? {...value} : undefined
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
    message: `unknown operation ${id}`,
    try: guess === undefined ? 'roomctl config route list shows every id' : `did you mean ${guess}?`,
  })
}
