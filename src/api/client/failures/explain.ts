import type {Readers} from '../../rules/evidence.js'
import {explainFromArguments, explainFromRoom, isRefusedByState, roomPlaysPart} from '../../rules/predict.js'
import type {RefusalExplanation} from '../../rules/rule.js'
import {fillText, type Values} from '../../rules/templates.js'
import type {RefusedCall} from './refusal.js'

/**
 * A refused call with the reason for its code: by its own values, else by the room, which is read, and its attendees where the
 * room does not hold them. A failing read explains nothing.
 */
export async function explained(
  refused: RefusedCall,
  code: string | undefined,
  readers: Readers,
): Promise<RefusedCall> {
  if (code === undefined) return refused
  const {operation, values} = refused
  const explanation = explainFromArguments(operation.id, code, values)
  if (explanation) return {...refused, explanation}
  const part = roomPlaysPart(operation.id, code, values)
  if (part === 'none') return refused
  try {
    const room = await readers.room(values)
    if (room === 'missing') return part === 'state' ? refused : {...refused, explanation: noRoom(values)}
    if (isRefusedByState(operation.id, code, room)) return {...refused, roomState: room.room_status ?? undefined}
    if (part === 'state') return refused
    const attendees = room.attendees ?? [...(await readers.attendees(values))]
    return {...refused, explanation: explainFromRoom(operation.id, code, {...room, attendees}, {values})}
  } catch {
    return refused
  }
}

function noRoom(values: Values): RefusalExplanation {
  const why = 'room {roomId} does not exist: the id is wrong, it was deleted, or it belongs to another application'
  return {why: fillText(why, values), try: 'roomctl room list'}
}
