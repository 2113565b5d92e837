import {createHmac, timingSafeEqual} from 'node:crypto'
import type {Der} from './der.js'
import {derivePkcs12, type Recipe, type Rounds, uses} from './derive.js'
import type {Spelling} from './spelling.js'

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
