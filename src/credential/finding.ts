import {shellWord} from '../advice.js'

/** `error`: it cannot work and is not sent. `warning`: check it. `note`: not readable from the file. */
export interface CredentialFinding {
  readonly level: 'error' | 'warning' | 'note'
  readonly code: string
  /** A phrase without a full stop, about `it`: the file, the key or the text. It may hold words of the file, never a secret. */
  readonly message: string
  readonly try?: string
}

export function error(code: string, message: string, advice?: string): CredentialFinding {
  return finding('error', code, message, advice)
}

export function warning(code: string, message: string, advice?: string): CredentialFinding {
  return finding('warning', code, message, advice)
}

export function note(code: string, message: string): CredentialFinding {
  return finding('note', code, message)
}

function finding(level: CredentialFinding['level'], code: string, message: string, advice?: string): CredentialFinding {
  return {level, code, message, ...(advice === undefined ? {} : {try: advice})}
}

/** Findings whose advice can be pasted: FILE is the file that was read, `new.p8` and the like a file beside it with its key id. */
export function forFile(findings: readonly CredentialFinding[], file: string, keyId?: string): CredentialFinding[] {
  const isTaken = /new\.\w+$/u.test(file)
  const made = `${keyId === undefined ? '' : `AuthKey_${keyId}-`}${isTaken ? 'newer' : 'new'}`
  const named = (advice: string) =>
    advice.replaceAll(/\bFILE\b|\bnew(?=\.p(?:8|12|em)\b)/gu, (word) => (word === 'FILE' ? shellWord(file) : made))
  return findings.map((finding) => (finding.try === undefined ? finding : {...finding, try: named(finding.try)}))
}

const tenCharacters = /^[A-Z0-9]{10}$/
const bundleId = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/
const packageName = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/

export function checkTeamId(text: string): CredentialFinding[] {
  return checkTen(text, 'team-id', 'team id', 'see Membership details at developer.apple.com/account')
}

export function checkKeyId(text: string): CredentialFinding[] {
  return checkTen(text, 'key-id', 'key id', 'it is in the name of the file issued by Apple, between AuthKey_ and .p8')
}

export function checkBundleId(text: string): CredentialFinding[] {
  if (bundleId.test(text)) return []
  return [error('bundle-id', 'it is not a bundle id: letters, digits, - and full stops between them', wholeId)]
}

const wholeId = 'use the full bundle id, such as com.example.rooms'

export function checkPackageName(text: string): CredentialFinding[] {
  if (packageName.test(text)) return []
  const message =
    'it is not a package name: two or more parts with full stops between them, each a letter and then letters, digits and _'
  return [error('package-name', message, 'use the applicationId of the Android project, such as com.example.rooms')]
}

function checkTen(text: string, code: string, what: string, where: string): CredentialFinding[] {
  if (tenCharacters.test(text)) return []
  const other = tenCharacters.test(text.trim().toUpperCase()) ? `; ${text.trim().toUpperCase()} would be one` : ''
  return [error(code, `it is not a ${what}: ten characters, A to Z and 0 to 9${other}`, where)]
}
