import {services} from '../../api/contract/operation.js'
import {askTyped} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {failureWith} from '../../failure.js'
import {removeCredential} from '../../storage/profile/credential.js'
import {addProfile, existing, removeProfile, setValue, useProfile} from '../../storage/profile/edit.js'
import {type Profile, sandboxName} from '../../storage/profile/file.js'
import {openProfileFile} from '../../storage/profile/resolve.js'
import {whyUnasked} from '../../terminal/ask.js'
import {safeText} from '../../text/text.js'
import type {ProfileRow} from '../../view/system/settings.js'
import {checkAddresses, editProfileFile} from './profileFile.js'

/** Adds a profile with the settings that are given, checked. Throws Failure. */
export async function createProfile(
  session: Session,
  name: string,
  settings: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  checkAddresses(settings, false)
  const entries = Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [{key, value}]))
  await editProfileFile(session, (file) =>
    entries.reduce((changed, {key, value}) => setValue(changed, name, key, value), addProfile(file, name)),
  )
}

export async function selectProfile(session: Session, name: string): Promise<void> {
  await editProfileFile(session, (file) => useProfile(file, name))
}

export async function profileRows({paths, resolved}: Session): Promise<ProfileRow[]> {
  const {profiles} = await openProfileFile(paths.config)
  const own = Object.entries(profiles).map(([name, profile]) => ({
    name,
    current: name === resolved.name,
    room_url: profile['room.url'] ?? null,
    protected: profile.protected === true,
    read_only: profile.readOnly === true,
    logged_in: Object.keys(profile.credentials ?? {}),
  }))
  const current = resolved.isSandbox
  const none = {room_url: null, protected: false, read_only: false}
  return [...own, {name: sandboxName, current, ...none, logged_in: ['room']}]
}

/** Removes a profile and its tokens once its name was typed, or `yes`. Throws Failure (unconfirmed). */
export async function deleteProfile(session: Session, name: string, yes: boolean): Promise<void> {
  const profile = existing(await openProfileFile(session.paths.config), name)
  if (!yes) {
    await askProfileName(session, name, {
      message: `profile ${name} was not removed: confirmation required`,
      text: `Remove profile ${nameWithHosts(name, profile)} with its tokens?`,
    })
  }
  for (const service of services) await removeCredential(session.paths.config, name, service)
  await editProfileFile(session, (file) => removeProfile(file, name))
}

/** Asks for the name of a profile. Throws Failure (unconfirmed) with `message` without a terminal, and for another answer. */
export async function askProfileName(
  session: Session,
  name: string,
  {message, text, answer = 'add --yes'}: {readonly message: string; readonly text: string; readonly answer?: string},
): Promise<void> {
  if (!session.mayAsk) throw failureWith('unconfirmed', message, {why: whyUnasked(session.runtime.ask), try: answer})
  await askTyped(session, text, [name], 'nothing was changed')
}

/** `live (rooms.example.com)`: a profile with the hosts that its addresses name. */
export function nameWithHosts(name: string, profile: Profile): string {
  const urls = services.map((service) => profile[`${service}.url`] ?? '').filter((address) => URL.canParse(address))
  const hosts = [...new Set(urls.map((address) => new URL(address).host))]
  return hosts.length === 0 ? name : safeText(`${name} (${hosts.join(', ')})`)
}
