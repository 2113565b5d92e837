import {Failure} from '../../api/contract/failure.js'
import {listRooms} from '../../api/contract/room.js'
import {AddressError, checkAddress} from '../../api/http/network/address.js'
import {presentText} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {addProfile, setValue, useProfile} from '../../storage/profile/edit.js'
import {checkOwnProfileName, type ProfileFile, profileNamed} from '../../storage/profile/file.js'
import {ProfileProblem} from '../../storage/profile/problem.js'
import {storeToken} from './login.js'
import {editProfileFile} from './profiles.js'

/** Guides through a first profile. `reopen` opens the finished one, to try it. Raises a Failure where nobody can be asked. */
export async function initProfile(
  session: Session,
  given: string | undefined,
  reopen: (profile: string) => Promise<Session>,
): Promise<void> {
  if (!session.mayAsk) throw cannotAsk()
  const {ask} = session.runtime
  session.warn('Each answer can be changed later with roomctl config set.')
  const name = given ?? (await ask.text('Name of the profile:', {initial: 'default', check: nameCheck}))
  checkOwnProfileName(name)
  const room = await ask.text('Address of the room service:', {check: addressCheck})
  const asset = await ask.text('Address of the asset service (empty: none):', {check: orEmpty(addressCheck)})
  const push = await ask.text('Address of the push service (empty: none):', {check: orEmpty(addressCheck)})
  const applicationId = await ask.text('Application id (empty: none):')
  const requester = await ask.text('Whom to act as: a user id, host or creator:', {initial: 'host'})
  const guarded = await ask.confirm('Protect it, so that every change asks for its name?')

  const values = {
    'room.url': room,
    'asset.url': asset,
    'push.url': push,
    applicationId,
    requester: requester === 'host' ? '' : requester,
    protected: guarded ? 'true' : '',
  }
  await editProfileFile(session, (file) => useProfile(withValues(file, name, values), name))
  const stored = await reopen(name)
  const token = await ask.secret('Token of the room service (empty: log in later):')
  if (token.trim() !== '') {
    stored.secrets.add(token.trim())
    await storeToken(stored, 'room', checkAddress(room, {allowHttp: false}).origin, token.trim())
  }
  await presentText(stored, `profile ${name} is set up and in use`)
  if (token.trim() !== '') await tryOut(await reopen(name))
}

function withValues(file: ProfileFile, name: string, values: Readonly<Record<string, string>>): ProfileFile {
  const begun = profileNamed(file, name) ? file : addProfile(file, name)
  return Object.entries(values).reduce(
    (changed, [key, value]) => (value.trim() === '' ? changed : setValue(changed, name, key, value.trim())),
    begun,
  )
}

/** One read shows whether address and token work; a failure is said and leaves the profile as it is. */
async function tryOut(session: Session): Promise<void> {
  try {
    const rooms = await session.api.call(listRooms, {})
    session.warn(`the room service answers: ${rooms.length} rooms`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    session.warn(`the profile is stored, but reading the rooms failed: ${error.message}`)
  }
}

function nameCheck(text: string): true | string {
  try {
    checkOwnProfileName(text)
    return true
  } catch (error) {
    if (error instanceof ProfileProblem) return error.message
    throw error
  }
}

function addressCheck(text: string): true | string {
  try {
    checkAddress(text, {allowHttp: false})
    return true
  } catch (error) {
    if (error instanceof AddressError) return error.message
    throw error
  }
}

function orEmpty(check: (text: string) => true | string): (text: string) => true | string {
  return (text) => (text.trim() === '' ? true : check(text))
}

function cannotAsk(): Failure {
  return new Failure({
    exit: 'usage',
    message: 'config init asks questions, and there is no terminal to ask on',
    try: 'roomctl config set room.url https://HOST, then pipe the token into roomctl config login room',
  })
}
