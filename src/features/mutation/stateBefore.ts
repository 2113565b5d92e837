import {type RoomDetail, updatable} from '../../api/contract/room.js'
import {hostOf} from '../../api/rules/room.js'

type Values = Readonly<Record<string, unknown>>

/** Characters of a text that the journal keeps of a room: a description may be a whole book. */
const longestText = 4000

/** The fields that an update of a room sets, as the journal keeps them; nothing for other operations. */
export function fieldsSet(operation: string, body: Values | undefined): Values {
  return Object.fromEntries(updated(operation, body).map((name) => [name, body?.[name]]))
}

/**
 * What a change takes the place of, where it is known: of an update the fields that it sets, null for one that had no value; of a
 * delegation who was host, which is whoever may ask for it (room §13). Undefined for other operations.
 */
export function stateBefore(
  operation: string,
  body: Values | undefined,
  room: RoomDetail | undefined,
): Values | undefined {
  if (operation === 'room.delegate') return {host: (room && hostOf(room)) ?? body?.requester_id}
  const names = updated(operation, body)
  if (room === undefined || names.length === 0) return undefined
  const values = names.map((name) => [name, room[name] ?? null])
  return Object.fromEntries(values.filter(([, value]) => !isTooLong(value)))
}

function updated(operation: string, body: Values | undefined): string[] {
  if (operation !== 'room.update' && operation !== 'room.adminUpdate') return []
  return updatable.filter((name) => body?.[name] !== undefined && !isTooLong(body[name]))
}

function isTooLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > longestText
}
