import type {WatchEvent} from './event.js'

/** What happened, in words that follow the room's id: `ann joined`. A server's own text may stand in them. */
export function eventWords(event: WatchEvent): string {
  switch (event.event) {
    case 'room-seen':
      return `is ${sighting(event)}, present: ${event.present?.join(', ') || 'nobody'}`
    case 'room-appeared':
      return `appeared: ${sighting(event)}`
    case 'room-went':
      return `is gone, it was ${shown(event.room_status)}`
    case 'state-changed':
      return `is ${shown(event.room_status)}, it was ${shown(event.before)}`
    case 'room-changed':
      return `${event.field} is ${shown(event.value)}, it was ${shown(event.before)}`
    case 'host-changed':
      return roleWords('host', event)
    case 'presenter-changed':
      return roleWords('presenter', event)
    case 'added':
      return `${event.user_id} was added`
    case 'removed':
      return `${event.user_id} is no longer listed`
    default:
      return `${event.user_id} ${event.event}`
  }
}

function sighting(event: Extract<WatchEvent, {room_status: unknown; host: unknown}>): string {
  const name = event.name ? `${event.name}, ` : ''
  return `${name}${shown(event.room_status)}, ${event.host === null ? 'no host' : `host ${event.host}`}`
}

function roleWords(role: string, {user_id: is, before: was}: {user_id: string | null; before: string | null}): string {
  if (is === null) return `has no ${role} any more, it was ${was}`
  return was === null ? `${role} is ${is}` : `${role} is ${is}, it was ${was}`
}

function shown(value: unknown): string {
  if (value === null || value === '') return 'not set'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
