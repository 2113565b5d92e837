import {Failure} from '../../api/contract/failure.js'
import {services} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import {readTextInput} from '../../cli/input/readIds.js'
import {askTyped} from '../../cli/prompts/confirm.js'
import {journalPlace} from '../../cli/session/journal.js'
import {type Session, sandboxFolder} from '../../cli/session/session.js'
import {removeCredential} from '../../storage/profile/credential.js'
import {
  addProfile,
  existing,
  exportProfile,
  type ImportedChange,
  importedChanges,
  importProfile,
  placeImport,
  removeProfile,
  setValue,
  unsetValue,
  useProfile,
  weakens,
} from '../../storage/profile/edit.js'
import {type Profile, type ProfileFile, profileNamed, profilePath, sandboxName} from '../../storage/profile/file.js'
import {openProfileFile} from '../../storage/profile/open.js'
import type {Resolved} from '../../storage/profile/resolve.js'
import {settingByKey} from '../../storage/profile/settings.js'
import {safeText} from '../../text/text.js'
import type {ProfileRow, SettingRow} from '../../view/tool/settings.js'

const addresses = ['room.url', 'asset.url', 'push.url'] as const

/** Adds a profile with the settings that are given, checked. Raises a ProfileProblem or an AddressError. */
export async function createProfile(
  session: Session,
  name: string,
  settings: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  checkAddresses(settings, settings.allowHttp === 'true')
  const given = Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [{key, value}]))
  await editProfileFile(session, (file) =>
    given.reduce((changed, {key, value}) => setValue(changed, name, key, value), addProfile(file, name)),
  )
}

/** Chooses the profile that is used from now on. Raises a ProfileProblem. */
export async function selectProfile(session: Session, name: string): Promise<void> {
  await editProfileFile(session, (file) => useProfile(file, name))
}

/**
 * Stores an exported profile, from a file or stdin: its name, and what it sets, which is said before. Where it takes a guard of
 * the profile that it replaces away, the profile's name is asked for, which `yes` answers unless the guard is `protected`. Raises a ProfileProblem or a Failure.
 */
export async function importProfileFile(
  session: Session,
  path: string,
  {as, replace, yes, confirm}: {as?: string | undefined; replace: boolean; yes: boolean; confirm?: string | undefined},
): Promise<{readonly profile: string; readonly changes: readonly ImportedChange[]}> {
  const read = importProfile(await readTextInput(session, path))
  const profile = as ?? read.name
  checkAddresses(read.profile, read.profile.allowHttp === true)
  const place = (file: ProfileFile) => placeImport(file, {...read, name: profile}, {replace})
  const file = await openProfileFile(session.places.config)
  place(file)
  const replaced = profileNamed(file, profile)
  const changes = importedChanges(replaced, read.profile)
  for (const change of changes) session.warn(describeImported(change))
  const weakened = replaced ? changes.filter(weakens) : []
  const unprotects = weakened.some(({key}) => key === 'protected')
  const isAnswered = confirm === undefined ? yes && !unprotects : confirm === profile
  if (weakened.length > 0 && !isAnswered) {
    const answer = unprotects ? `add --confirm ${profile}` : 'add --yes'
    await askForName(session, profile, weakenedQuestion(profile, weakened, replaced), answer)
  }
  await editProfileFile(session, place)
  return {profile, changes}
}

function describeImported({key, before, after}: ImportedChange): string {
  const text = (value: unknown) =>
    typeof value === 'string' ? value : value === null ? 'unset' : JSON.stringify(value)
  return safeText(before === null ? `${key}: ${text(after)}` : `${key}: ${text(before)} → ${text(after)}`)
}

function weakenedQuestion(profile: string, weakened: readonly ImportedChange[], replaced: Profile = {}) {
  const keys = weakened.map(({key, after}) => (after === true ? `sets ${key}` : `drops ${key}`)).join(', ')
  return {
    message: `profile ${profile} was not replaced: the import ${keys}; confirmation required`,
    text: `The import ${keys} of profile ${nameWithHosts(profile, replaced)}.`,
  }
}

/** A profile without its secrets. Raises a ProfileProblem. */
export async function exportedProfile({places}: Session, name: string) {
  return exportProfile(await openProfileFile(places.config), name)
}

function checkAddresses(
  settings: {readonly [Key in (typeof addresses)[number]]?: string | undefined},
  allowHttp: boolean,
) {
  for (const key of addresses) {
    const address = settings[key]
    if (address !== undefined) checkAddress(address, {allowHttp})
  }
}

/** Every profile of the file, and the built-in one. */
export async function profileRows({places, resolved}: Session): Promise<ProfileRow[]> {
  const {profiles} = await openProfileFile(places.config)
  const own = Object.entries(profiles).map(([name, profile]) => ({
    name,
    current: name === resolved.name,
    room_url: profile['room.url'] ?? null,
    protected: profile.protected === true,
    read_only: profile.readOnly === true,
    logged_in: Object.keys(profile.credentials ?? {}),
  }))
  return [
    ...own,
    {
      name: sandboxName,
      current: resolved.isSandbox,
      room_url: null,
      protected: false,
      read_only: false,
      logged_in: ['room'],
    },
  ]
}

/** `live (rooms.example.com)`: a profile with the hosts that its addresses name. */
function nameWithHosts(name: string, profile: Profile): string {
  const urls = addresses.map((key) => profile[key] ?? '').filter((address) => URL.canParse(address))
  const hosts = [...new Set(urls.map((address) => new URL(address).host))]
  return hosts.length === 0 ? name : safeText(`${name} (${hosts.join(', ')})`)
}

/** Removes a profile and its tokens once its name was typed, or `yes`. Raises a Failure (unconfirmed). */
export async function deleteProfile(session: Session, name: string, yes: boolean): Promise<void> {
  const profile = existing(await openProfileFile(session.places.config), name)
  if (!yes) {
    await askForName(session, name, {
      message: `profile ${name} was not removed: confirmation required`,
      text: `Remove profile ${nameWithHosts(name, profile)} with its tokens?`,
    })
  }
  for (const service of services) await removeCredential(session.places.config, name, service)
  await editProfileFile(session, (file) => removeProfile(file, name))
}

/** Asks for the name of a profile. Raises a Failure (unconfirmed) with `message` without a terminal, and for another answer. */
async function askForName(
  session: Session,
  name: string,
  {message, text}: {readonly message: string; readonly text: string},
  answer = 'add --yes',
): Promise<void> {
  if (!session.mayAsk) throw new Failure({exit: 'unconfirmed', message, try: answer})
  await askTyped(session, text, [name], 'nothing was changed')
}

/** Changes the profile file; what writes it is loaded only here. Raises a ProfileProblem. */
export async function editProfileFile(session: Session, change: (file: ProfileFile) => ProfileFile): Promise<void> {
  const {changeProfileFile} = await import('../../storage/profile/write.js')
  await changeProfileFile(session.places.config, change)
}

/** The name of the profile that is edited. Raises a Failure (usage): the sandbox has no settings. */
export function editableProfile({resolved}: Session): string {
  if (!resolved.isSandbox) return resolved.name
  throw new Failure({
    exit: 'usage',
    message: `profile ${sandboxName} is built in and has no settings`,
    try: 'name another profile with -p NAME',
  })
}

/** A setting with the value that a command would use now. Raises a ProfileProblem for an unknown key. */
export function effectiveSetting({resolved}: Session, name: string) {
  const {key} = settingByKey(name)
  const found = resolved.list().find((row) => row.key === key)
  return {key, value: found?.value ?? null, source: found?.source ?? 'default'}
}

/**
 * Sets a setting of the profile, checked; `false` of a switch that is off by default takes it away. Raises a ProfileProblem, an
 * AddressError or a Failure (usage, file).
 */
export async function setSetting(session: Session, name: string, value: string) {
  const {key, default: usual, env} = settingByKey(name)
  const isOff = value === 'false' && usual === value && env === undefined
  const profile = editableProfile(session)
  if (key.endsWith('.url')) checkAddress(value, {allowHttp: session.resolved.values.allowHttp})
  await editProfileFile(session, (file) => {
    const changed = setValue(file, profile, key, value)
    return isOff ? unsetValue(changed, profile, key) : changed
  })
  warnOfOtherOrigin(session, key, value)
  return {changed: {profile, key, value}, verb: isOff ? 'unset' : 'set'}
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
  const inEnv = resolved.envToken(service)
  if (inEnv !== undefined) return {key, value: inEnv === '' ? 'blank' : 'set', source: 'env', env}
  const stored = resolved.credential(service)
  if (stored === undefined) return {key, value: null, source: 'default', env}
  return {
    key,
    value: `in the ${stored.store === 'file' ? 'profile' : stored.store}, for ${stored.origin}`,
    source: 'profile',
    env,
  }
}
