import {Failure} from '../../api/contract/failure.js'

/**
 * Reads `-f key=value` and `-F key:=json` into one object, in their order.
 * Raises a Failure (usage) for a field without a key, a JSON value that is none, and a key that would be a prototype.
 */
export function fieldsOf(texts: readonly string[], jsons: readonly string[]): Record<string, unknown> {
  return Object.fromEntries([...texts.map(textField), ...jsons.map(jsonField)])
}

function textField(given: string): [string, unknown] {
  const at = given.indexOf('=')
  return [keyOf('-f', given.slice(0, Math.max(at, 0)), 'key=value'), given.slice(at + 1)]
}

function jsonField(given: string): [string, unknown] {
  const at = given.indexOf(':=')
  const key = keyOf('-F', given.slice(0, Math.max(at, 0)), 'key:=json')
  try {
    return [key, JSON.parse(given.slice(at + 2))]
  } catch (error) {
    throw new Failure(
      {
        exit: 'usage',
        message: `-F ${key}: the value is not JSON`,
        try: `write text in double quotes, or use -f ${key}=TEXT`,
      },
      {cause: error},
    )
  }
}

function keyOf(flag: string, key: string, form: string): string {
  if (key !== '' && key !== '__proto__') return key
  throw new Failure({exit: 'usage', message: `${flag} takes ${form}`})
}
