import {refuse} from '../wire/refusal.js'
import type {Handlers, RoomOperationId} from './handler.js'
import {filesOf, stopRecording} from './recording.js'
import {findRoom, refuseEnded, requireHost, requireState} from './rules.js'

/** The rules of recordings (room §14 to §16). */
export const recordHandlers: Handlers<Extract<RoomOperationId, `record.${string}`>> = {
  'record.start': ({path, body}, {world, now}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    refuseEnded(room, 'RE001')
    // The table's RE001 names ENDED only; the sample's FAILED_PRECONDITION is left for the other two states.
    requireState(room, 'FAILED_PRECONDITION', 'MEETING')
    if (room.recording !== undefined) refuse('RE001', `room ${room.id} is being recorded already`)
    room.recording = {layout: body.layout, startedAt: now.toISOString()}
  },

  'record.stop': ({path, body}, {world, now}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    // An ENDED room has none running: its end stopped it.
    if (!stopRecording(room, now)) refuse('RE001', `no recording is running in room ${room.id}`)
  },

  'record.list': ({path}, {world, now}) => {
    const files = filesOf(findRoom(world, path.roomId), now)
    return files.length === 0 ? refuse('RE003', `room ${path.roomId} has no recording files`) : files
  },
}
