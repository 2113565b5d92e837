import type {Layout, Recording, RecordingFile, Room} from '../world/world.js'

/** A recording goes on in a new file after this long (room §16: "one per split recording"; the length is not shown). */
const splitMs = 30 * 60 * 1000

/** Believable bytes per second: a single speaker is the smallest picture, a grid the largest. */
const bytesPerSecond: Readonly<Record<Layout, number>> = {SINGLE_SPEAKER: 187_500, SPEAKER: 250_000, GRID: 375_000}

/** What a file weighs before its first second. */
const headerBytes = 4096

function fileOf(room: Room, recording: Recording, fromMs: number, lengthMs: number): RecordingFile {
  const began = new Date(fromMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return {
    file_name: `recordings/${room.id}/${began}.mp4`,
    file_size: headerBytes + Math.round((lengthMs / 1000) * bytesPerSecond[recording.layout]),
    duration: lengthMs * 1_000_000,
  }
}

/** The files that a running recording has filled up to now, each of half an hour; the one being written is not there. */
function filled(room: Room, recording: Recording, now: Date): RecordingFile[] {
  const start = Date.parse(recording.startedAt)
  const count = Math.max(0, Math.floor((now.getTime() - start) / splitMs))
  return Array.from({length: count}, (_, index) => fileOf(room, recording, start + index * splitMs, splitMs))
}

/** Every file of the room, oldest first, without the one that is being written. */
export function filesOf(room: Room, now: Date): RecordingFile[] {
  return room.recording === undefined ? room.files : [...room.files, ...filled(room, room.recording, now)]
}

/** Ends the running recording, if there is one, and keeps its files. Says whether one was running. */
export function stopRecording(room: Room, now: Date): boolean {
  const {recording} = room
  if (recording === undefined) return false
  const whole = filled(room, recording, now)
  const restStart = Date.parse(recording.startedAt) + whole.length * splitMs
  const rest = fileOf(room, recording, restStart, Math.max(0, now.getTime() - restStart))
  room.files.push(...whole, rest)
  delete room.recording
  return true
}
