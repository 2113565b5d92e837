import {fileShape, parseJson, ReservedKey} from './file.js'
import {jsonFault} from './jsonFault.js'

/**
 * What is wrong with the bytes of a profile file, in words that follow "it": the line and column, or the key. Never any of
 * the content, which holds tokens.
 */
export function describeDamage(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte === 0)) return bytes.length === 0 ? 'is empty' : 'holds nothing but zero bytes'
  let text: string
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    return 'is not UTF-8 text'
  }
  const fault = jsonFault(text)
  if (fault) return `${fault.atEnd ? 'breaks off' : 'is not JSON'} at line ${fault.line}, column ${fault.column}`
  return describeContent(text)
}

function describeContent(text: string): string {
  try {
    const checked = fileShape.safeParse(parseJson(text))
    const issue = checked.error?.issues[0]
    if (issue === undefined) return 'is not a profile file'
    if (issue.code === 'unrecognized_keys') return `has an unknown key: ${keyPath([...issue.path, ...issue.keys])}`
    if (issue.code === 'invalid_key') return `has a key that is no name: ${keyPath(issue.path)}`
    return issue.path.length === 0 ? 'holds no object' : `has a wrong value for ${keyPath(issue.path)}`
  } catch (error) {
    return error instanceof ReservedKey ? 'has the key "__proto__"' : 'is not a profile file'
  }
}

/** `profiles.prod."room.url"`: keys in quotes where they are not plain words. */
function keyPath(keys: readonly PropertyKey[]): string {
  return keys
    .map(String)
    .map((key) => (/^[\w-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64))))
    .join('.')
}
