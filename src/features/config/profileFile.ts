import {Failure} from '../../api/contract/failure.js'
import {services} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import type {Session} from '../../cli/session/session.js'
import {type ProfileFile, sandboxName} from '../../storage/profile/file.js'

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

/** Checks the addresses that a profile is to have. Raises an AddressError. */
export function checkAddresses(settings: Readonly<Record<string, unknown>>, allowHttp: boolean): void {
  for (const service of services) {
    const address = settings[`${service}.url`]
    if (typeof address === 'string') checkAddress(address, {allowHttp})
  }
}
