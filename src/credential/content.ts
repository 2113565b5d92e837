import {isUtf8} from 'node:buffer'
import {createPrivateKey, X509Certificate} from 'node:crypto'
import {unlessError} from '../text/text.js'
import {type CredentialFinding, error} from './finding.js'

/** `foreign`: clearly neither a .p8 nor a .p12. Only `text` can hold PEM, only `pkcs12` can be a .p12. */
export type CredentialContent =
  | {readonly form: 'pkcs12' | 'binary'}
  | {readonly form: 'text'; readonly text: string}
  | {readonly form: 'foreign'; readonly finding: CredentialFinding}

/** Says what the bytes of a file are. `expected`: what they should be, for people. */
export function classifyContent(bytes: Uint8Array, expected = 'a .p8 key or a .p12 certificate'): CredentialContent {
  const foreign = (form: WrongForm, around = ''): CredentialContent => {
    const [what, advice] = wrongForms[form]
    return {form: 'foreign', finding: error(form, `it is ${around}${what}; expected ${expected}`, advice)}
  }
  if (!isUtf8(bytes) || bytes.includes(0)) {
    const form = binaryForm(bytes)
    return form === 'pkcs12' || form === 'binary' ? {form} : foreign(form)
  }
  const text = Buffer.from(bytes).toString('utf8')
  const form = textForm(text)
  if (form) return foreign(form)
  const decoded = fromBase64(text)
  const inner = decoded && textForm(decoded.toString('utf8'))
  if (inner) return foreign(inner, 'base64 of ')
  const kept = decoded && keptInBase64(decoded)
  if (kept === undefined) return {form: 'text', text}
  const [what, made] = kept
  const isPlain = /^[\w+/=\n]+$/u.test(text)
  const read = isPlain ? 'base64 -d < FILE' : "sed 's/^.*,//' FILE | tr -cd 'A-Za-z0-9+/=' | base64 -d"
  const message = `it is base64 of ${what}, as the secrets of CI hold it; expected ${expected}`
  return {form: 'foreign', finding: error('base64', message, `${read} > ${made}`)}
}

/** The bytes of a text that is base64 alone, also in quotes or as a `data:` address. */
function fromBase64(text: string): Buffer | undefined {
  const bare = text.replace(/^\s*["']?data:[^,]*;base64,/u, '').replaceAll(/["'\s]/gu, '')
  return /^[A-Za-z0-9+/]{40,}={0,2}$/u.test(bare) ? Buffer.from(bare, 'base64') : undefined
}

/** What base64 holds, and the file to write it to. A key without its lines is not among it: it needs them. */
function keptInBase64(decoded: Buffer): readonly [what: string, made: string] | undefined {
  if (binaryForm(decoded) === 'pkcs12') return ['a .p12', 'new.p12']
  const text = decoded.toString('utf8')
  if (!text.includes('-----BEGIN ')) return undefined
  return text.includes('-----BEGIN CERTIFICATE-----') ? ['PEM text', 'new.pem'] : ['a whole .p8', 'new.p8']
}

export const exportBoth = 'in Keychain Access select the certificate and the key below it, and export both as .p12'
export const useIssued =
  'use the file of Apple whose name begins with AuthKey_; developer.apple.com/account, Keys, shows which keys are for APNs'
export const copyServerKey =
  'copy the server key of the Cloud Messaging API (Legacy): Firebase console, Project settings, Cloud Messaging'

type WrongForm = keyof typeof wrongForms

/** What a file is, and how to get the right one. */
const wrongForms = {
  empty: ['empty', 'check that the download or copy was complete'],
  'utf-16': ['text in UTF-16', 'iconv -f UTF-16 -t UTF-8 FILE > new.p8'],
  certificate: ['a certificate without a key (.cer)', exportBoth],
  'der-key': ['a private key in DER', 'openssl pkey -inform DER -in FILE -out new.p8'],
  zip: ['a ZIP archive', 'unzip FILE'],
  keystore: [
    'a keystore of Java',
    'keytool -importkeystore -srckeystore FILE -destkeystore new.p12 -deststoretype PKCS12',
  ],
  profile: ['a provisioning profile, which belongs in the iOS application', useIssued],
  plist: ['a property list; GoogleService-Info.plist belongs in the iOS application', useIssued],
  'web-page': ['a web page', 'download it again, signed in at developer.apple.com'],
  rtf: [
    'rich text (RTF), as TextEdit stores it',
    'open it in TextEdit, choose Format, Make Plain Text, and save it under the name of the .p8',
  ],
  'git-lfs': ['a pointer of Git LFS, not the file itself', 'git lfs pull'],
  'service-account': ['the JSON of a service account, which push does not use', `for Android, ${copyServerKey}`],
  'google-services': [
    'google-services.json, which belongs in the Android application',
    `for Android, ${copyServerKey}`,
  ],
  'app-store-connect': ['the JSON of a key of App Store Connect, which APNs does not accept', useIssued],
  json: ['JSON', useIssued],
} as const

/** The likelier first. `\s` includes the byte order mark. */
const texts: readonly (readonly [RegExp, WrongForm])[] = [
  [/^\s*$/u, 'empty'],
  [/^\s*<.{0,500}?(?:<plist|doctype plist)/isu, 'plist'],
  [/^\s*<(?:!doctype|html|head|body|\?xml)/iu, 'web-page'],
  [/^\s*\{\\rtf/u, 'rtf'],
  [/^version https:\/\/git-lfs/u, 'git-lfs'],
  [/^\s*[{[].*"type"\s*:\s*"service_account"/su, 'service-account'],
  [/^\s*[{[].*"project_info"\s*:/su, 'google-services'],
  [/^\s*[{[].*"issuer_id"\s*:/su, 'app-store-connect'],
  [/^\s*[{[]/u, 'json'],
]

function textForm(text: string): WrongForm | undefined {
  return texts.find(([pattern]) => pattern.test(text))?.[1]
}

const beginnings: readonly (readonly [string, WrongForm])[] = [
  ['fffe', 'utf-16'],
  ['feff', 'utf-16'],
  ['504b0304', 'zip'],
  ['feedfeed', 'keystore'],
  [Buffer.from('bplist').toString('hex'), 'plist'],
]

function binaryForm(bytes: Uint8Array): WrongForm | 'pkcs12' | 'binary' {
  const begin = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  const known = beginnings.find(([hex]) => begin.startsWith(hex))
  if (known) return known[1]
  if (isPkcs12(bytes)) return 'pkcs12'
  if (unlessError(() => new X509Certificate(bytes).subject, undefined) !== undefined) return 'certificate'
  if (isKey(bytes)) return 'der-key'
  return Buffer.from(bytes).includes('<plist') ? 'profile' : 'binary'
}

/** RFC 7292 §4: PFX ::= SEQUENCE {version INTEGER {v3(3)}, …}, its length in any of the forms of BER. */
function isPkcs12(bytes: Uint8Array): boolean {
  const [tag, length = 0] = bytes
  const more = length > 0x80 ? length - 0x80 : 0
  const [type, size, version] = bytes.subarray(2 + more)
  return tag === 0x30 && more <= 4 && type === 0x02 && size === 1 && version === 3
}

function isKey(bytes: Uint8Array): boolean {
  const key = Buffer.from(bytes)
  const types = ['pkcs8', 'sec1', 'pkcs1'] as const
  return types.some((type) => unlessError(() => createPrivateKey({key, format: 'der', type}) !== undefined, false))
}
