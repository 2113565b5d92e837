import {hash, pbkdf2 as pbkdf2Callback} from 'node:crypto'
import {promisify} from 'node:util'
import {Damaged, type Der} from './der.js'
import {hashAgain} from './rounds.js'

const pbkdf2 = promisify(pbkdf2Callback)

/** Rounds of one key: openssl writes 2,048, careful people 600,000. More take seconds, or hours. */
const mostRounds = 600_000

/** An algorithm that is unknown here, or takes too long. The service may support it. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported'
}

export type Recipe = ReturnType<typeof recipeOf>

/** How a key is made of a password. Throws Damaged for no rounds, Unsupported for too many. */
export function recipeOf(digest: string, salt: Der, count: Der | undefined) {
  const rounds = count?.integer ?? 1
  if (rounds < 1) throw new Damaged('a key is derived in zero rounds')
  if (rounds > mostRounds) throw new Unsupported(`${rounds.toLocaleString('en')} iterations`)
  return {digest, salt: salt.bytes, rounds}
}

/** PBKDF2 (RFC 8018). */
export function derive({digest, salt, rounds}: Recipe, password: Buffer, size: number): Promise<Buffer> {
  return pbkdf2(password, salt, rounds, size, digest)
}

/** The use of a key in PKCS#12 (RFC 7292, Appendix B.3). */
export const uses = {key: 1, iv: 2, mac: 3} as const

/** Bytes that a digest takes at a time, where these are not 64 (FIPS 180-4, FIPS 202). */
const blocks: Readonly<Record<string, number>> = {
  ...{sha384: 128, sha512: 128, 'sha512-224': 128, 'sha512-256': 128},
  ...{'sha3-224': 144, 'sha3-256': 136, 'sha3-384': 104, 'sha3-512': 72},
}

/** A key of PKCS#12 (RFC 7292, Appendix B.2): node-forge takes twice the time. */
export function derivePkcs12({digest, salt, rounds}: Recipe, password: Buffer, use: number, size: number): Buffer {
  const block = blocks[digest] ?? 64
  const diversifier = Buffer.alloc(block, use)
  const material = Buffer.concat([filled(salt, block), filled(password, block)])
  const parts: Buffer[] = []
  for (let length = 0; length < size; ) {
    const first = hash(digest, Buffer.concat([diversifier, material]), 'buffer')
    const piece = hashAgain(digest, first, rounds - 1)
    parts.push(piece)
    length += piece.length
    stir(material, filled(piece, block).subarray(0, block))
  }
  return Buffer.concat(parts).subarray(0, size)
}

/** The bytes, repeated up to a whole number of blocks. */
function filled(bytes: Buffer, block: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes)
}

/** Every block of `material` plus `addend` plus 1, as one large number each. */
function stir(material: Buffer, addend: Buffer): void {
  for (let start = 0; start < material.length; start += addend.length) {
    let carry = 1
    for (let at = addend.length - 1; at >= 0; at--) {
      carry += (material[start + at] ?? 0) + (addend[at] ?? 0)
      material[start + at] = carry & 0xff
      carry >>= 8
    }
  }
}

/** A password as bytes. The parts of one .p12 ask for it in two ways. */
export interface Spelling {
  /** Two bytes for each character and two at the end (BMPString), for the MAC and the older ciphers. */
  readonly wide: Buffer
  /** For PBES2. */
  readonly narrow: Buffer
}

/**
 * All ways in which programs write this password, the usual one first: an empty one with its end (openssl) or as nothing (Keychain);
 * beyond ASCII, older openssl took UTF-8 bytes for characters, and a Latin-1 shell writes one byte each.
 */
export function spellings(password: string): Spelling[] {
  const utf8 = Buffer.from(password, 'utf8')
  if (password === '') {
    return [
      {wide: wide(''), narrow: utf8},
      {wide: Buffer.alloc(0), narrow: utf8},
    ]
  }
  const usual = {wide: wide(password), narrow: utf8}
  if (utf8.length === password.length) return [usual]
  const latin1 = Buffer.from(password, 'latin1')
  const fits = latin1.toString('latin1') === password
  return [
    usual,
    ...(fits ? [{wide: usual.wide, narrow: latin1}] : []),
    {wide: wide(utf8.toString('latin1')), narrow: utf8},
  ]
}

function wide(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16()
}
