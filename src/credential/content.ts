import {isUtf8} from 'node:buffer'
import {X509Certificate} from 'node:crypto'
import {type CredentialFinding, error} from './finding.js'

export type CredentialContent =
  | {readonly form: 'empty' | 'large' | 'pkcs12' | 'certificate' | 'binary' | 'utf-16'}
  | {readonly form: 'web-page' | 'service-account' | 'google-services' | 'json'}
  | {readonly form: 'text'; readonly text: string}

/** Says what the bytes of a file are. Only `text` can hold PEM, only `pkcs12` can be a .p12. */
export function classifyContent(bytes: Uint8Array): CredentialContent {
  if (bytes.length > maxCredentialBytes) return {form: 'large'}
  if (!isUtf8(bytes) || bytes.includes(0)) return {form: binaryForm(bytes)}
  const text = Buffer.from(bytes).toString('utf8')
  if (text.trim() === '') return {form: 'empty'}
  if (/^\s*<(?:!doctype|html|head|body|\?xml)/iu.test(text)) return {form: 'web-page'}
  const json = jsonKind(text)
  return json === undefined ? {form: 'text', text} : {form: json}
}

/** The error for a file that is clearly neither a .p8 nor a .p12; else undefined. */
export function foreignContent({form}: CredentialContent): CredentialFinding | undefined {
  const found = foreigners[form]
  return found && error(form, `${found.what}; expected a .p8 key or a .p12 certificate`, found.try)
}

export const exportBoth = 'in Keychain Access select the certificate and the key below it, and export both as .p12'

const foreigners: Readonly<Record<string, {what: string; try: string}>> = {
  empty: {what: 'it is empty', try: 'check that the download or copy was complete'},
  large: {
    what: 'it is larger than 1 MiB',
    try: 'check that this is the right file: a key or certificate has a few KiB',
  },
  'utf-16': {what: 'it is text in UTF-16', try: 'save it as plain text (UTF-8), or download it again'},
  certificate: {what: 'it is a certificate without a key (.cer)', try: exportBoth},
  'web-page': {what: 'it is a web page', try: 'download it again, signed in at developer.apple.com'},
  'service-account': {
    what: 'it is the JSON of a service account',
    try: 'check that this is the right file; push does not use service accounts',
  },
  'google-services': {
    what: 'it is google-services.json, which belongs in the Android application',
    try: 'check that this is the right file; push android takes the package name and the server key',
  },
  json: {what: 'it is JSON', try: 'check that this is the right file'},
}

function binaryForm(bytes: Uint8Array): 'utf-16' | 'pkcs12' | 'certificate' | 'binary' {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'utf-16'
  if (isPkcs12(bytes)) return 'pkcs12'
  return isCertificate(bytes) ? 'certificate' : 'binary'
}

/** RFC 7292 §4: PFX ::= SEQUENCE {version INTEGER {v3(3)}, …}, its length in any of the forms of BER. */
function isPkcs12(bytes: Uint8Array): boolean {
  const [tag, length = 0] = bytes
  const more = length > 0x80 ? length - 0x80 : 0
  const [type, size, version] = bytes.subarray(2 + more)
  return tag === 0x30 && more <= 4 && type === 0x02 && size === 1 && version === 3
}

function isCertificate(bytes: Uint8Array): boolean {
  try {
    return new X509Certificate(bytes).subject !== undefined
  } catch {
    return false
  }
}

/** A key has 300 bytes, a certificate with its chain 10 KiB: a larger file is not read. */
export const maxCredentialBytes = 1024 * 1024

/** The kind of Google's file in a text, `json` for any other JSON object or list, else undefined. */
export function jsonKind(text: string): 'service-account' | 'google-services' | 'json' | undefined {
  const trimmed = text.replace(/^\ufeff/u, '').trim()
  if (!/^[{[]/.test(trimmed)) return undefined
  if (/"type"\s*:\s*"service_account"/.test(trimmed)) return 'service-account'
  if (/"project_info"\s*:/.test(trimmed)) return 'google-services'
  return 'json'
}

/** Names a text that was given in place of a .p12, a binary file. */
export function pemInstead(text: string): CredentialFinding {
  const hasKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)
  const hasCertificate = text.includes('-----BEGIN CERTIFICATE-----')
  if (hasKey && hasCertificate) {
    const message = 'it is PEM text with a certificate and a key; expected a .p12'
    return error('pem', message, 'openssl pkcs12 -export -in FILE -out NEW.p12')
  }
  if (hasCertificate) {
    const message = 'it is a certificate in PEM text without its key; expected a .p12 with both'
    return error('pem-certificate', message, 'openssl pkcs12 -export -inkey KEY.pem -in FILE -out NEW.p12')
  }
  if (/^MII[\w+/=\s]+$/u.test(text.trim())) {
    const message = 'it is base64 text; expected the .p12 itself'
    return error('base64', message, 'base64 -d < FILE > NEW.p12')
  }
  return error('not-p12', 'it is text; expected a .p12 certificate with its key', 'check that this is the right file')
}
