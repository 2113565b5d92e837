import {Failure} from '../../api/contract/failure.js'
import {services} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import {readTextInput} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {removeCredential} from '../../storage/profile/credential.js'
import {
  addProfile,
  existing,
  exportProfile,
  importProfile,
  placeImport,
  removeProfile,
  setValue,
  useProfile,
} from '../../storage/profile/edit.js'
import type {ProfileFile} from '../../storage/profile/file.js'
import {sandboxName} from '../../storage/profile/file.js'
import {openProfileFile} from '../../storage/profile/open.js'
import type {ProfileRow} from '../../view/tool/settings.js'

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

/** Stores an exported profile, from a file or stdin, and gives back its name. Raises a ProfileProblem or a Failure. */
export async function importProfileFile(
  session: Session,
  path: string,
  {as, replace}: {as?: string | undefined; replace: boolean},
): Promise<string> {
  const read = importProfile(await readTextInput(session, path))
  const name = as ?? read.name
  checkAddresses(read.profile, read.profile.allowHttp === true)
  await editProfileFile(session, (file) => placeImport(file, {...read, name}, {replace}))
  return name
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

/** Removes a profile and its tokens once its name was typed, or `yes`. Raises a Failure (unconfirmed). */
export async function deleteProfile(session: Session, name: string, yes: boolean): Promise<void> {
  existing(await openProfileFile(session.places.config), name)
  if (!yes) await askForName(session, name)
  for (const service of services) await removeCredential(session.places.config, name, service)
  await editProfileFile(session, (file) => removeProfile(file, name))
}

async function askForName({mayAsk, runtime}: Session, name: string): Promise<void> {
  if (!mayAsk) {
    throw new Failure({
      exit: 'unconfirmed',
      message: `removing profile ${name} needs a confirmation, nothing was removed`,
      try: 'add --yes',
    })
  }
  const typed = await runtime.ask.text(`Remove profile ${name} with its tokens? Type its name to go on:`)
  if (typed.trim() !== name) throw new Failure({exit: 'unconfirmed', message: 'not confirmed, nothing was removed'})
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
