import {readFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {openP12, WrongPassword} from '../../../src/credential/p12/reader.js'
import {everyCase} from '../../support/everyCase.js'
import {der, partsOf} from './der.js'

const [valid, otherPrf, longerTag] = readFileSync(path.join(import.meta.dirname, 'rfc9579.txt'), 'utf8')
  .split('\n\n')
  .filter((part) => part.startsWith('MII'))
  .map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer, Buffer]
const salt = '04086f473c38b02e3173'
const unused = '04084e4f542055534544'

/** Appendix A.1 with the derivation of a later one: A.4 to A.6 differ from it in their MacData alone. */
function withDerivation(derivation: string, outer: string): Buffer {
  const [version, safe, mac] = partsOf(valid)
  const [, tag] = partsOf(partsOf(mac ?? Buffer.alloc(0))[0] ?? Buffer.alloc(0))
  if (!version || !safe || !tag) throw new Error('not a .p12')
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  const hmac = bytes('300c06082a864886f70d02090500')
  const parameters = der(0x30, bytes(derivation), hmac)
  const scheme = der(0x30, der(0x30, bytes('06092a864886f70d01050c'), parameters), hmac)
  const algorithm = der(0x30, bytes('06092a864886f70d01050e'), scheme)
  return der(0x30, version, safe, der(0x30, der(0x30, algorithm, tag), bytes(outer)))
}

test('the MAC of the files in RFC 9579, Appendix A, gets the verdict of that document', async () => {
  await everyCase(
    [
      ['A.1: SHA-256 HMAC and PRF', valid],
      ['A.2: SHA-256 HMAC and SHA-512 PRF', otherPrf],
      ['A.3: SHA-512 HMAC and PRF', longerTag],
    ],
    async (_, file) => {
      expect((await openP12(file, '1234')).mac).toEqual({kind: 'PBMAC1'})
      await expect(openP12(file, '12345')).rejects.toThrow(WrongPassword)
    },
  )
  expect(withDerivation(`${salt}02020800020120`, `${unused}020101`)).toEqual(valid)
  await everyCase(
    [
      ['A.4: an incorrect iteration count', `${salt}02020801020120`, `${unused}02020800`, 'WrongPassword'],
      ['A.5: an incorrect salt', `${unused}02020800020120`, `${salt}020101`, 'WrongPassword'],
      ['A.6: a missing key length', `${salt}02020800`, `${salt}02020800`, 'Damaged'],
    ],
    (_, derivation, outer, name) =>
      expect(openP12(withDerivation(derivation, outer), '1234')).rejects.toMatchObject({name}),
  )
})
