import type {Values} from '../../rules/templates.js'
import type {Reading} from './refusal.js'

/** Why a call was refused with this code, where its own values show it: nothing is read. */
export function readingOfValues(operation: string, code: string, values: Values): Reading | undefined {
  if (code !== 'CE001') return undefined
  if (operation === 'room.create') return creator(values) ?? seats(values) ?? times(values)
  return operation === 'room.update' || operation === 'room.adminUpdate' ? times(values) : undefined
}

/** room §1 rules 3 and 4. */
function creator({created_by: user, attendees, host_selection_type: host, is_public}: Values): Reading | undefined {
  if (Array.isArray(attendees) && attendees.includes(user)) return undefined
  if (host !== 'CREATOR' && is_public !== false) return undefined
  const when = host === 'CREATOR' ? 'under --host creator' : 'in a private room'
  const rule = host === 'CREATOR' ? 3 : 4
  return {
    why: `${when} the creator must be among the attendees, and ${user} is not (room §1 rule ${rule})`,
    try: 'add the creator with -a',
  }
}

/** room §1: as many attendees as the room holds. */
function seats({attendees, max_attendee_count: most}: Values): Reading | undefined {
  if (!Array.isArray(attendees) || typeof most !== 'number' || attendees.length <= most) return undefined
  return {why: `there are ${attendees.length} attendees, and max_attendee_count is ${most}`, try: 'raise --max'}
}

function times({reserved_start_time: start, reserved_end_time: end}: Values): Reading | undefined {
  if (typeof start !== 'string' || typeof end !== 'string' || Date.parse(end) > Date.parse(start)) return undefined
  return {why: `the reservation would end at ${end}, not after its start at ${start}`, try: 'give a later --end'}
}
