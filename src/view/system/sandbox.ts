import type {PresenceChange} from '../../sandbox/demo/scenarios.js'
import {safeText} from '../../text/text.js'

/** `ben entered r-1; the room is MEETING`. */
export function describePresenceChange({room_id: room, notes}: PresenceChange): string {
  return `room ${safeText(room)}: ${notes.map((note) => safeText(note)).join('; ')}`
}
