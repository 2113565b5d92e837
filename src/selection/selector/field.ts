import {readWallTime} from '../instant.js'

/** Every operator; those that begin with `!` are the opposites of `=`, `~` and `~~`. */
export const selectorOperators = ['=', '!=', '<', '>', '<=', '>=', '~', '!~', '~~', '!~~'] as const
export type SelectorOperator = (typeof selectorOperators)[number]

/** A field by the type of its values. `read` returns undefined for a missing value. `now` is in milliseconds. */
export type RoomField =
  | {readonly kind: 'text' | 'status'; readonly read: (subject: RoomSubject) => string | undefined}
  | {readonly kind: 'age' | 'time' | 'count'; readonly read: (subject: RoomSubject, now: number) => number | undefined}
  | {readonly kind: 'flag'; readonly read: (subject: RoomSubject) => boolean | undefined}

/** The fields of a selector (product §5). A room that never began has its reserved times; the age of one in the future is negative. */
const shortFields: ReadonlyMap<string, RoomField> = new Map<string, RoomField>([
  ['status', {kind: 'status', read: (room) => text(room.room_status)}],
  ['name', {kind: 'text', read: (room) => text(room.name)}],
  ['id', {kind: 'text', read: (room) => text(room.room_id)}],
  ['creator', {kind: 'text', read: (room) => text(room.created_by)}],
  ['age', {kind: 'age', read: age}],
  ['start', {kind: 'time', read: start}],
  ['end', {kind: 'time', read: (room) => time(room.end_time) ?? time(room.reserved_end_time)}],
  ['present', {kind: 'count', read: (room) => count(room.present_count)}],
  ['public', {kind: 'flag', read: (room) => flag(room.is_public)}],
  ['joinable', {kind: 'flag', read: (room) => flag(room.is_joinable)}],
  ['max', {kind: 'count', read: (room) => count(room.max_attendee_count)}],
])

/** The names that JSON has for these fields, and the fields that only JSON names. */
const wireFields: ReadonlyMap<string, RoomField | string> = new Map<string, RoomField | string>([
  ['room_id', 'id'],
  ['room_status', 'status'],
  ['created_by', 'creator'],
  ['present_count', 'present'],
  ['is_public', 'public'],
  ['is_joinable', 'joinable'],
  ['max_attendee_count', 'max'],
  ['description', {kind: 'text', read: (room) => text(room.description)}],
  ['start_time', {kind: 'time', read: (room) => time(room.start_time)}],
  ['end_time', {kind: 'time', read: (room) => time(room.end_time)}],
  ['reserved_start_time', {kind: 'time', read: (room) => time(room.reserved_start_time)}],
  ['reserved_end_time', {kind: 'time', read: (room) => time(room.reserved_end_time)}],
])

/** The names of the fields, the short ones first. */
export const roomFieldNames: readonly string[] = [...shortFields.keys(), ...wireFields.keys()]

/** Each field by one name, for a list of them. */
export const listedFieldNames = roomFieldNames.filter((name) => typeof wireFields.get(name) !== 'string')

/** A field by its name in any case. */
export function roomFieldNamed(name: string): RoomField | undefined {
  const given = name.toLowerCase()
  const field = wireFields.get(given) ?? given
  return typeof field === 'string' ? shortFields.get(field) : field
}

/** The fields that only the room's detail has (room §3). */
export const detailFields: ReadonlySet<string> = new Set(['present', 'present_count'])

const ordered: readonly SelectorOperator[] = ['=', '!=', '<', '>', '<=', '>=']
const textual: readonly SelectorOperator[] = ['=', '!=', '~', '!~', '~~', '!~~']

/** The operators that make sense for a kind of field. An age moves on while it is looked at, so it is never equal. */
export const operatorsOf: Readonly<Record<RoomField['kind'], readonly SelectorOperator[]>> = {
  text: textual,
  status: textual,
  age: ['<', '>', '<=', '>='],
  time: ordered,
  count: ordered,
  flag: ['=', '!='],
}

function start(room: RoomSubject): number | undefined {
  return time(room.start_time) ?? time(room.reserved_start_time)
}

function age(room: RoomSubject, now: number): number | undefined {
  const from = start(room)
  return from === undefined ? undefined : now - from
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function count(value: unknown): number | undefined {
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

/** The documents' times are UTC (room, Room), so one without a zone is read as that; one that cannot be is missing. */
function time(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  try {
    const {wall, offset} = readWallTime(value)
    return wall - (offset ?? 0)
  } catch {
    return undefined
  }
}

/** A row of the room list, and `present_count` of the detail, if read. A member of another type counts as missing. */
export type RoomSubject = Readonly<Partial<Record<RoomMember, unknown>>>

type RoomMember =
  | (
      | 'room_id'
      | 'name'
      | 'description'
      | 'room_status'
      | 'created_by'
      | 'max_attendee_count'
      | 'is_public'
      | 'is_joinable'
    )
  | ('reserved_start_time' | 'reserved_end_time' | 'start_time' | 'end_time')
  // Of the detail (room, AttendeeCount).
  | 'present_count'
