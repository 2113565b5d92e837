import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import type {ProfileFile} from '../../storage/profile/file.js'
import {sandboxName} from '../../storage/profile/names.js'

/** Changes the profile file; what writes it is loaded only here. Raises a ProfileProblem. */
export async function editProfiles(session: Session, change: (file: ProfileFile) => ProfileFile): Promise<void> {
  const {changeProfileFile} = await import('../../storage/profile/write.js')
  await changeProfileFile(session.places.config, change)
}

/** The name of the profile that is edited. Raises a Failure (usage): the sandbox has no settings. */
export function editedProfile({resolved}: Session): string {
  if (!resolved.isSandbox) return resolved.name
  throw new Failure({
    exit: 'usage',
    message: `profile ${sandboxName} is built in and has no settings`,
    try: 'name another profile with -p NAME',
  })
}
