import {checkAddress} from '../../api/http/network/address.js'
import {readTextInput} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {addProfile, setValue, useProfile} from '../../storage/profile/edit.js'
import {exportProfile, importProfile, placeImport} from '../../storage/profile/export.js'
import {openProfileFile} from '../../storage/profile/open.js'
import {editProfiles} from './editProfile.js'

const addresses = ['room.url', 'asset.url', 'push.url'] as const

/** Adds a profile with the settings that are given, checked. Raises a ProfileProblem or an AddressError. */
export async function addWhole(
  session: Session,
  name: string,
  settings: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  checkAddresses(settings, settings.allowHttp === 'true')
  const given = Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [{key, value}]))
  await editProfiles(session, (file) =>
    given.reduce((changed, {key, value}) => setValue(changed, name, key, value), addProfile(file, name)),
  )
}

/** Chooses the profile that is used from now on. Raises a ProfileProblem. */
export async function useFromNowOn(session: Session, name: string): Promise<void> {
  await editProfiles(session, (file) => useProfile(file, name))
}

/** Stores an exported profile, from a file or stdin, and gives back its name. Raises a ProfileProblem or a Failure. */
export async function importWhole(
  session: Session,
  path: string,
  {as, replace}: {as?: string | undefined; replace: boolean},
): Promise<string> {
  const read = importProfile(await readTextInput(session, path))
  const name = as ?? read.name
  checkAddresses(read.profile, read.profile.allowHttp === true)
  await editProfiles(session, (file) => placeImport(file, {...read, name}, {replace}))
  return name
}

/** A profile without its secrets. Raises a ProfileProblem. */
export async function exportWhole({places}: Session, name: string) {
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
