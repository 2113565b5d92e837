import type {Operation} from '../../api/contract/operation.js'
import {operationById, operations} from '../../api/contract/operations.js'
import {type Route, routeText} from '../../api/http/route/route.js'
import {parseOwnRoute, settledRoute} from '../../cli/session/routes.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {setRoutes, unsetRoute} from '../../storage/profile/edit.js'
import type {Resolved} from '../../storage/profile/resolve.js'
import {nearest} from '../../text/nearest.js'
import type {RouteRow} from '../../view/system/settings.js'
import {editableProfile, editProfileFile} from './profileFile.js'

/** Sets the route of an operation, `METHOD /path`, in the profile, and returns it. Throws Failure (usage). */
export async function setProfileRoute(session: Session, id: string, text: string): Promise<string> {
  const route = routeText(parseOwnRoute(knownOperation(id), text))
  const profile = editableProfile(session)
  await editProfileFile(session, (file) => setRoutes(file, profile, {[id]: route}))
  return route
}

export async function unsetProfileRoute(session: Session, id: string): Promise<void> {
  const operation = knownOperation(id)
  const profile = editableProfile(session)
  await editProfileFile(session, (file) => unsetRoute(file, profile, operation.id))
}

/** The operation of that id. Throws Failure (usage) with the nearest, as `advice` names it. */
export function knownOperation(id: string, advice = (nearest: string) => `did you mean ${nearest}?`): Operation {
  const known = operationById(id)
  if (known) return known
  const ids = operations.map((operation) => operation.id)
  const guess = nearest(id, ids)
  throw wrongUsage(`unknown operation ${id}`, {
    try: guess === undefined ? {command: ['config route list']} : advice(guess),
  })
}

/** Every operation's route with its source: environment > profile > built in. Throws Failure (usage). */
export function routeRows(resolved: Resolved): RouteRow[] {
  return operations.map((entry: Operation) => {
    const {route, source} = routeWithSource(resolved, entry)
    return {operation: entry.id, ...route, source, document: entry.source}
  })
}

export function routeWithSource(
  resolved: Resolved,
  operation: Operation,
): {readonly route: Route; readonly source: RouteRow['source']} {
  const builtIn = operation.assumed === undefined ? 'documented' : 'assumed'
  return {route: settledRoute(operation, resolved), source: resolved.route(operation.id)?.source ?? builtIn}
}
