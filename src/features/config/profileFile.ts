import {services} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {type ProfileFile, sandboxName} from '../../storage/profile/file.js'

/** Changes the profile file; what writes it is loaded only here. Throws Failure. */
export async function editProfileFile(session: Session, change: (file: ProfileFile) => ProfileFile): Promise<void> {
  const {changeProfileFile} = await import('../../storage/profile/write.js')
  await changeProfileFile(session.paths.config, change)
}

/** The name of the profile that is edited. Throws Failure (usage): the sandbox has no settings. */
export function editableProfile({resolved}: Session): string {
  if (!resolved.isSandbox) return resolved.name
  throw wrongUsage(`profile ${sandboxName} is built in and has no settings`, {try: 'name another profile with -p'})
}

export function checkAddresses(settings: Readonly<Record<string, unknown>>, allowHttp: boolean): void {
  for (const service of services) {
    const address = settings[`${service}.url`]
    if (typeof address === 'string') checkAddress(address, {allowHttp})
  }
}
