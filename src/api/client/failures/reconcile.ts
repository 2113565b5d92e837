import {info as containerInfo} from '../../contract/asset.js'
import {listAttendees} from '../../contract/attendee.js'
import {Failure, type Outcome} from '../../contract/failure.js'
import type {Input, Operation, Output} from '../../contract/operation.js'
import {show as showPush} from '../../contract/push.js'
import {getRoom} from '../../contract/room.js'
import type {Probe, Readers} from '../../rules/evidence.js'
import type {Values} from '../../rules/templates.js'

/** Calls an operation that only reads. */
type Read = <O extends Operation>(operation: O, input: Input<O>) => Promise<Output<O>>

/** What is read to reconcile or to explain what came of another call; each by one call of `read`. */
export function readersBy(read: Read): Readers {
  return {
    room: async ({roomId}) => {
      try {
        return await read(getRoom, {path: {roomId: String(roomId)}})
      } catch (error) {
        if (error instanceof Failure && error.facts.code === 'CE002') return 'missing'
        throw error
      }
    },
    attendees: ({roomId}) => read(listAttendees, {path: {roomId: String(roomId)}}),
    container: ({container}) => read(containerInfo, {path: {container: String(container)}, query: {type: 'meta'}}),
    pushConfiguration: ({application_id: id}) => read(showPush, {query: {application_id: String(id)}}),
  }
}

/**
 * The outcome of a state change whose answer was lost (product §5): `applied` when what is read is as the change was to make
 * it. `late`: the service may still be working on it (a timeout), so "not seen" proves nothing. What cannot be read leaves it unknown.
 */
export async function reconcile(probe: Probe, readers: Readers, values: Values, late: boolean): Promise<Outcome> {
  try {
    const evidence = await probe(readers, values)
    if (evidence === 'shown') return 'applied'
    return evidence === 'absent' && !late ? 'none' : 'unknown'
  } catch {
    return 'unknown'
  }
}
