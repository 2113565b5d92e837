import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {inspect} from '../../../src/credential/inspect.js'
import {everyCase} from '../../support/everyCase.js'
import {onlyCopy, wrongFiles} from './wrongFiles.js'

const made = new TestCredentials()
const now = new Date('2026-12-01T12:00:00Z')
const key = made.key('p256', 'P-256')

describe('the bytes of a file decide its kind, and its name if they do not', () => {
  const files: readonly [string, string, () => string | Buffer, string, string | undefined][] = [
    ['a key', 'AuthKey_ABC123DEFG.p8', () => key, 'apns-key', 'not-in-file'],
    ['a key without an extension', 'key', () => key, 'apns-key', 'not-in-file'],
    ['a key with another extension', 'key.pem', () => key, 'apns-key', 'not-in-file'],
    ['a certificate', 'push.p12', () => made.p12({password: ''}), 'apns-certificate', undefined],
    ['a certificate that is called .pfx', 'push.PFX', () => made.p12({password: ''}), 'apns-certificate', undefined],
    ['a certificate without an extension', 'push', () => made.p12({password: ''}), 'apns-certificate', undefined],
    ['a certificate that is called .p8', 'push.p8', () => made.p12(), 'apns-certificate', 'wrong-password'],
    ['a key that is called .p12', 'key.p12', () => key, 'apns-key', 'not-in-file'],
  ]

  test.each(files)('%s', async (_, fileName, make, kind, code) => {
    const result = await inspect(fileName, Buffer.from(make()), {now})
    expect({kind: result.kind, code: result.findings[0]?.code}).toEqual({kind, code})
  })
})

test('a wrong file is named, with the command or click that gets the right one', () =>
  everyCase(
    wrongFiles.map((row) => [row.what, row] as const),
    async (_, {file, make, code, says, advice}) => {
      const [result] = (await inspect(file, Buffer.from(make(made)), {now})).findings
      expect(result).toMatchObject({level: 'error', code, message: expect.stringContaining(says)})
      expect(result?.try).not.toMatch(/FILE|[<>]KEYID/u)
      if (typeof advice === 'string') expect(result?.try).toContain(advice)
      if (advice !== onlyCopy) expect(result?.try).not.toContain('create a new key')
    },
  ))

describe('the password', () => {
  test('that was given is used, though an empty one would open the file', async () => {
    const result = await inspect('a.p12', made.p12({password: ''}), {now, password: 'secret'})
    expect(result).toMatchObject({opened: false, findings: [{code: 'wrong-password'}]})
  })
})
