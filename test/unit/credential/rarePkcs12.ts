import forge from 'node-forge'
import type {TestCredentials} from '../../../scripts/testCredentials.js'
import {contentOf, der, endless, partsOf} from './der.js'

/** Object identifiers of PKCS#7 data and of a pkcs8ShroudedKeyBag. */
const data = Buffer.from('06092a864886f70d010701', 'hex')
const shroudedKeyBag = Buffer.from('060b2a864886f70d010c0a0102', 'hex')
const version = Buffer.of(2, 1, 3)

/** One .p12 without a MAC that holds the parts of several. */
export function joined(...files: readonly Buffer[]): Buffer {
  return pfx(...files.flatMap((file) => partsOf(safeOf(file))))
}

/** The same file with indefinite lengths, and its contents in two pieces. */
export function inPieces(file: Buffer): Buffer {
  const [, , mac = Buffer.alloc(0)] = partsOf(file)
  const safe = safeOf(file)
  const pieces = endless(0x24, der(0x04, safe.subarray(0, 500)), der(0x04, safe.subarray(500)))
  return endless(0x30, version, endless(0x30, data, endless(0xa0, pieces)), mac)
}

/** A .p12 without a MAC whose key is encrypted with no password at all, not with an empty one. */
export function keyWithoutPassword(made: TestCredentials): Buffer {
  const certificate = made.p12({key: null, encryption: 'none', mac: false})
  const key = forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(forge.pki.privateKeyFromPem(made.key('key'))))
  // The types ask for a password; the library takes null for none.
  const shrouded = forge.pki.encryptPrivateKeyInfo(key, null as unknown as string, {algorithm: '3des'})
  const bag = der(0x30, shroudedKeyBag, der(0xa0, Buffer.from(forge.asn1.toDer(shrouded).getBytes(), 'latin1')))
  return pfx(...partsOf(safeOf(certificate)), der(0x30, data, der(0xa0, der(0x04, der(0x30, bag)))))
}

/** A .p12 whose MAC is made with no password at all. */
export function macWithoutPassword(made: TestCredentials): Buffer {
  const key = forge.pki.privateKeyFromPem(made.key('key'))
  const certificate = forge.pki.certificateFromPem(made.certificate())
  const file = forge.pkcs12.toPkcs12Asn1(key, certificate, null)
  return Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1')
}

/** The same file, signed with a certificate in place of a password (RFC 7292 §4: public-key integrity mode). */
export function signed(file: Buffer): Buffer {
  return Buffer.from(file.toString('hex').replace(data.toString('hex'), '06092a864886f70d010702'), 'hex')
}

function pfx(...parts: readonly Buffer[]): Buffer {
  return der(0x30, version, der(0x30, data, der(0xa0, der(0x04, der(0x30, ...parts)))))
}

/** The AuthenticatedSafe of a .p12 (RFC 7292 §4): PFX {version, ContentInfo {data, [0] {OCTET STRING}}, …}. */
function safeOf(file: Buffer): Buffer {
  const [, info = Buffer.alloc(0)] = partsOf(file)
  const [, tagged = Buffer.alloc(0)] = partsOf(info)
  const [octets = Buffer.alloc(0)] = partsOf(tagged)
  return contentOf(octets)
}
