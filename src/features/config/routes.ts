import {type PlacedParameter, placeParameters} from '../../api/client/request/request.js'
import type {Operation} from '../../api/contract/operation.js'
import {operationById, operations} from '../../api/contract/operations.js'
import {type Route, routeText} from '../../api/http/route/route.js'
import {passes} from '../../cli/prompts/answerCheck.js'
import {parseOwnRoute, routeFlags, settledRoute} from '../../cli/session/routes.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {setRoutes, unsetRoute} from '../../storage/profile/edit.js'
import type {Resolved} from '../../storage/profile/resolve.js'
import {nearest} from '../../text/nearest.js'
import type {RouteRow, RouteTrial} from '../../view/system/settings.js'
import {editableProfile, editProfileFile} from './profileFile.js'

/** Where an operation would be sent, with its parameters in braces; sends nothing. Throws Failure. */
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
    body: fieldsAt(placed, 'body'),
    form: fieldsAt(placed, 'file'),
  }
}

function fieldsAt(
  placed: readonly PlacedParameter[],
  wanted: PlacedParameter['place'],
): Readonly<Record<string, string>> | null {
  const fields = placed.filter(({place}) => place === wanted)
  return fields.length === 0 ? null : Object.fromEntries(fields.map(({name}) => [name, `{${name}}`]))
}

/** Sets the route of an operation, `METHOD /path`, in the profile. Throws Failure (usage). */
export async function setProfileRoute(session: Session, id: string, text: string) {
  const route = parseOwnRoute(knownOperation(id), text)
  const profile = editableProfile(session)
  await editProfileFile(session, (file) => setRoutes(file, profile, {[id]: routeText(route)}))
  return {profile, ...routeMembers(id, route)}
}

export function routeMembers(operation: string, {method, path}: Route) {
  return {operation, method, path}
}

export async function unsetProfileRoute(session: Session, id: string) {
  const {method, route: path} = knownOperation(id)
  const profile = editableProfile(session)
  await editProfileFile(session, (file) => unsetRoute(file, profile, id))
  return {profile, ...routeMembers(id, {method, path})}
}

/** The operation of that id. Throws Failure (usage) with the nearest, as `advice` names it. */
export function knownOperation(id: string, advice = (nearest: string) => `did you mean ${nearest}?`): Operation {
  const found = operationById(id)
  if (found) return found
  const ids = operations.map((operation) => operation.id)
  const guess = nearest(id, ids)
  throw wrongUsage(`unknown operation ${id}`, {
    try: guess === undefined ? 'roomctl config route list' : advice(guess),
  })
}

/** Every operation's route with its source: flag > environment > profile > built in. Throws Failure (usage). */
export async function routeRows(resolved: Resolved, flags: readonly string[]): Promise<RouteRow[]> {
  const given = await routeFlags(flags)
  return operations.map((entry: Operation) => {
    const {route, source} = routeWithSource(resolved, given, entry)
    const {method, path} = route
    return {operation: entry.id, method, path, source, document: entry.source}
  })
}

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

export async function askRoute({runtime}: Session, operation: Operation, hint: string): Promise<string> {
  const check = (text: string) => text.trim() === '' || parseOwnRoute(operation, text.trim())
  const typed = await runtime.ask.text(`Route of ${operation.id}${hint}:`, {check: passes(check)})
  check(typed)
  return typed.trim()
}

export function describeGuess({method, route}: Operation): string {
  return `${method} ${route}, a guess`
}
