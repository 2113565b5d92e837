import type {Failure} from '../../api/contract/failure.js'
import type {AttendeeRecord, RoomDetail, RoomSummary} from '../../api/contract/room.js'
import {presenterIn} from '../../api/rules/room.js'

export interface Person {
  readonly isPresent: boolean
  readonly isHost: boolean
  /** Put on the list by somebody, and not by entering. */
  readonly isListed: boolean
}

/** What a watch remembers of a room: one look, so that a day of it takes no more memory than an hour. */
export interface WatchedRoom {
  readonly row: RoomSummary
  /** When the reading began that `row` is of, in milliseconds since 1970: whatever is not in it happened after that. */
  readonly rowAt: number
  /** By their ids; undefined while the room's detail was not read. */
  readonly people: ReadonlyMap<string, Person> | undefined
  /** When the reading began that they are of. */
  readonly peopleAt: number
  /** `present_count` of the detail. */
  readonly presentCount: number | undefined
  /** Null for nobody, and where the service does not tell. */
  readonly presenter: string | null
  /** Why it stands as it was before: it could not be read. */
  readonly unread?: Failure | undefined
}

/** The rooms of one look, by their ids. */
export type Rooms = ReadonlyMap<string, WatchedRoom>

/** A row of the list, and when the reading of it began. */
export interface ListedRow {
  readonly row: RoomSummary
  readonly rowAt: number
}

/** A room of which only the row of the list is known. */
export function fromRow({row, rowAt}: ListedRow): WatchedRoom {
  return {row, rowAt, people: undefined, peopleAt: rowAt, presentCount: undefined, presenter: null}
}

/** A room whose detail was read (room §3), from `at` on; `listed` stands for its fields where they came from the list. */
export function fromDetail(
  {attendees, attendee_count: count, ...fields}: RoomDetail,
  at: number,
  listed?: ListedRow,
): WatchedRoom {
  return {
    row: listed?.row ?? fields,
    rowAt: listed?.rowAt ?? at,
    people: new Map((attendees ?? []).map((attendee) => [attendee.user_id, personOf(attendee)])),
    peopleAt: at,
    presentCount: count?.present_count == null ? undefined : Number(count.present_count),
    presenter: presenterIn(fields.metadata) ?? null,
  }
}

/** The room as a selector looks at it. */
export function subjectOf({row, presentCount}: WatchedRoom) {
  return {...row, present_count: presentCount}
}

export function watchedHost({people}: WatchedRoom): string | null {
  for (const [user, {isHost}] of people ?? []) if (isHost) return user
  return null
}

export function watchedPresent({people}: WatchedRoom): string[] {
  return Array.from(people ?? []).flatMap(([user, {isPresent}]) => (isPresent ? [user] : []))
}

function personOf(attendee: AttendeeRecord): Person {
  return {
    isPresent: attendee.is_present === true,
    isHost: attendee.is_host === true,
    isListed: attendee.is_reserved === true || attendee.is_invited === true,
  }
}
