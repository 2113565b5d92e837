import {type Operation, type Service, services} from '../../api/contract/operation.js'
import {operations} from '../../api/contract/operations.js'
import {checkAddress} from '../../api/http/network/address.js'
import {routeText} from '../../api/http/route/route.js'
import {removedSetting} from '../../cli/errors/removed.js'
import type {Session} from '../../cli/session/session.js'
import {setValue, unsetValue} from '../../storage/profile/edit.js'
import {profilePath} from '../../storage/profile/file.js'
import {type Resolved, routeVariable, tokenVariable} from '../../storage/profile/resolve.js'
import {settingByKey} from '../../storage/profile/settings.js'
import type {SettingRow} from '../../view/system/settings.js'
import {editableProfile, editProfileFile} from './profileFile.js'
import {knownOperation, routeWithSource, setProfileRoute, unsetProfileRoute} from './routes.js'

const routePrefix = 'route.'

/** The operation id of a key like `route.push.show`. */
function routeKey(key: string): string | undefined {
  return key.startsWith(routePrefix) ? key.slice(routePrefix.length) : undefined
}

/** Throws Failure (usage) for a key that 0.4.0 removed. */
function settingOf(key: string) {
  const removed = removedSetting(key)
  if (removed) throw removed
  return settingByKey(key)
}

/** A setting with the value that a command would use now. Throws Failure for an unknown key. */
export function effectiveSetting({resolved, paths}: Session, name: string) {
  const id = routeKey(name)
  if (id !== undefined) return {key: name, ...routeValue(resolved, knownOperation(id))}
  const row = placeRows(resolved, paths).find(({key}) => key === name) ?? settingRow(resolved, settingOf(name).key)
  return {key: name, value: row.value, source: row.source}
}

function settingRow(resolved: Resolved, name: string) {
  const row = resolved.list().find(({key}) => key === name)
  return {value: row?.value ?? null, source: row?.source ?? 'default'}
}

function routeValue(resolved: Resolved, operation: Operation) {
  const {route, source} = routeWithSource(resolved, operation)
  const isBuiltIn = source === 'documented' || source === 'assumed'
  return {value: routeText(route), source: isBuiltIn ? ('default' as const) : source}
}

/** `false` of a switch that is off by default unsets it. Throws Failure (usage, file). */
export async function setSetting(session: Session, name: string, value: string) {
  const profile = editableProfile(session)
  const id = routeKey(name)
  if (id !== undefined) {
    return {changed: {profile, key: name, value: await setProfileRoute(session, id, value)}, verb: 'set'}
  }
  const {key, default: usual} = settingOf(name)
  const isOff = value === 'false' && usual === value
  const service = services.find((name) => key === `${name}.url`)
  if (service) checkAddress(value, {allowHttp: session.resolved.values.allowHttp})
  await editProfileFile(session, (file) => {
    const changed = setValue(file, profile, key, value)
    return isOff ? unsetValue(changed, profile, key) : changed
  })
  if (service) warnOfOtherOrigin(session, service, value)
  return {changed: {profile, key, value}, verb: isOff ? 'unset' : 'set'}
}

/** Says that a stored token will not follow an address to another origin. */
function warnOfOtherOrigin({resolved, warn}: Session, service: Service, address: string): void {
  const stored = resolved.credential(service)
  const {origin} = new URL(address)
  if (!stored || stored.origin === origin) return
  warn(
    `the ${service} token is stored for ${stored.origin} and is not sent to ${origin}: roomctl config login ${service}`,
  )
}

export async function unsetSetting(session: Session, key: string) {
  const profile = editableProfile(session)
  const id = routeKey(key)
  if (id === undefined) await editProfileFile(session, (file) => unsetValue(file, profile, key))
  else await unsetProfileRoute(session, id)
  return {profile, key}
}

/** The profile file and the profile in use, every setting of a run and every route that is set, with its source; of tokens only the place. */
export function settingRows({resolved, paths, warn}: Session): SettingRow[] {
  if (resolved.unread) warn(`note: ${resolved.unread.message}`)
  const settings = resolved
    .list()
    .map(({key, value, source, env}) => ({key, value: value ?? null, source, env: env ?? null}))
  const tokens = services.map((service) => tokenRow(resolved, service))
  return [...placeRows(resolved, paths), ...settings, ...tokens, ...(resolved.hasRoutes ? routeRows(resolved) : [])]
}

/** Keys that no profile has. */
function placeRows({name, nameSource}: Resolved, {config}: Session['paths']): SettingRow[] {
  return [
    {key: 'file', value: profilePath(config), source: 'default', env: 'ROOMCTL_CONFIG_DIR'},
    {key: 'profile', value: name, source: nameSource, env: 'ROOMCTL_PROFILE'},
  ]
}

/** The routes that environment or profile set. */
function routeRows(resolved: Resolved): SettingRow[] {
  return operations.flatMap((operation: Operation) => {
    if (resolved.route(operation.id) === undefined) return []
    return [
      {key: `${routePrefix}${operation.id}`, ...routeValue(resolved, operation), env: routeVariable(operation.id)},
    ]
  })
}

function tokenRow(resolved: Resolved, service: Service): SettingRow {
  const row = {key: `${service}.token`, env: tokenVariable(service)}
  if (resolved.isSandbox) return {...row, value: 'built in', source: 'default'}
  const inEnv = resolved.envToken(service)
  if (inEnv !== undefined) return {...row, value: inEnv === '' ? 'blank' : 'set', source: 'env'}
  const stored = resolved.credential(service)
  if (stored === undefined) return {...row, value: null, source: 'default'}
  const store = stored.store === 'file' ? 'profile' : stored.store
  return {...row, value: `in the ${store}, for ${stored.origin}`, source: 'profile'}
}
