import {createHmac, timingSafeEqual} from 'node:crypto'
import {Damaged, type Der, readDer} from './der.js'
import {derivePkcs12, type Recipe, Rounds, type Spelling, spellings, Unsupported, uses} from './derive.js'
import {Reader, WrongPassword} from './reader.js'

const contentTypes = {data: '1.2.840.113549.1.7.1', signed: '1.2.840.113549.1.7.2'}

/** What is in a .p12, and whether it has a MAC. */
export type Opened = Pick<Reader, 'certificates' | 'keys' | 'ciphers' | 'closed' | 'bareKey'> & {
  readonly hasMac: boolean
}

/**
 * Opens a .p12 (RFC 7292) with a password. The structure and RC2 are read by node-forge, the rest is node:crypto's (decision
 * 0011). Raises WrongPassword, Damaged, or Unsupported where not even the password can be tried.
 */
export async function openP12(bytes: Uint8Array, password: string): Promise<Opened> {
  const pfx = await readDer(bytes, {rest: true})
  const safe = pfx.at(1)
  const {oid} = safe.at(0)
  if (oid === contentTypes.signed)
    throw new Unsupported('a file that is signed with a certificate, not with a password')
  if (oid !== contentTypes.data) throw new Damaged('it has no content')
  const content = safe.at(1).at(0).bytes
  const budget = new Rounds()
  const words = spellings(password)
  const macData = pfx.part(2)
  const right = macData && (await verified(macData, content, words, budget))
  if (right?.length === 0) throw new WrongPassword()
  const reader = new Reader(right ?? words, budget, right !== undefined)
  for (const part of (await readDer(content)).parts) await reader.part(part)
  const {certificates, keys, ciphers, closed, bareKey} = reader
  return {certificates, keys, ciphers, closed, bareKey, hasMac: macData !== undefined}
}

const digests: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/**
 * The spellings with which the MAC of a .p12 comes out right (RFC 7292 §4: MacData, over `content`): none, and the password
 * is wrong or the file is damaged. Undefined where the MAC is of a kind that is not known here. Raises Unsupported where its
 * key is derived in too many rounds.
 */
export async function verified(
  macData: Der,
  content: Buffer,
  spellings: readonly Spelling[],
  budget: Rounds,
): Promise<Spelling[] | undefined> {
  const [info, salt, rounds] = [macData.at(0), macData.at(1).bytes, macData.part(2)?.integer ?? 1]
  const digest = digests[info.at(0).at(0).oid]
  if (digest === undefined) return undefined
  const recipe = {digest, salt, rounds}
  const right: Spelling[] = []
  for (const spelling of spellings) {
    const mac = await macOf(recipe, content, spelling.wide, budget)
    if (isEqual(mac, info.at(1).bytes)) right.push(spelling)
  }
  return right
}

async function macOf(recipe: Recipe, content: Buffer, password: Buffer, budget: Rounds): Promise<Buffer> {
  const size = createHmac(recipe.digest, '').digest().length
  const key = await derivePkcs12(recipe, password, uses.mac, size, budget)
  return createHmac(recipe.digest, key).update(content).digest()
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
