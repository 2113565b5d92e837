import {info as containerInfo} from '../../contract/asset.js'
import {list as listAttendees} from '../../contract/attendee.js'
import {Failure} from '../../contract/failure.js'
import type {Input, Operation, Output} from '../../contract/operation.js'
import {show as showPush} from '../../contract/push.js'
import {get as getRoom} from '../../contract/room.js'
import type {Readers} from './settle.js'

/** Calls an operation that only reads. */
type Read = <O extends Operation>(operation: O, input: Input<O>) => Promise<Output<O>>

/** What is read to settle or to explain what came of another call; each by one call of `read`. */
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
