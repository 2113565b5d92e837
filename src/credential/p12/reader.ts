import {createDecipheriv, createHmac, createPrivateKey, getHashes, type KeyObject, X509Certificate} from 'node:crypto'
import {Damaged, type Der, readDer} from './der.js'
import {derive, derivePkcs12, recipeOf, type Spelling, spellings, Unsupported, uses} from './derive.js'
import {isReadableKeyType, keyTypeName} from './keyType.js'

/** The password does not open the file; or the file was changed, which looks the same. */
export class WrongPassword extends Error {
  override readonly name = 'WrongPassword'
}

const contentTypes = {data: '1.2.840.113549.1.7.1', signed: '1.2.840.113549.1.7.2', encrypted: '1.2.840.113549.1.7.6'}
const bagTypes = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  bags: '1.2.840.113549.1.12.10.1.6',
}
const x509 = '1.2.840.113549.1.9.22.1'

/** Collects certificates and keys from the parts of a .p12 (RFC 7292 §4). */
class Reader {
  readonly certificates: X509Certificate[] = []
  readonly keys: KeyObject[] = []
  readonly ciphers = new Set<string>()
  readonly closed = new Set<string>()

  /** `isRight`: the MAC has shown that the password is right. */
  constructor(
    private readonly spellings: readonly Spelling[],
    private readonly isRight: boolean,
  ) {}

  /** Reads a ContentInfo. Throws Damaged or WrongPassword. */
  async part(info: Der): Promise<void> {
    const {oid} = info.at(0)
    const content = info.at(1).at(0)
    if (oid === contentTypes.data) return this.#bags(await readDer(content.bytes))
    if (oid !== contentTypes.encrypted) {
      this.closed.add('a part that is encrypted for a certificate')
      return
    }
    const encrypted = content.at(1)
    const bags = await this.#decrypted(encrypted.at(1), encrypted.at(2))
    if (bags) await this.#bags(bags)
  }

  async #bags(bags: Der): Promise<void> {
    for (const bag of bags.parts) await this.#bag(bag.at(0).oid, bag.at(1).at(0))
  }

  async #bag(type: string, value: Der): Promise<void> {
    if (type === bagTypes.bags) return this.#bags(value)
    if (type === bagTypes.certificate && value.at(0).oid === x509) {
      this.#keep(this.certificates, () => new X509Certificate(value.at(1).at(0).bytes))
    }
    if (type === bagTypes.key) this.#keepKey(value)
    if (type === bagTypes.shroudedKey) {
      const key = await this.#decrypted(value.at(0), value.at(1))
      if (key) this.#keepKey(key)
    }
  }

  #keepKey(info: Der): void {
    const type = info.at(1).at(0).oid
    if (isReadableKeyType(type)) this.#keep(this.keys, () => keyOf(info))
    else this.closed.add(keyTypeName(type))
  }

  #keep<T>(kept: T[], read: () => T): void {
    try {
      kept.push(read())
    } catch (error) {
      throw new Damaged('a certificate or a key in it cannot be read', {cause: error})
    }
  }

  /** The contents of an encrypted part, or undefined if it cannot be opened here. */
  async #decrypted(identifier: Der, data: Der): Promise<Der | undefined> {
    try {
      const cipher = cipherOf(identifier)
      this.ciphers.add(cipher.name)
      return await this.#tried(cipher, data.bytes)
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error
      this.closed.add(error.message)
      return undefined
    }
  }

  async #tried(cipher: Cipher, data: Buffer): Promise<Der> {
    for (const spelling of this.spellings) {
      try {
        return await readDer(await cipher.decrypt(data, spelling))
      } catch (error) {
        if (error instanceof Unsupported) throw error
      }
    }
    if (!this.isRight) throw new WrongPassword()
    throw new Damaged('the password fits its MAC, but does not open a part of it')
  }
}

/** PrivateKeyInfo (RFC 5208 §5). */
function keyOf(info: Der): KeyObject {
  return createPrivateKey({key: info.encoded, format: 'der', type: 'pkcs8'})
}

interface Cipher {
  /** For people: `AES-256`, `RC2-40`. */
  readonly name: string
  /** Decrypts. Throws an error for most wrong passwords: the padding does not come out right. */
  decrypt(data: Buffer, spelling: Spelling): Promise<Buffer>
}

/** The ciphers of PKCS#12 itself (RFC 7292, Appendix C), all of them with SHA-1. `size`: bytes of the key. */
const pkcs12Ciphers: Readonly<Record<string, {name: string; algorithm: string; size: number}>> = {
  '1.2.840.113549.1.12.1.3': {name: '3DES', algorithm: 'des-ede3-cbc', size: 24},
  '1.2.840.113549.1.12.1.4': {name: '3DES with two keys', algorithm: 'des-ede-cbc', size: 16},
  '1.2.840.113549.1.12.1.5': {name: 'RC2-128', algorithm: 'rc2', size: 16},
  '1.2.840.113549.1.12.1.6': {name: 'RC2-40', algorithm: 'rc2', size: 5},
}

/** The ciphers of PBES2 (RFC 8018). */
const pbes2Ciphers: typeof pkcs12Ciphers = {
  '2.16.840.1.101.3.4.1.2': {name: 'AES-128', algorithm: 'aes-128-cbc', size: 16},
  '2.16.840.1.101.3.4.1.22': {name: 'AES-192', algorithm: 'aes-192-cbc', size: 24},
  '2.16.840.1.101.3.4.1.42': {name: 'AES-256', algorithm: 'aes-256-cbc', size: 32},
  '1.2.840.113549.3.7': {name: '3DES', algorithm: 'des-ede3-cbc', size: 24},
}

/** Ciphers that nothing here can open, by their names. */
const otherCiphers: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.12.1.1': 'RC4-128',
  '1.2.840.113549.1.12.1.2': 'RC4-40',
  '1.2.840.113549.1.5.3': 'DES',
  '1.2.840.113549.1.5.10': 'DES',
  '1.2.840.113549.1.5.11': 'RC2-64',
  '1.2.840.113549.3.2': 'RC2',
  '1.3.14.3.2.7': 'DES',
}

const pbes2 = '1.2.840.113549.1.5.13'
const pbkdf2 = '1.2.840.113549.1.5.12'
const hmacDigests: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
  '1.2.840.113549.2.12': 'sha512-224',
  '1.2.840.113549.2.13': 'sha512-256',
  '2.16.840.1.101.3.4.2.13': 'sha3-224',
  '2.16.840.1.101.3.4.2.14': 'sha3-256',
  '2.16.840.1.101.3.4.2.15': 'sha3-384',
  '2.16.840.1.101.3.4.2.16': 'sha3-512',
}

/** The cipher that an AlgorithmIdentifier names. Throws Unsupported for one that is not known, Damaged for none. */
function cipherOf(identifier: Der): Cipher {
  const {oid} = identifier.at(0)
  if (oid === pbes2) return pbes2Cipher(identifier.at(1))
  const known = pkcs12Ciphers[oid]
  if (!known) throw unknown(oid)
  const {name, algorithm, size} = known
  const parameters = identifier.at(1)
  const recipe = recipeOf('sha1', parameters.at(0), parameters.at(1))
  return {
    name,
    async decrypt(data, {wide}) {
      const key = derivePkcs12(recipe, wide, uses.key, size)
      const iv = derivePkcs12(recipe, wide, uses.iv, 8)
      return algorithm === 'rc2' ? decryptRc2(data, key, iv) : decrypt(algorithm, data, key, iv)
    },
  }
}

function pbes2Cipher(parameters: Der): Cipher {
  const [derivation, scheme] = [parameters.at(0), parameters.at(1)]
  if (derivation.at(0).oid !== pbkdf2) throw unknown(derivation.at(0).oid)
  const known = pbes2Ciphers[scheme.at(0).oid]
  if (!known) throw unknown(scheme.at(0).oid)
  const {name, algorithm, size} = known
  const recipe = pbkdf2Recipe(derivation.at(1))
  const iv = scheme.at(1).bytes
  return {
    name,
    decrypt: async (data, {narrow}) => decrypt(algorithm, data, await derive(recipe, narrow, size), iv),
  }
}

/** PBKDF2-params (RFC 8018, Appendix A.2): salt, rounds, perhaps the size of the key, perhaps the digest. */
function pbkdf2Recipe(parameters: Der) {
  const rest = parameters.parts.slice(2)
  const named = rest.find((part) => !part.isInteger)
  const digest = named ? hmacDigests[named.at(0).oid] : 'sha1'
  if (digest === undefined) throw unknown(named?.at(0).oid ?? '')
  const size = rest.find(({isInteger}) => isInteger)?.integer
  return {...recipeOf(digest, parameters.at(0), parameters.at(1)), size}
}

function unknown(oid: string): Unsupported {
  return new Unsupported(otherCiphers[oid] ?? `the cipher ${oid}`)
}

function decrypt(algorithm: string, data: Buffer, key: Buffer, iv: Buffer): Buffer {
  const cipher = createDecipheriv(algorithm, key, iv)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/** By node-forge: the OpenSSL of Node has no RC2. */
async function decryptRc2(data: Buffer, key: Buffer, iv: Buffer): Promise<Buffer> {
  const {default: forge} = await import('node-forge')
  const cipher = forge.rc2.createDecryptionCipher(key.toString('latin1'), key.length * 8)
  cipher.start(iv.toString('latin1'))
  cipher.update(forge.util.createBuffer(data.toString('latin1')))
  if (!cipher.finish()) throw new Damaged('the padding is wrong')
  return Buffer.from(cipher.output.getBytes(), 'latin1')
}

export type Opened = Pick<Reader, 'certificates' | 'keys' | 'ciphers' | 'closed'> & {
  readonly mac: Mac
}

/** `unchecked`: a kind of MAC that cannot be checked here, by its object identifier. */
export interface Mac {
  readonly kind: 'none' | 'usual' | 'PBMAC1' | 'unchecked'
  readonly oid?: string
}

/** Opens a .p12 (RFC 7292, decision 0011). Throws WrongPassword, Damaged, or Unsupported if not even the password can be tried. */
export async function openP12(bytes: Uint8Array, password: string): Promise<Opened> {
  const pfx = await readDer(bytes, {rest: true})
  const safe = pfx.at(1)
  const {oid} = safe.at(0)
  if (oid === contentTypes.signed)
    throw new Unsupported('a file that is signed with a certificate, not with a password')
  if (oid !== contentTypes.data) throw new Damaged('it has no content')
  const content = safe.at(1).at(0).bytes
  const words = spellings(password)
  const macData = pfx.parts[2]
  const {mac, right} = macData ? await verified(macData, content, words) : {mac: {kind: 'none'} as const}
  if (right?.length === 0) throw new WrongPassword()
  const reader = new Reader(right ?? words, right !== undefined)
  for (const part of (await readDer(content)).parts) await reader.part(part)
  const {certificates, keys, ciphers, closed} = reader
  return {certificates, keys, ciphers, closed, mac}
}

const digests: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.5': 'sha512-224',
  '2.16.840.1.101.3.4.2.6': 'sha512-256',
  '2.16.840.1.101.3.4.2.7': 'sha3-224',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  '1.3.36.3.2.1': 'ripemd160',
  '1.2.156.10197.1.401': 'sm3',
}

const pbmac1 = '1.2.840.113549.1.5.14'

/** `right`: the spellings for which the MAC is right; none: wrong password, or damage. Undefined for a MAC that cannot be checked. */
interface Verified {
  readonly mac: Mac
  readonly right?: Spelling[]
}

/** Checks the MAC of a file (RFC 7292 §4, RFC 9579). Throws Damaged for a MAC that no program accepts. */
async function verified(macData: Der, content: Buffer, spellings: readonly Spelling[]): Promise<Verified> {
  const info = macData.at(0)
  const {oid} = info.at(0).at(0)
  let tag: Tag
  try {
    tag = oid === pbmac1 ? pbmac1Tag(info.at(0).at(1)) : usualTag(oid, macData)
  } catch (error) {
    if (error instanceof Unsupported) return {mac: {kind: 'unchecked', oid}}
    throw error
  }
  const right: Spelling[] = []
  for (const spelling of spellings) {
    if ((await tag(spelling, content)).equals(info.at(1).bytes)) right.push(spelling)
  }
  return {mac: {kind: oid === pbmac1 ? 'PBMAC1' : 'usual'}, right}
}

type Tag = (spelling: Spelling, content: Buffer) => Buffer | Promise<Buffer>

/** The MAC of PKCS#12 itself. Throws Unsupported for a digest that this Node does not offer. */
function usualTag(oid: string, macData: Der): Tag {
  const digest = digests[oid]
  if (digest === undefined || !getHashes().includes(digest)) throw unknown(oid)
  const recipe = recipeOf(digest, macData.at(1), macData.parts[2])
  const size = createHmac(digest, '').digest().length
  return ({wide}, content) =>
    createHmac(digest, derivePkcs12(recipe, wide, uses.mac, size))
      .update(content)
      .digest()
}

/** PBMAC1-params (RFC 8018, Appendix A.5), with the password in UTF-8 (erratum of RFC 9579). Throws Unsupported for unknown algorithms. */
function pbmac1Tag(parameters: Der): Tag {
  const [derivation, scheme] = [parameters.at(0), parameters.at(1)]
  const digest = hmacDigests[scheme.at(0).oid]
  if (derivation.at(0).oid !== pbkdf2 || digest === undefined) throw unknown(scheme.at(0).oid)
  const {size, ...recipe} = pbkdf2Recipe(derivation.at(1))
  if (!size) throw new Damaged('its MAC does not say how long its key is (RFC 9579 §4)')
  return async ({narrow}, content) =>
    createHmac(digest, await derive(recipe, narrow, size))
      .update(content)
      .digest()
}
