import {createHash, createPublicKey, type KeyObject, sign, verify} from 'node:crypto'
import {useIssued} from './content.js'
import {type CredentialFinding, error, forFile, note, warning} from './finding.js'
import {keyTypeName} from './p12/keyType.js'
import {keyTypeOf, notForApns, readKeyText, rsaKey} from './pem.js'

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

/** Reads the text of a .p8 file, and signs once to prove that it works. Problems are findings; throws nothing. */
export async function readApnsKey(file: string, text: string, expected: ExpectedKey): Promise<ApnsKey> {
  const keyId = keyIdOf(file)
  const ids = checkKeyIds(keyId, expected)
  const read = await readKeyText(file, text)
  if ('wrong' in read) {
    const findings = forFile([read.wrong, ...ids], file, keyId)
    return {kind: 'apns-key', keyId, curve: undefined, fingerprint: undefined, findings}
  }
  const {key, lines} = read
  const wrong = await wrongKey(file, key)
  return {
    kind: 'apns-key',
    keyId,
    curve: curveOf(key),
    fingerprint: fingerprintOf(key),
    findings: forFile([...(wrong ? [wrong] : []), ...lines, ...ids, ...purpose(file)], file, keyId),
  }
}

/** `AuthKey_ABC123DEFG.p8`, the older `APNSAuthKey_…`, and what systems call copies of it: `Copy of …`, ` (1)`, ` 2`, ` copy`, ` - Copy`, `.p8.txt`. */
export function keyIdOf(file: string): string | undefined {
  return /(?:^|[/\\ ])(?:APNS)?AuthKey_([A-Z0-9]{10})(?![A-Z0-9])[^/\\]*$/iu.exec(file)?.[1]?.toUpperCase()
}

const p256 = 'P-256'
const curves: Readonly<Record<string, string>> = {prime256v1: p256, secp384r1: 'P-384', secp521r1: 'P-521'}

function curveOf({asymmetricKeyDetails}: KeyObject): string | undefined {
  const curve = asymmetricKeyDetails?.namedCurve
  return curve && (curves[curve] ?? curve)
}

async function wrongKey(file: string, key: KeyObject): Promise<CredentialFinding | undefined> {
  const {asymmetricKeyType: type} = key
  if (type === 'rsa') return rsaKey(file)
  if (type !== 'ec') return notForApns(keyTypeName((await keyTypeOf(key.export({type: 'pkcs8', format: 'der'}))) ?? ''))
  const curve = curveOf(key)
  if (curve !== p256) return notForApns(`an EC key on ${curve ?? 'a curve without a name'}`, 'not-p256')
  return works(key)
    ? undefined
    : error('cannot-sign', 'its key cannot sign: it does not match its own public key', useIssued)
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
export async function signProviderToken(
  bytes: Uint8Array,
  {keyId, teamId, issuedAt}: Record<'keyId' | 'teamId', string> & {readonly issuedAt: Date},
): Promise<string> {
  const read = await readKeyText('', Buffer.from(bytes).toString('utf8'))
  if ('wrong' in read) throw new Error('the key cannot be read')
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
  'the key id is in the file name, between AuthKey_ and .p8, the team id under Membership details at developer.apple.com/account'

function purpose(file: string): CredentialFinding[] {
  const [, other] = forOtherServices.find(([pattern]) => pattern.test(file)) ?? []
  if (other === undefined) {
    const message =
      'a key file does not contain its team, environment or topics, nor whether it is for APNs or App Store Connect; push prove asks Apple'
    return [note('not-in-file', message)]
  }
  return [
    warning('other-service', `its name says that it is a key for ${other}, which APNs does not accept`, useIssued),
  ]
}

/** altool and its like look for keys of App Store Connect in folders of this name. */
const forOtherServices: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[/\\])SubscriptionKey_/iu, 'in-app purchases'],
  [/(?:^|[/\\])(?:ApiKey_|\.?private_keys[/\\])/iu, 'App Store Connect'],
]
