import {type Operation, replyMembers} from '../../contract/operation.js'

/** Members that name an error. */
const errors = ['error', 'error_code', 'errors'] as const

/** Members that are the words of a gateway if there is nothing else. */
const words: ReadonlySet<string> = new Set(['message', 'detail'])

/**
 * How the JSON of a 2xx denies the change, as gateways do (product §11, Claims): by a `status` other
 * than SUCCESS, an error, `success: false` or a lone message, or it lacks all members that the document shows for this answer.
 */
export function denialIn(
  json: unknown,
  {responseFormat, ...operation}: Pick<Operation, 'reply' | 'responseFormat'>,
): 'said' | 'lacking' | undefined {
  const documented = responseFormat === 'headers' ? [] : replyMembers(operation)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return documented.length > 0 ? 'lacking' : undefined
  const {status, success, ...others} = json as Readonly<Record<string, unknown>>
  const names = Object.keys(json)
  const isAlone = names.length > 0 && names.every((name) => words.has(name))
  const isOther = status !== undefined && status !== 'SUCCESS'
  if (isOther || isAlone || success === false || errors.some((name) => isSaid(others[name]))) return 'said'
  return documented.length > 0 && !documented.some((name) => names.includes(name)) ? 'lacking' : undefined
}

/** `error: null` and `errors: []` name none. */
function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
