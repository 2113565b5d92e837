import {Damaged, readDer} from './der.js'
import {Rounds, Unsupported} from './derive.js'
import {verified} from './mac.js'
import {Reader, WrongPassword} from './reader.js'
import {spellings} from './spelling.js'

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
  if (oid !== contentTypes.data) throw new Damaged('it has no contents')
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
