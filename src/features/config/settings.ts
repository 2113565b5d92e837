import {Failure} from '../../api/contract/failure.js'
import {services} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import {journalPlace} from '../../cli/session/journal.js'
import {type Session, sandboxFolder} from '../../cli/session/session.js'
import {isFreeForJournal} from '../../storage/journal/rotate.js'
import {setValue, unsetValue} from '../../storage/profile/edit.js'
import {profilePath} from '../../storage/profile/file.js'
import type {Resolved} from '../../storage/profile/resolve.js'
import {settingByKey} from '../../storage/profile/settings.js'
import {safeText} from '../../text/text.js'
import type {SettingRow} from '../../view/tool/settings.js'
import {editableProfile, editProfileFile} from './profiles.js'

/** A setting with the value that a command would use now. Raises a ProfileProblem for an unknown key. */
export function effectiveSetting({resolved}: Session, name: string) {
  const {key} = settingByKey(name)
  const found = resolved.list().find((row) => row.key === key)
  return {key, value: found?.value ?? null, source: found?.source ?? 'default'}
}

/** Sets a setting of the profile, checked. Raises a ProfileProblem, an AddressError or a Failure (usage, file). */
export async function setSetting(session: Session, name: string, value: string) {
  const {key} = settingByKey(name)
  const profile = editableProfile(session)
  if (key.endsWith('.url')) checkAddress(value, {allowHttp: session.resolved.values.allowHttp})
  if (key === 'journal.path' && settingByKey(key).read(value) !== undefined) assertJournalPath(value)
  await editProfileFile(session, (file) => setValue(file, profile, key, value))
  warnOfOtherOrigin(session, key, value)
  return {profile, key, value}
}

function assertJournalPath(path: string): void {
  if (isFreeForJournal(path)) return
  throw new Failure({
    exit: 'file',
    message: `${safeText(path)} cannot be the journal: it does not begin with a roomctl entry`,
    why: 'the journal is appended to, rotated when it grows, and removed when it is old',
    try: 'name a new file',
  })
}

/** Forgets a setting of the profile. Raises a ProfileProblem or a Failure (usage). */
export async function unsetSetting(session: Session, name: string) {
  const {key} = settingByKey(name)
  const profile = editableProfile(session)
  await editProfileFile(session, (file) => unsetValue(file, profile, key))
  return {profile, key}
}

/** Says that a stored token will not follow an address to another origin (product §10). */
export function warnOfOtherOrigin({resolved, warn}: Session, key: string, address: string): void {
  const [service, kind] = key.split('.')
  if (kind !== 'url' || (service !== 'room' && service !== 'asset' && service !== 'push')) return
  const stored = resolved.credential(service)
  const {origin} = new URL(address)
  if (!stored || stored.origin === origin) return
  warn(
    `the ${service} token is stored for ${stored.origin} and is not sent to ${origin}: roomctl config login ${service}`,
  )
}

/** Where this tool keeps what it keeps. */
export function storagePaths(session: Session) {
  const {config, cache} = session.places
  return {
    profile: profilePath(config),
    journal: journalPlace(session).path,
    sandbox: sandboxFolder(session, undefined),
    cache,
  }
}

/** Every setting of a run with its source, and the tokens as where they are kept, never themselves. */
export function settingRows(resolved: Resolved): SettingRow[] {
  const settings = resolved
    .list()
    .map(({key, value, source, env}) => ({key, value: value ?? null, source, env: env ?? null}))
  return [...settings, ...services.map((service) => tokenRow(resolved, service))]
}

function tokenRow(resolved: Resolved, service: (typeof services)[number]): SettingRow {
  const env = `ROOMCTL_${service.toUpperCase()}_TOKEN`
  const key = `${service}.token`
  if (resolved.isSandbox) return {key, value: 'built in', source: 'default', env}
  if (resolved.envToken(service) !== undefined) return {key, value: 'set', source: 'env', env}
  const stored = resolved.credential(service)
  if (stored === undefined) return {key, value: null, source: 'default', env}
  return {
    key,
    value: `in the ${stored.store === 'file' ? 'profile' : stored.store}, for ${stored.origin}`,
    source: 'profile',
    env,
  }
}
