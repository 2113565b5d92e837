import {error, type Finding} from './finding.js'

const tenCharacters = /^[A-Z0-9]{10}$/
const bundleId = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/
const packageName = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/

/** The team id of Apple: ten capital letters and digits (product §7). */
export function checkTeamId(text: string): Finding[] {
  return checkTen(text, 'team-id', 'team id', 'it stands under Membership details at developer.apple.com/account')
}

/** The id of a .p8 key: ten capital letters and digits (product §7). */
export function checkKeyId(text: string): Finding[] {
  return checkTen(text, 'key-id', 'key id', 'it stands in the name of the file that Apple gave out: AuthKey_<KEYID>.p8')
}

/** The bundle id of an iOS application: letters, digits, hyphens and full stops, and no wildcard. */
export function checkBundleId(text: string): Finding[] {
  if (bundleId.test(text)) return []
  if (text.includes('*')) {
    return [error('bundle-id', 'a bundle id with * names no one application, and no push can be sent to it', wholeId)]
  }
  return [error('bundle-id', 'it is no bundle id: letters, digits, - and full stops between them', wholeId)]
}

const wholeId = 'give the whole bundle id, such as com.example.rooms'

/** The name of an Android package: two or more parts, each of which begins with a letter. */
export function checkPackageName(text: string): Finding[] {
  if (packageName.test(text)) return []
  const message =
    'it is no package name: two or more parts with full stops between them, each a letter and then letters, digits and _'
  return [error('package-name', message, 'give the applicationId of the Android project, such as com.example.rooms')]
}

function checkTen(text: string, code: string, what: string, where: string): Finding[] {
  if (tenCharacters.test(text)) return []
  const other = tenCharacters.test(text.trim().toUpperCase()) ? `; ${text.trim().toUpperCase()} would be one` : ''
  return [error(code, `it is no ${what}: ten characters, A to Z and 0 to 9${other}`, where)]
}
