import {shortly} from '../../../text/text.js'
import type {Operation, Values} from '../../contract/operation.js'

/** Members of an answer that name its object, by the parameters of the call that name the same one. */
const namesOf: Readonly<Record<string, string>> = {
  roomId: 'room_id',
  common_resource_uuid: 'uuid',
  common_uuid: 'uuid',
  request_uuid: 'request_uuid',
  request_id: 'request_id',
  application_id: 'application_id',
}

/**
 * How an answer, or a row of it, names another object than the call did, in words for a sentence: then it is the answer to another
 * request. Undefined if it names the same one, or none.
 */
export function otherObject({id}: Pick<Operation, 'id'>, values: Values, data: unknown): string | undefined {
  const rows = rowsOf(data)
  for (const [parameter, member] of Object.entries(namesOf)) {
    const asked = values[parameter]
    if (typeof asked !== 'string') continue
    const named = rows
      .map((row) => textMember(row, member))
      .find((name) => name !== undefined && !isSame(name, asked, member))
    if (named !== undefined) return `is about something else: its ${member} is ${shortly(named)}`
  }
  const name = containerViews.has(id) ? textMember(data, 'name') : undefined
  if (name === undefined || isNameOf(name, String(values.container), data)) return undefined
  return `is about another container: its name is ${shortly(name)}`
}

const containerViews: ReadonlySet<string> = new Set(['asset.list', 'asset.info'])

/** By the path or its last part; where the path ends in a uuid, the name plays no part. */
function isNameOf(name: string, container: string, data: unknown): boolean {
  const path = container.replace(/^\/+|\/+$/gu, '')
  const last = path.slice(path.lastIndexOf('/') + 1)
  const isUuid = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/iu.test(last)
  return (
    isUuid ||
    [path, last].some((own) => isSame(own, name.replace(/^\/+|\/+$/gu, ''), 'uuid')) ||
    textMember(data, 'uuid') === last
  )
}

function textMember(value: unknown, member: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const text: unknown = Object.hasOwn(value, member) ? Reflect.get(value, member) : undefined
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** The answer, and its rows (push, Transaction record). */
function rowsOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data
  const rows: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'transactions') : undefined
  return [data, ...(Array.isArray(rows) ? rows : [])]
}

/** Only the case of rooms and applications is known to matter. */
function isSame(one: string, other: string, member: string): boolean {
  const isExact = member === 'room_id' || member === 'application_id'
  const [named, asked] = [one, other].map((text) => text.normalize('NFC'))
  return isExact ? one === other : named?.toLowerCase() === asked?.toLowerCase()
}
