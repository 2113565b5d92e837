import type {RecordingFile} from '../../api/contract/record.js'
import {refuse} from '../wire/service.js'
import type {Layout, Recording, Room} from '../world/world.js'
import type {Handlers, RoomOperationId} from './operations.js'
import {findRoom, refuseEnded, requireHost, requireState} from './rules.js'

/** A recording continues in a new file after this time (room §16: "one per split recording"; the length is not shown). */
const splitMs = 30 * 60 * 1000

/** Plausible bytes per second: a single speaker is the smallest picture, a grid the largest. */
const bytesPerSecond: Readonly<Record<Layout, number>> = {SINGLE_SPEAKER: 187_500, SPEAKER: 250_000, GRID: 375_000}

const headerBytes = 4096

function recordingFile(room: Room, recording: Recording, fromMs: number, lengthMs: number): RecordingFile {
  const began = new Date(fromMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return {
    file_name: `recordings/${room.room_id}/${began}.mp4`,
    file_size: headerBytes + Math.round((lengthMs / 1000) * bytesPerSecond[recording.layout]),
    duration: lengthMs * 1_000_000,
  }
}

/** The finished files of a running recording. */
function completedFiles(room: Room, recording: Recording, now: Date): RecordingFile[] {
  const start = Date.parse(recording.startedAt)
  const count = Math.max(0, Math.floor((now.getTime() - start) / splitMs))
  return Array.from({length: count}, (_, index) => recordingFile(room, recording, start + index * splitMs, splitMs))
}

/** Stops a recording, and keeps its files; returns whether one was running. */
export function stopRecording(room: Room, now: Date): boolean {
  const {recording} = room
  if (recording === undefined) return false
  const whole = completedFiles(room, recording, now)
  const restStart = Date.parse(recording.startedAt) + whole.length * splitMs
  const rest = recordingFile(room, recording, restStart, Math.max(0, now.getTime() - restStart))
  room.files.push(...whole, rest)
  delete room.recording
  return true
}

export const recordHandlers: Handlers<Extract<RoomOperationId, `record.${string}`>> = {
  'record.start': ({path, body}, {world, now}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    refuseEnded(room, 'RE001')
    // The table's RE001 names ENDED only; the sample's FAILED_PRECONDITION is left for the other two states.
    requireState(room, 'FAILED_PRECONDITION', 'MEETING')
    if (room.recording !== undefined) refuse('RE001', `room ${room.room_id} is being recorded already`)
    room.recording = {layout: body.layout, startedAt: now.toISOString()}
  },

  'record.stop': ({path, body}, {world, now}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    // An ENDED room has none running.
    if (!stopRecording(room, now)) refuse('RE001', `no recording is running in room ${room.room_id}`)
  },

  'record.list': ({path}, {world, now}) => {
    const room = findRoom(world, path.roomId)
    // Oldest first, without the one that is being written.
    const files = [...room.files, ...(room.recording ? completedFiles(room, room.recording, now) : [])]
    return files.length === 0 ? refuse('RE003', `room ${path.roomId} has no recording files`) : files
  },
}
