import {createDecipheriv} from 'node:crypto'
import {Damaged, type Der} from './der.js'
import {derive, derivePkcs12, type Recipe, type Rounds, Unsupported, uses} from './derive.js'
import type {Spelling} from './spelling.js'

/** A way to encrypt with a password, with all that it needs but the password. */
export interface Cipher {
  /** For people: `AES-256`, `RC2-40`. */
  readonly name: string
  /** Decrypts. Raises an error for most wrong passwords: the padding does not come out right. */
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
const pbes2Ciphers: Readonly<Record<string, {name: string; algorithm: string; size: number}>> = {
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
}

/** The cipher that an AlgorithmIdentifier names. Raises Unsupported for one that is not known, Damaged for none. */
export function cipherOf(identifier: Der, budget: Rounds): Cipher {
  const {oid} = identifier.at(0)
  if (oid === pbes2) return pbes2Cipher(identifier.at(1), budget)
  const known = pkcs12Ciphers[oid]
  if (!known) throw unknown(oid)
  const {name, algorithm, size} = known
  const parameters = identifier.at(1)
  const recipe: Recipe = {digest: 'sha1', salt: parameters.at(0).bytes, rounds: parameters.at(1).integer}
  return {
    name,
    async decrypt(data, {wide}) {
      const key = await derivePkcs12(recipe, wide, uses.key, size, budget)
      const iv = await derivePkcs12(recipe, wide, uses.iv, 8, budget)
      return algorithm === 'rc2' ? decryptRc2(data, key, iv) : decrypt(algorithm, data, key, iv)
    },
  }
}

function pbes2Cipher(parameters: Der, budget: Rounds): Cipher {
  const [derivation, scheme] = [parameters.at(0), parameters.at(1)]
  if (derivation.at(0).oid !== pbkdf2) throw unknown(derivation.at(0).oid)
  const known = pbes2Ciphers[scheme.at(0).oid]
  if (!known) throw unknown(scheme.at(0).oid)
  const {name, algorithm, size} = known
  const recipe = pbkdf2Recipe(derivation.at(1))
  const iv = scheme.at(1).bytes
  return {
    name,
    decrypt: async (data, {narrow}) => decrypt(algorithm, data, await derive(recipe, narrow, size, budget), iv),
  }
}

/** PBKDF2-params (RFC 8018, Appendix A.2): salt, rounds, perhaps the size of the key, perhaps the digest. */
function pbkdf2Recipe(parameters: Der): Recipe {
  const [salt, rounds, ...rest] = [parameters.at(0), parameters.at(1), ...parameters.parts.slice(2)]
  const named = rest.find((part) => !part.isInteger)
  const digest = named ? hmacDigests[named.at(0).oid] : 'sha1'
  if (digest === undefined) throw unknown(named?.at(0).oid ?? '')
  return {digest, salt: salt.bytes, rounds: rounds.integer}
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
  if (!cipher.finish()) throw new Damaged('the padding does not come out right')
  return Buffer.from(cipher.output.getBytes(), 'latin1')
}
