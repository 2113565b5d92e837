/** What is told of each room, whatever happened to it. */
interface OfRoom {
  readonly room_id: string
  readonly name: string | null
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
export type WatchEvent = Sighting | Going | StateChange | FieldChange | PersonChange | RoleChange
