import {checkAddress} from '../../api/http/network/address.js'
import {routeText} from '../../api/http/route/route.js'
import {knownOperation} from '../../cli/session/operationById.js'
import {parseOwnRoute} from '../../cli/session/routeValidation.js'
import type {Session} from '../../cli/session/session.js'
import {setRoute, setValue, unsetRoute, unsetValue} from '../../storage/profile/edit.js'
import {settingByKey} from '../../storage/profile/settings.js'
import {editedProfile, editProfiles} from './editProfile.js'
import {warnOfOtherOrigin} from './editSettingsOrigins.js'

/** A setting with the value that a command would use now. Raises a ProfileProblem for an unknown key. */
export function settingInUse({resolved}: Session, name: string) {
  const {key} = settingByKey(name)
  const found = resolved.list().find((row) => row.key === key)
  return {key, value: found?.value ?? null, source: found?.source ?? 'default'}
}

/** Sets a setting of the profile, checked. Raises a ProfileProblem, an AddressError or a Failure (usage). */
export async function changeSetting(session: Session, name: string, value: string) {
  const {key} = settingByKey(name)
  const profile = editedProfile(session)
  if (key.endsWith('.url')) checkAddress(value, {allowHttp: session.resolved.values.allowHttp})
  await editProfiles(session, (file) => setValue(file, profile, key, value))
  warnOfOtherOrigin(session, key, value)
  return {profile, key, value}
}

/** Forgets a setting of the profile. Raises a ProfileProblem or a Failure (usage). */
export async function forgetSetting(session: Session, name: string) {
  const {key} = settingByKey(name)
  const profile = editedProfile(session)
  await editProfiles(session, (file) => unsetValue(file, profile, key))
  return {profile, key}
}

/** Sets the route of an operation, `METHOD /path` or JSON, in the profile. Raises a RouteError or a Failure (usage). */
export async function changeRoute(session: Session, id: string, text: string) {
  const route = parseOwnRoute(knownOperation(id), text)
  const profile = editedProfile(session)
  await editProfiles(session, (file) => setRoute(file, profile, id, routeText(route)))
  const {method, path, send = null, rename = null} = route
  return {profile, operation: id, method, path, send, rename}
}

/** Goes back to the built-in route of an operation. Raises a Failure (usage). */
export async function forgetRoute(session: Session, id: string) {
  const {method, route: path} = knownOperation(id)
  const profile = editedProfile(session)
  await editProfiles(session, (file) => unsetRoute(file, profile, id))
  return {profile, operation: id, method, path, send: null, rename: null}
}
