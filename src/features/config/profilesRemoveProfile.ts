import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import {removeCredential} from '../../storage/profile/credential.js'
import {existing, removeProfile} from '../../storage/profile/edit.js'
import {openProfileFile} from '../../storage/profile/open.js'
import {editProfiles} from './editProfile.js'

const services = ['room', 'asset', 'push'] as const

/** Removes a profile and its tokens once its name was typed, or `yes`. Raises a Failure (unconfirmed). */
export async function removeWhole(session: Session, name: string, yes: boolean): Promise<void> {
  existing(await openProfileFile(session.places.config), name)
  if (!yes) await askForName(session, name)
  for (const service of services) await removeCredential(session.places.config, name, service)
  await editProfiles(session, (file) => removeProfile(file, name))
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
