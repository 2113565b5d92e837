import {type Service, services} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import type {Session} from '../../cli/session/session.js'
import {journalIn} from '../../storage/journal.js'
import {setValue, unsetValue} from '../../storage/profile/edit.js'
import {profilePath} from '../../storage/profile/file.js'
import {type Resolved, tokenVariable} from '../../storage/profile/resolve.js'
import {settingByKey} from '../../storage/profile/settings.js'
import type {SettingRow} from '../../view/system/settings.js'
import {editableProfile, editProfileFile} from './profileFile.js'

/** A setting with the value that a command would use now. Throws Failure for an unknown key. */
export function effectiveSetting({resolved}: Session, name: string) {
  const {key} = settingByKey(name)
  const found = resolved.list().find((row) => row.key === key)
  return {key, value: found?.value ?? null, source: found?.source ?? 'default'}
}

/** `false` of a switch that is off by default unsets it. Throws Failure (usage, file). */
export async function setSetting(session: Session, name: string, value: string) {
  const {key, default: usual} = settingByKey(name)
  const isOff = value === 'false' && usual === value
  const profile = editableProfile(session)
  const service = services.find((one) => key === `${one}.url`)
  if (service) checkAddress(value, {allowHttp: session.resolved.values.allowHttp})
  await editProfileFile(session, (file) => {
    const changed = setValue(file, profile, key, value)
    return isOff ? unsetValue(changed, profile, key) : changed
  })
  if (service) warnOfOtherOrigin(session, service, value)
  return {changed: {profile, key, value}, verb: isOff ? 'unset' : 'set'}
}

/** Says that a stored token will not follow an address to another origin (product §10). */
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
  await editProfileFile(session, (file) => unsetValue(file, profile, key))
  return {profile, key}
}

/** Every setting of a run with its source; of tokens only the place. */
export function settingRows(resolved: Resolved): SettingRow[] {
  const settings = resolved
    .list()
    .map(({key, value, source, env}) => ({key, value: value ?? null, source, env: env ?? null}))
  return [...settings, ...services.map((service) => tokenRow(resolved, service))]
}

export function storagePaths({paths: {config, state, sandbox, cache}}: Session) {
  return {profile: profilePath(config), journal: journalIn(state).path, sandbox, cache}
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
