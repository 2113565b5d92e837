import {createHmac, pbkdf2Sync} from 'node:crypto'
import {contentOf, der, partsOf} from './der.js'

const hmacs = {
  sha1: '06082a864886f70d0207',
  sha256: '06082a864886f70d0209',
  sha512: '06082a864886f70d020b',
  'sha3-256': '060960864801650304020e',
  // An arc that no document assigns.
  unknown: '06082a864886f70d0263',
} as const

interface Pbmac1 {
  readonly digest?: keyof typeof hmacs
  readonly password?: string
  readonly rounds?: number
  readonly keyLength?: number | undefined
}

/** In the fewest bytes, as DER has it: OpenSSL refuses more. */
function integer(value: number): Buffer {
  const digits = value.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return der(2, Buffer.from(/^[89a-f]/u.test(even) ? `00${even}` : even, 'hex'))
}

const oid = (hex: string) => Buffer.from(hex, 'hex')
const salt = Buffer.from('0123456789abcdef', 'hex')

/** A .p12 without a MAC with one of PBMAC1 (RFC 9579), PBKDF2 and HMAC of one digest. */
export function withPbmac1(bare: Buffer, options: Pbmac1 = {}): Buffer {
  const {digest = 'sha256', password = 'secret', rounds = 2048} = options
  const keyLength = 'keyLength' in options ? options.keyLength : 32
  const [version, safe] = partsOf(bare)
  if (!version || !safe) throw new Error('not a .p12')
  const content = contentOf(contentOf(partsOf(safe)[1] ?? Buffer.alloc(0)))
  const known = digest === 'unknown' ? 'sha256' : digest
  const key = pbkdf2Sync(password, salt, Math.min(rounds, 2048), keyLength ?? 32, known)
  const mac = createHmac(known, key).update(content).digest()
  const hmac = der(0x30, oid(hmacs[digest]), der(5))
  const length = keyLength === undefined ? [] : [integer(keyLength)]
  const derivation = der(0x30, oid('06092a864886f70d01050c'), der(0x30, der(4, salt), integer(rounds), ...length, hmac))
  const algorithm = der(0x30, oid('06092a864886f70d01050e'), der(0x30, derivation, hmac))
  const macData = der(0x30, der(0x30, algorithm, der(4, mac)), der(4, Buffer.of(0)), integer(1))
  return der(0x30, version, safe, macData)
}

/** The file with another bit in the last byte of its MAC, which a salt and a count follow. */
export function flipped(p12: Buffer, after = afterMac(p12)): Buffer {
  const copy = Buffer.from(p12)
  const at = copy.length - after
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

function afterMac(p12: Buffer): number {
  const [, salted, count] = partsOf(partsOf(p12)[2] ?? Buffer.alloc(0))
  return (salted?.length ?? 0) + (count?.length ?? 0) + 1
}

/** The digest of a MAC (SHA-256) named by another object identifier of the same length. */
export function unknownDigest(p12: Buffer): Buffer {
  const copy = Buffer.from(p12)
  const at = copy.lastIndexOf(oid('0609608648016503040201'))
  if (at < 0) throw new Error('no MAC with SHA-256')
  copy[at + 10] = 0x63
  return copy
}
