import {createPrivateKey, type KeyObject, X509Certificate} from 'node:crypto'
import {type Cipher, cipherOf} from './cipher.js'
import {Damaged, type Der, readDer} from './der.js'
import {type Rounds, Unsupported} from './derive.js'
import type {Spelling} from './spelling.js'

/** The password does not open the file; or the file was changed, which looks the same. */
export class WrongPassword extends Error {
  override readonly name = 'WrongPassword'
}

const contentTypes = {data: '1.2.840.113549.1.7.1', encrypted: '1.2.840.113549.1.7.6'}
const bagTypes = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  bags: '1.2.840.113549.1.12.10.1.6',
}
const x509 = '1.2.840.113549.1.9.22.1'

/** Certificates, and keys, that are taken out of one file: every key is tried on every certificate. */
const most = 64

/** Collects what lies in the parts of a .p12 (RFC 7292 §4). */
export class Reader {
  readonly certificates: X509Certificate[] = []
  readonly keys: KeyObject[] = []
  /** The ciphers that were met. */
  readonly ciphers = new Set<string>()
  /** What could not be opened here. */
  readonly closed = new Set<string>()
  /** Whether a private key lies there that no cipher protects. */
  bareKey = false

  readonly #spellings: readonly Spelling[]
  readonly #budget: Rounds
  readonly #isRight: boolean

  /** `isRight`: the MAC has shown that the password is right. */
  constructor(spellings: readonly Spelling[], budget: Rounds, isRight: boolean) {
    this.#spellings = spellings
    this.#budget = budget
    this.#isRight = isRight
  }

  /** Reads a ContentInfo. Raises Damaged or WrongPassword. */
  async part(info: Der): Promise<void> {
    const {oid} = info.at(0)
    const content = info.at(1).at(0)
    if (oid === contentTypes.data) return this.#bags(await readDer(content.bytes), false)
    if (oid !== contentTypes.encrypted) {
      this.closed.add('a part that is encrypted for a certificate')
      return
    }
    const encrypted = content.at(1)
    const bags = await this.#decrypted(encrypted.at(1), encrypted.at(2))
    if (bags) await this.#bags(bags, true)
  }

  async #bags(bags: Der, isEncrypted: boolean): Promise<void> {
    for (const bag of bags.parts) await this.#bag(bag.at(0).oid, bag.at(1).at(0), isEncrypted)
  }

  async #bag(type: string, value: Der, isEncrypted: boolean): Promise<void> {
    if (type === bagTypes.bags) return this.#bags(value, isEncrypted)
    if (type === bagTypes.certificate && value.at(0).oid === x509) {
      this.#keep(this.certificates, () => new X509Certificate(value.at(1).at(0).bytes))
    }
    if (type === bagTypes.key) {
      this.bareKey ||= !isEncrypted
      this.#keep(this.keys, () => keyOf(value))
    }
    if (type === bagTypes.shroudedKey) {
      const key = await this.#decrypted(value.at(0), value.at(1))
      if (key) this.#keep(this.keys, () => keyOf(key))
    }
  }

  #keep<T>(kept: T[], read: () => T): void {
    if (kept.length === most) throw new Damaged(`it holds more than ${most} certificates or keys`)
    try {
      kept.push(read())
    } catch (error) {
      throw new Damaged('a certificate or a key in it cannot be read', {cause: error})
    }
  }

  /** What an encrypted part holds, or undefined where it cannot be opened here. */
  async #decrypted(identifier: Der, data: Der): Promise<Der | undefined> {
    try {
      const cipher = cipherOf(identifier, this.#budget)
      this.ciphers.add(cipher.name)
      return await this.#tried(cipher, data.bytes)
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error
      this.closed.add(error.message)
      return undefined
    }
  }

  async #tried(cipher: Cipher, data: Buffer): Promise<Der> {
    for (const spelling of this.#spellings) {
      try {
        return await readDer(await cipher.decrypt(data, spelling))
      } catch (error) {
        if (error instanceof Unsupported) throw error
      }
    }
    if (!this.#isRight) throw new WrongPassword()
    throw new Damaged('a part of it does not open with the password that its MAC belongs to')
  }
}

/** PrivateKeyInfo (RFC 5208 §5). */
function keyOf(info: Der): KeyObject {
  return createPrivateKey({key: info.encoded, format: 'der', type: 'pkcs8'})
}
