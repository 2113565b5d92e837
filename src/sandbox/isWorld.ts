import {roomStates} from '../contract/room.js'
import type {World} from './world.js'

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAttendee(value: unknown): boolean {
  if (!isRecord(value)) return false
  const {userId} = value
  return typeof userId === 'string'
}

function isRoom(value: unknown): boolean {
  if (!isRecord(value)) return false
  const {id, status, files, attendees} = value
  return (
    typeof id === 'string' &&
    roomStates.some((state) => state === status) &&
    Array.isArray(files) &&
    Array.isArray(attendees) &&
    attendees.every(isAttendee)
  )
}

/** Says whether something read from a file is a world; a look at what every rule relies on. */
export function isWorld(value: unknown): value is World {
  if (!isRecord(value)) return false
  const {version, applicationToken, tokenSecret, choices, rooms, messages, events} = value
  return (
    version === 1 &&
    typeof applicationToken === 'string' &&
    typeof tokenSecret === 'string' &&
    isRecord(choices) &&
    Array.isArray(rooms) &&
    rooms.every(isRoom) &&
    Array.isArray(messages) &&
    Array.isArray(events)
  )
}
