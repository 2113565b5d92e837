import {type AttendeeRecord, type RoomState, roomStates} from '../../contract/room.js'
import {stateRule} from '../../contract/states.js'
import {readingOfValues} from './readingOfValues.js'
import {readingOfRoom, readsRoom} from './readings.js'
import type {RefusedCall} from './refusal.js'
import type {FoundRoom, Readers} from './settle.js'

/**
 * Reads what tells why a call was refused with this code, where the documents have several readings of it or the room's state
 * explains it: the room, and its attendees where the room does not hold them. A failing read explains nothing.
 */
export async function explained(
  refused: RefusedCall,
  code: string | undefined,
  readers: Readers,
): Promise<RefusedCall> {
  if (code === undefined) return refused
  const {operation, values} = refused
  const shown = readingOfValues(operation.id, code, values)
  if (shown) return {...refused, reading: shown}
  const rule = stateRule(operation.id)
  const forState = rule?.code === code
  const forReading = readsRoom(operation.id, code, values)
  if (!forState && !forReading) return refused

  const room = await readers.room(values).catch(() => undefined)
  if (room === undefined) return refused
  const state = stateOf(room)
  if (forState && rule && state && rule.in[state].allowed !== 'yes') return {...refused, roomState: state}
  const whole = forReading ? await withAttendees(room, () => readers.attendees(values)) : undefined
  return {...refused, reading: whole && readingOfRoom(operation.id, code, whole, values)}
}

function stateOf(room: FoundRoom): RoomState | undefined {
  return room === 'missing' ? undefined : roomStates.find((known) => known === room.room_status)
}

async function withAttendees(
  room: FoundRoom,
  read: () => Promise<readonly AttendeeRecord[]>,
): Promise<FoundRoom | undefined> {
  if (room === 'missing' || room.attendees) return room
  try {
    return {...room, attendees: [...(await read())]}
  } catch {
    return undefined
  }
}
