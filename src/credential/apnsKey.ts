import {createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify} from 'node:crypto'
import {classifyContent} from './content.js'
import {type CredentialFinding, error, note, warning} from './finding.js'

/** The contents of a .p8 file, without the private key. */
export interface ApnsKey {
  readonly kind: 'apns-key'
  /** From the name of the file. */
  readonly keyId: string | undefined
  /** `P-256` for a usable key, the name of another curve, or undefined without a curve. */
  readonly curve: string | undefined
  /** SHA-256 of the public key (SubjectPublicKeyInfo), hexadecimal with colons, for two people to compare. */
  readonly fingerprint: string | undefined
  readonly findings: readonly CredentialFinding[]
}

export interface ExpectedKey {
  readonly keyId?: string | undefined
  readonly teamId?: string | undefined
}

/** Reads a .p8 file (product §7) that is no other known file (`inspect`), and signs once to prove that it works. Problems are findings; throws nothing. */
export function readApnsKey(fileName: string, bytes: Uint8Array, expected: ExpectedKey): ApnsKey {
  const keyId = keyIdOf(fileName)
  const ids = checkKeyIds(keyId, expected)
  const content = classifyContent(bytes)
  const read = content.form === 'text' ? readKeyText(content.text) : {wrong: binary}
  if ('wrong' in read) {
    return {kind: 'apns-key', keyId, curve: undefined, fingerprint: undefined, findings: [read.wrong, ...ids]}
  }
  const {key, lines} = read
  const wrong = wrongKey(key)
  return {
    kind: 'apns-key',
    keyId,
    curve: curveOf(key),
    fingerprint: fingerprintOf(key),
    findings: [...(wrong ? [wrong] : []), ...lines, ...ids, ...purpose(fileName)],
  }
}

/** `AuthKey_ABC123DEFG.p8`, the older `APNSAuthKey_…`, and the second download of one: `AuthKey_ABC123DEFG (1).p8`. */
function keyIdOf(fileName: string): string | undefined {
  return /(?:^|[/\\])(?:APNS)?AuthKey_([A-Z0-9]{10})(?: ?\(\d+\))?\.p8$/iu.exec(fileName)?.[1]?.toUpperCase()
}

const binary = error(
  'binary',
  'it is not text; a .p8 is text that begins with -----BEGIN PRIVATE KEY-----',
  'if it is a key in DER: openssl pkey -inform DER -in FILE -out AuthKey_KEYID.p8',
)

const p256 = 'P-256'
const curves: Readonly<Record<string, string>> = {prime256v1: p256, secp384r1: 'P-384', secp521r1: 'P-521'}

function curveOf({asymmetricKeyDetails}: KeyObject): string | undefined {
  const curve = asymmetricKeyDetails?.namedCurve
  return curve && (curves[curve] ?? curve)
}

function wrongKey(key: KeyObject): CredentialFinding | undefined {
  const advice = 'use the .p8 issued by Apple for APNs: developer.apple.com/account, Keys'
  const curve = curveOf(key)
  if (key.asymmetricKeyType !== 'ec') {
    const type = key.asymmetricKeyType?.toUpperCase().replace('ED', 'Ed') ?? 'unknown'
    return error('not-ec', `its key is an ${type} key; a .p8 for APNs is an EC key on P-256`, advice)
  }
  if (curve !== p256) {
    const named = curve ?? 'a curve without a name'
    return error('not-p256', `its key is an EC key on ${named}; a .p8 for APNs is an EC key on P-256`, advice)
  }
  return works(key)
    ? undefined
    : error('cannot-sign', 'its key cannot sign: it does not match its own public key', advice)
}

/** Signs as APNs asks (ES256), and checks the signature with the public key that the file states. */
function works(key: KeyObject): boolean {
  const data = Buffer.from('roomctl')
  const dsaEncoding = 'ieee-p1363'
  try {
    const signature = sign('sha256', data, {key, dsaEncoding})
    return verify('sha256', data, {key: createPublicKey(key), dsaEncoding}, signature)
  } catch {
    return false
  }
}

/** The provider token of APNs, a JWT with ES256 (RFC 7518 §3.4), valid for an hour. Throws an error for an invalid key. */
export function signProviderToken(
  bytes: Uint8Array,
  {keyId, teamId, issuedAt}: Record<'keyId' | 'teamId', string> & {readonly issuedAt: Date},
): string {
  const content = classifyContent(bytes)
  const read = content.form === 'text' ? readKeyText(content.text) : undefined
  if (!read || 'wrong' in read) throw new Error('the key cannot be read')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const issued = Math.floor(issuedAt.getTime() / 1000)
  const text = `${part({alg: 'ES256', kid: keyId})}.${part({iss: teamId, iat: issued})}`
  const signature = sign('sha256', Buffer.from(text), {key: read.key, dsaEncoding: 'ieee-p1363'})
  return `${text}.${signature.toString('base64url')}`
}

function fingerprintOf(key: KeyObject): string | undefined {
  try {
    const der = createPublicKey(key).export({type: 'spki', format: 'der'})
    const digest = createHash('sha256').update(der).digest('hex').toUpperCase()
    return digest.match(/../g)?.join(':')
  } catch {
    return undefined
  }
}

/** Whether the ids fit each other and the id in the name of the file. */
export function checkKeyIds(named: string | undefined, {keyId, teamId}: ExpectedKey): CredentialFinding[] {
  if (keyId !== undefined && keyId === teamId) {
    return [error('same-ids', `the key id and the team id are the same: ${keyId}`, whereIds)]
  }
  if (named === undefined) return []
  if (teamId === named) {
    const message = `the file name says that ${named} is the key id, but it was given as the team id: the two are swapped`
    return [error('swapped-ids', message, whereIds)]
  }
  if (keyId === undefined || keyId === named) return []
  const message = `the file name says that ${named} is the key id, but ${keyId} was given`
  return [warning('other-key-id', message, whereIds)]
}

const whereIds =
  'the key id is in the file name, AuthKey_<KEYID>.p8, the team id under Membership details at developer.apple.com/account'

const textAround = warning(
  'text-around',
  'text or a byte order mark surrounds the key, which the service may refuse',
  'keep only the lines from -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----',
)

function purpose(fileName: string): CredentialFinding[] {
  if (/(?:^|[/\\])SubscriptionKey_/iu.test(fileName)) {
    const message = 'its name says that it is a key for in-app purchases, which APNs does not accept'
    return [warning('subscription-key', message, 'use the file named AuthKey_<KEYID>.p8')]
  }
  return [
    note('not-in-file', 'a key file does not contain its team, environment or topics, nor whether it is for APNs'),
  ]
}

const begin = '-----BEGIN PRIVATE KEY-----'
const end = '-----END PRIVATE KEY-----'
const original = 'use the file as issued by Apple; it can be downloaded only once, so create a new key if it is lost'

/** The one private key in PKCS#8 PEM with findings about its lines, or what the text is instead. */
function readKeyText(text: string) {
  const wrong = wrongText(text)
  if (wrong) return {wrong}
  const match = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/.exec(text)
  if (!match) return {wrong: truncated}
  const [whole, body = ''] = match
  const der = Buffer.from(body.replaceAll(/\s/gu, ''), 'base64')
  try {
    const key = createPrivateKey({key: der, format: 'der', type: 'pkcs8'})
    return {key, lines: lineFindings(text, whole)}
  } catch {
    return {wrong: isCut(der) ? truncated : damaged}
  }
}

/**
 * The file is sent unchanged, and the service may read PEM by the strict grammar (RFC 7468 §3), by which a
 * key is lines of at most 64 characters of base64 between the two others. Longer lines are only a warning: OpenSSL reads them.
 */
function lineFindings(text: string, whole: string): CredentialFinding[] {
  const at = text.indexOf(whole)
  const after = /[\r\n]|$/u.exec(text.slice(at + whole.length))?.index ?? 0
  const block = text.slice(text.lastIndexOf('\n', at) + 1, at + whole.length + after)
  const lines = block.replace(/^\ufeff/u, '').split(/\r?\n/u)
  if (lines[0]?.trim() !== begin || lines.at(-1)?.trim() !== end) {
    return [notLines('one-line', 'its first and last line are not on lines of their own')]
  }
  if (lines.some((line) => /^[ \t]/u.test(line))) return [notLines('indented', 'its lines are indented')]
  const base64 = lines.slice(1, -1).map((line) => /^([\w+/=]+)[ \t]*$/u.exec(line)?.[1]?.length)
  if (base64.includes(undefined)) return [notLines('base64-lines', 'its base64 has blanks or empty lines')]
  const isLong = base64.some((length = 0) => length > 64)
  return [
    ...(isLong ? [notLines('long-lines', 'its base64 is in lines of more than 64 characters', warning)] : []),
    ...(text.trim() === whole && !text.startsWith('\ufeff') ? [] : [textAround]),
  ]
}

function notLines(code: string, what: string, level = error): CredentialFinding {
  const body = "sed 's/-----[^-]*-----//g' FILE | tr -d ' \\t\\r\\n' | fold -w 64; echo"
  const command = `{ echo '${begin}'; ${body}; echo '${end}'; } > AuthKey_KEYID.p8`
  return level(code, `${what}, and the service may not read it`, command)
}

const truncated = error('truncated', 'the key is truncated: its end is missing', original)
const damaged = error(
  'damaged',
  'the key is damaged: the text between its BEGIN and END lines is not a private key',
  original,
)

function wrongText(text: string): CredentialFinding | undefined {
  const labels = [...text.matchAll(/-----BEGIN ([^-\r\n]*)-----/g)].map(([, label = '']) => label)
  const [label] = labels
  if (label === undefined) return withoutLines(text)
  if (/-----BEGIN [^-\r\n]*-----\s*\\[nr]/u.test(text)) {
    return error('escaped', 'its line breaks are written as \\n, as in JSON', 'replace each \\n with a line break')
  }
  if (/^Proc-Type: 4,ENCRYPTED/mu.test(text)) return kinds['ENCRYPTED PRIVATE KEY']
  if (labels.includes('EC PRIVATE KEY')) return kinds['EC PRIVATE KEY']
  if (labels.length > 1) {
    return error(
      'several-blocks',
      `it contains ${labels.length} PEM blocks (${labels.join(', ')}); a .p8 contains one`,
      original,
    )
  }
  if (label === 'PRIVATE KEY') return undefined
  return kinds[label] ?? error('other-pem', `it is a PEM file with ${label || 'nothing'}, not PRIVATE KEY`, original)
}

const kinds: Readonly<Record<string, CredentialFinding>> = {
  'EC PRIVATE KEY': error(
    'sec1',
    'its key is in SEC1 form (EC PRIVATE KEY); a .p8 is in PKCS#8 form (PRIVATE KEY)',
    'openssl pkcs8 -topk8 -nocrypt -in FILE -out AuthKey_KEYID.p8',
  ),
  'ENCRYPTED PRIVATE KEY': error(
    'encrypted',
    'its key is encrypted; the service accepts no password for a .p8',
    'openssl pkey -in FILE -out AuthKey_KEYID.p8',
  ),
  'PUBLIC KEY': error('public-key', 'it contains only a public key; APNs needs the private key', original),
  'RSA PRIVATE KEY': error('rsa', 'it contains an RSA key; a .p8 for APNs is an EC key on P-256', original),
  'OPENSSH PRIVATE KEY': error('openssh', 'it is an SSH key; a .p8 for APNs is an EC key on P-256', original),
  CERTIFICATE: error(
    'certificate',
    'it is a certificate without a key',
    'export the certificate with its key as a .p12, then: roomctl push ios FILE',
  ),
  'CERTIFICATE REQUEST': error('request', 'it is a signing request; Apple issues the certificate for it', original),
}

function withoutLines(text: string): CredentialFinding {
  if (text.includes('-----END ')) return error('truncated', 'the key is truncated: its beginning is missing', original)
  const bare = text.replaceAll(/\s/gu, '')
  if (/^[\w+/=-]{40,}$/.test(bare)) {
    return error('bare-base64', `it is base64 without the line ${begin} before and the END line after it`, original)
  }
  return error('not-pem', `it is text, but not a key: a .p8 begins with ${begin}`, original)
}

/** Whether the outermost length of DER names more bytes than there are. */
function isCut(der: Buffer): boolean {
  const length = der[1] ?? 0
  if (der[0] !== 0x30) return der.length === 0
  if (length < 0x80) return 2 + length > der.length
  const size = length - 0x80
  return size > 4 || der.length < 2 + size || 2 + size + der.readUIntBE(2, Math.max(1, size)) > der.length
}
