import {services} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import {parseRoute, RouteError} from '../../api/http/route/route.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {type Profile, type ProfileFile, routeTextOf, sandboxName} from '../../storage/profile/file.js'

/** Changes the profile file; what writes it is loaded only here. Raises a Failure. */
export async function editProfileFile(session: Session, change: (file: ProfileFile) => ProfileFile): Promise<void> {
  const {changeProfileFile} = await import('../../storage/profile/write.js')
  await changeProfileFile(session.places.config, change)
}

/** The name of the profile that is edited. Raises a Failure (usage): the sandbox has no settings. */
export function editableProfile({resolved}: Session): string {
  if (!resolved.isSandbox) return resolved.name
  throw wrongUsage(`profile ${sandboxName} is built in and has no settings`, {try: 'name another profile with -p NAME'})
}

export function checkAddresses(settings: Readonly<Record<string, unknown>>, allowHttp: boolean): void {
  for (const service of services) {
    const address = settings[`${service}.url`]
    if (typeof address === 'string') checkAddress(address, {allowHttp})
  }
}

/** Checks the form of the routes of a profile that is handed on. Raises a Failure (usage). */
export function assertRouteForms({routes = {}}: Profile): void {
  for (const [id, route] of Object.entries(routes)) {
    try {
      parseRoute(routeTextOf(route))
    } catch (error) {
      if (!(error instanceof RouteError)) throw error
      throw wrongUsage(`the route of ${id} cannot be used: ${error.message}`, {}, {cause: error})
    }
  }
}
