/** When it happened, as far as that is known: between two readings. */
interface Dated {
  /** Not before: when the reading began that did not show it yet, in milliseconds since 1970. */
  readonly after: number
}

/** What is told of each room, whatever happened to it. */
interface OfRoom extends Dated {
  readonly room_id: string
  readonly name: string | null
}

/** An outage: in this time nothing was seen of a room, or of any (null). What happened in it is told after it. */
interface Gap extends Dated {
  readonly event: 'gap'
  readonly room_id: string | null
  readonly name: string | null
  readonly why: string
}

/** A room as it is: when a watch begins (`room-seen`, with who is in it), or when it is first listed (`room-appeared`). */
interface Sighting extends OfRoom {
  readonly event: 'room-seen' | 'room-appeared'
  readonly room_status: string | null
  readonly host: string | null
  /** Who is in it; the people who are in a room that appears have joined. */
  readonly present?: readonly string[]
}

interface Going extends OfRoom {
  readonly event: 'room-went'
  /** As it was last seen. */
  readonly room_status: string | null
}

interface StateChange extends OfRoom {
  readonly event: 'state-changed'
  readonly room_status: string | null
  readonly before: string | null
}

/** A field of the room, by its name in the document. */
interface FieldChange extends OfRoom {
  readonly event: 'room-changed'
  readonly field: string
  readonly value: unknown
  readonly before: unknown
}

/** `joined` and `left` are about `is_present`, `added` and `removed` about the attendee list. */
interface PersonChange extends OfRoom {
  readonly event: 'joined' | 'left' | 'added' | 'removed'
  readonly user_id: string
}

/** Null is nobody. */
interface RoleChange extends OfRoom {
  readonly event: 'host-changed' | 'presenter-changed'
  readonly user_id: string | null
  readonly before: string | null
}

/** A difference between two looks at the rooms, under the documents' names. */
export type WatchEvent = Gap | Sighting | Going | StateChange | FieldChange | PersonChange | RoleChange

/** What happened, as text after the room's id: `ann joined`. It may contain server text. `arrow` is a word for screen readers. */
export function describeEvent(event: WatchEvent, arrow = '→'): string {
  switch (event.event) {
    case 'gap':
      return `not seen since ${secondOf(event.after)}: ${event.why}`
    case 'room-seen':
      return `is ${sighting(event)}, present: ${event.present?.join(', ') || 'nobody'}`
    case 'room-appeared':
      return `appeared: ${sighting(event)}`
    case 'room-went':
      return `disappeared (was ${shown(event.room_status)})`
    case 'state-changed':
      return `${shown(event.before)} ${arrow} ${shown(event.room_status)}`
    case 'room-changed':
      return `${event.field}: ${shown(event.before)} ${arrow} ${shown(event.value)}`
    case 'host-changed':
      return describeRole('host', event, arrow)
    case 'presenter-changed':
      return describeRole('presenter', event, arrow)
    case 'added':
      return `${event.user_id} was added`
    case 'removed':
      return `${event.user_id} is no longer listed`
    default:
      return `${event.user_id} ${event.event}`
  }
}

/** RFC 3339, UTC, to the second, rounded down: a watch is no more exact than that. */
export function secondOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`
}

function sighting(event: Extract<WatchEvent, {room_status: unknown; host: unknown}>): string {
  const name = event.name ? `${event.name}, ` : ''
  return `${name}${shown(event.room_status)}, ${event.host === null ? 'no host' : `host ${event.host}`}`
}

function describeRole(
  role: string,
  {user_id: is, before: was}: {user_id: string | null; before: string | null},
  arrow: string,
): string {
  if (is === null) return `no longer has a ${role} (was ${was})`
  return was === null ? `${role} is ${is}` : `${role}: ${was} ${arrow} ${is}`
}

function shown(value: unknown): string {
  if (value === null || value === '') return 'not set'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
