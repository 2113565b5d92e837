import {createPrivateKey, createSign, generateKeyPairSync, randomBytes} from 'node:crypto'
import {existsSync, linkSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import forge from 'node-forge'

export type KeyKind = 'rsa' | 'P-256' | 'P-384' | 'secp256k1' | 'ed25519'

export interface TestCertificateOptions {
  /** The name of the RSA key that it is for. */
  readonly key?: string
  /** CN, UID and OU of its subject. */
  readonly name?: string
  readonly uid?: string
  readonly team?: string
  /** Extensions by their object identifiers, with the DER of each in hex: Apple's marks unless it says others. */
  readonly extensions?: Readonly<Record<string, string>>
  /** Whether it may sign others. */
  readonly authority?: boolean
  /** Names and addresses that it is for, as openssl takes them: `IP:127.0.0.1,DNS:localhost`. */
  readonly alternatives?: string
  /** Instants in ISO 8601. */
  readonly from?: string
  readonly to?: string
  /** The certificate, and the name of its key, that signs it; it signs itself otherwise. */
  readonly issuer?: {readonly certificate: string; readonly key: string}
}

type Encryption = 'aes256' | '3des' | 'none'

export interface TestP12Options {
  /** The name of the key; null for a file without one. */
  readonly key?: string | null
  /** Certificates in PEM; the first is the key's. */
  readonly certificates?: readonly string[]
  readonly password?: string
  /** PBES2 with AES-256 as openssl 3 writes it, the 3DES of PKCS #12 (RFC 7292 appendix C), or none. */
  readonly encryption?: Encryption
  /** Whether it has a MAC, with SHA-256; it has unless it says no. */
  readonly mac?: boolean
}

/** The extensions by which Apple marks what a push certificate is for; each holds NULL. */
export const appleMarks = {
  sandbox: {'1.2.840.113635.100.6.3.1': '0500'},
  production: {'1.2.840.113635.100.6.3.2': '0500'},
  voip: {'1.2.840.113635.100.6.3.4': '0500'},
} as const

const {asn1, pki, pkcs12} = forge
const {Type, Class} = asn1

/** Of the derivation of a key from a password; openssl does 2048, which cost more than all else that is tried. */
const iterations = 100

/** Every key is made once a process, by its name and kind. */
const keys = new Map<string, string>()

/** Keys, certificates and .p12 files that are no secrets of anybody, made by node:crypto and node-forge for tests and the demo. */
export class TestCredentials {
  #folder: string | undefined

  /** A temporary folder; the caller removes it. */
  get folder(): string {
    this.#folder ??= mkdtempSync(path.join(tmpdir(), 'roomctl-credentials-'))
    return this.#folder
  }

  /** A private key in PKCS#8 PEM, the same one for the same name. */
  key(name: string, kind: KeyKind = 'rsa'): string {
    const id = `${name} ${kind}`
    const pem = keys.get(id) ?? (kind === 'rsa' ? sharedKey(id) : generated(kind))
    keys.set(id, pem)
    return pem
  }

  /** A certificate in PEM: by default one that Apple could have given for com.example.rooms, valid from 2026 to 2049. */
  certificate(options: TestCertificateOptions = {}): string {
    const {key = 'key', issuer} = options
    const certificate = pki.createCertificate()
    const {n, e} = pki.privateKeyFromPem(this.key(key))
    certificate.publicKey = pki.setRsaPublicKey(n, e)
    certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
    certificate.validity.notBefore = new Date(options.from ?? '2026-01-01T00:00:00Z')
    certificate.validity.notAfter = new Date(options.to ?? '2049-12-31T00:00:00Z')
    certificate.setSubject(subjectOf(options))
    const signer = issuer ? pki.certificateFromPem(issuer.certificate).subject : certificate.subject
    certificate.setIssuer(signer.attributes)
    certificate.setExtensions(extensionsOf(options))
    certificate.sign(nativeKey(this.key(issuer?.key ?? key), certificate), forge.md.sha256.create())
    return pki.certificateToPem(certificate)
  }

  /** A .p12 with a key and its certificates (RFC 7292 §4). */
  p12(options: TestP12Options = {}): Buffer {
    const {key = 'key', password = 'secret', encryption = 'aes256', mac = true} = options
    const certificates = options.certificates ?? [this.certificate({key: key ?? 'key'})]
    const way = {password, encryption}
    const parts: forge.asn1.Asn1[] = []
    if (certificates.length > 0) parts.push(certificatePart(sequence(...certificates.map(certificateBag)), way))
    if (key !== null) parts.push(data(sequence(keyBag(privateKeyInfo(this.key(key)), way))))
    const content = der(sequence(...parts))
    const pfx = sequence(integer(3), data(content), ...(mac ? [macData(content, password)] : []))
    return Buffer.from(der(pfx), 'latin1')
  }

  /** Writes a file into the folder and gives its path. */
  file(name: string, content: string | Buffer): string {
    const file = path.join(this.folder, name)
    writeFileSync(file, content, {mode: 0o600})
    return file
  }
}

/** An RSA key, which takes a tenth of a second and more: one for all processes of a run of tests, which has a folder for them. */
function sharedKey(id: string): string {
  const {TESTS_KEYS: folder} = process.env
  if (folder === undefined) return generated('rsa')
  const file = path.join(folder, id)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const own = `${file}-${process.pid}`
  writeFileSync(own, generated('rsa'), {mode: 0o600})
  try {
    linkSync(own, file)
  } catch {
    // Another process was first.
  }
  return readFileSync(file, 'utf8')
}

function generated(kind: KeyKind): string {
  const {privateKey} =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', {modulusLength: 2048})
      : kind === 'ed25519'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('ec', {namedCurve: kind})
  return privateKey.export({type: 'pkcs8', format: 'pem'}).toString()
}

/** A key whose signatures node:crypto makes: node-forge takes a tenth of a second for each. */
function nativeKey(pem: string, certificate: forge.pki.Certificate): forge.pki.rsa.PrivateKey {
  const key = pki.privateKeyFromPem(pem)
  key.sign = () => createSign('sha256').update(der(certificate.tbsCertificate), 'latin1').sign(pem).toString('latin1')
  return key
}

function subjectOf(options: TestCertificateOptions): forge.pki.CertificateField[] {
  const {uid = 'com.example.rooms', name = `Apple Push Services: ${uid}`, team = 'TEAM123456'} = options
  const fields = {
    '0.9.2342.19200300.100.1.1': uid,
    '2.5.4.3': name,
    '2.5.4.11': team,
    '2.5.4.10': 'Example',
    '2.5.4.6': 'KR',
  }
  return Object.entries(fields).map(([type, value]) => ({
    type,
    value,
    valueTagClass: Type.UTF8 as unknown as forge.asn1.Class,
  }))
}

function extensionsOf({extensions, authority = false, alternatives}: TestCertificateOptions): object[] {
  const apple: Readonly<Record<string, string>> =
    authority || alternatives ? {} : {...appleMarks.sandbox, ...appleMarks.production}
  const names = alternatives?.split(',').map((one) => {
    const [kind, value = ''] = one.split(/:(.*)/su)
    return kind === 'IP' ? {type: 7, ip: value} : {type: 2, value}
  })
  return [
    ...Object.entries(extensions ?? apple).map(([id, hex]) => ({id, value: forge.util.hexToBytes(hex)})),
    ...(authority ? [{name: 'basicConstraints', critical: true, cA: true}] : []),
    ...(authority ? [{name: 'keyUsage', critical: true, keyCertSign: true}] : []),
    ...(names ? [{name: 'subjectAltName', altNames: names}] : []),
  ]
}

function sequence(...values: forge.asn1.Asn1[]) {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, values)
}

function tagged(value: forge.asn1.Asn1) {
  return asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [value])
}

function octets(bytes: string) {
  return asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes)
}

function integer(value: number) {
  return asn1.create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(value).getBytes())
}

function identifier(name: string) {
  return asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(pki.oids[name] ?? name).getBytes())
}

function der(value: forge.asn1.Asn1): string {
  return asn1.toDer(value).getBytes()
}

function privateKeyInfo(pem: string) {
  return asn1.fromDer(createPrivateKey(pem).export({type: 'pkcs8', format: 'der'}).toString('latin1'))
}

interface Way {
  readonly password: string
  readonly encryption: Encryption
}

/** {AlgorithmIdentifier, OCTET STRING}: what an EncryptedPrivateKeyInfo is, around whatever value. */
function encrypted(value: forge.asn1.Asn1, {password, encryption}: Way): forge.asn1.Asn1[] {
  const text = encryption === 'aes256' ? forge.util.encodeUtf8(password) : password
  const options = {algorithm: encryption, count: iterations, prfAlgorithm: 'sha256'} as forge.pki.EncryptionOptions
  return pki.encryptPrivateKeyInfo(value, text, options).value as forge.asn1.Asn1[]
}

function data(content: forge.asn1.Asn1 | string) {
  return sequence(identifier('data'), tagged(octets(typeof content === 'string' ? content : der(content))))
}

function certificatePart(bags: forge.asn1.Asn1, way: Way) {
  if (way.encryption === 'none') return data(bags)
  const [algorithm, bytes] = encrypted(bags, way)
  if (!algorithm || !bytes) throw new Error('nothing was encrypted')
  const content = asn1.create(Class.CONTEXT_SPECIFIC, 0, false, bytes.value)
  const version = integer(0)
  return sequence(
    identifier('encryptedData'),
    tagged(sequence(version, sequence(identifier('data'), algorithm, content))),
  )
}

function certificateBag(pem: string) {
  const certificate = octets(der(pki.certificateToAsn1(pki.certificateFromPem(pem))))
  return sequence(identifier('certBag'), tagged(sequence(identifier('x509Certificate'), tagged(certificate))))
}

function keyBag(info: forge.asn1.Asn1, way: Way) {
  if (way.encryption === 'none') return sequence(identifier('keyBag'), tagged(info))
  return sequence(identifier('pkcs8ShroudedKeyBag'), tagged(sequence(...encrypted(info, way))))
}

function macData(content: string, password: string) {
  const salt = randomBytes(8).toString('latin1')
  const key = pkcs12.generateKey(password, forge.util.createBuffer(salt), 3, iterations, 32, forge.md.sha256.create())
  const hmac = forge.hmac.create()
  hmac.start('sha256', key)
  hmac.update(content)
  const algorithm = sequence(identifier('sha256'), asn1.create(Class.UNIVERSAL, Type.NULL, false, ''))
  return sequence(sequence(algorithm, octets(hmac.digest().getBytes())), octets(salt), integer(iterations))
}
