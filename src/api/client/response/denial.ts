import {type Operation, replyMembers} from '../../contract/operation.js'

/** Members that name an error. */
const errors = ['error', 'error_code', 'errors'] as const

/** Members that are the words of a gateway if there is nothing else. */
const words: ReadonlySet<string> = new Set(['message', 'detail'])

/**
 * Whether the JSON of a 2xx to a change denies that it was made, as gateways answer (product §11, Claims): a `status` other than
 * SUCCESS, an error, `success: false`, a lone message, or none of the members that the document shows for this answer.
 */
export function deniesChange(
  json: unknown,
  {responseFormat, ...operation}: Pick<Operation, 'reply' | 'responseFormat'>,
): boolean {
  const documented = responseFormat === 'headers' ? [] : replyMembers(operation)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return documented.length > 0
  const {status, success, ...others} = json as Readonly<Record<string, unknown>>
  const names = Object.keys(json)
  if (status !== undefined && status !== 'SUCCESS') return true
  if (success === false || errors.some((name) => isSaid(others[name]))) return true
  if (names.length > 0 && names.every((name) => words.has(name))) return true
  return documented.length > 0 && !documented.some((name) => names.includes(name))
}

/** `error: null` and `errors: []` name none. */
function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
