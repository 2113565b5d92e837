import type {Api} from '../../api/client/api.js'
import {options} from '../../api/contract/asset.js'
import type {Service} from '../../api/contract/operation.js'
import {show} from '../../api/contract/push.js'
import {listRooms} from '../../api/contract/room.js'
import {Failure} from '../../failure.js'
import type {Resolved} from '../../storage/profile/resolve.js'
import {counted} from '../../text/text.js'

/** A container that is hardly there: only a refusal of the token says something. */
const unlikelyContainer = 'roomctl-doctor'

export interface TokenRead {
  /** `unchecked`: the service did not refuse the token, and nothing shows that it looked at it. */
  readonly state: 'accepted' | 'unchecked'
  readonly words: string
}

/** The smallest read with a token: the room list, what a container allows, or the push configuration. Throws Failure. */
export async function readWithToken(
  api: Api,
  service: Service,
  {bizId, applicationId}: Resolved['values'],
  container?: string,
): Promise<TokenRead> {
  if (service === 'room') {
    const rooms = await api.call(listRooms, {query: bizId === undefined ? {} : {bizId}})
    return {state: 'accepted', words: counted(rooms.length, 'room')}
  }
  if (service === 'asset') return readContainer(api, container)
  if (applicationId === undefined) return {state: 'unchecked', words: 'no application id is set'}
  const configuration = await api.call(show, {query: {application_id: applicationId}})
  const text = configuration === null ? 'nothing is registered' : 'the configuration can be read'
  return {state: 'accepted', words: text}
}

async function readContainer(api: Api, container: string | undefined): Promise<TokenRead> {
  try {
    await api.call(options, {path: {container: container ?? unlikelyContainer}})
    if (container !== undefined) return {state: 'accepted', words: 'it shows what a container allows'}
    // A gateway answers OPTIONS by itself (CORS), whatever the token.
    return {state: 'unchecked', words: 'it answers alike for a container that is probably missing'}
  } catch (error) {
    const isMissing = error instanceof Failure && error.facts.exit === 'missing' && error.facts.httpStatus === 404
    if (!isMissing || container !== undefined) throw error
    return {state: 'unchecked', words: 'it answers 404 for a missing container, and does not refuse the token'}
  }
}
