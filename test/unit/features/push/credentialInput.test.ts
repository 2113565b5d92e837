import {symlinkSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {readCredentialFile} from '../../../../src/features/push/credentialInput.js'
import {freshFolder} from '../../../support/folder.js'

const folder = freshFolder()
const at = (name: string) => path.join(folder, name)

test('a file of credentials is read as its bytes, up to 1 MiB, also behind a link', async () => {
  const bytes = Buffer.from([0x30, 0x82, 0x00, 0xff, 0x0d, 0x0a])
  writeFileSync(at('a.p12'), bytes)
  symlinkSync(at('a.p12'), at('link.p12'))
  expect(Buffer.from(await readCredentialFile(at('a.p12')))).toEqual(bytes)
  expect(Buffer.from(await readCredentialFile(at('link.p12')))).toEqual(bytes)
  writeFileSync(at('largest'), Buffer.alloc(1024 * 1024, 7))
  expect(await readCredentialFile(at('largest'))).toHaveLength(1024 * 1024)
})

test('another file is refused at once', async () => {
  writeFileSync(at('large'), Buffer.alloc(1024 * 1024 + 1))
  symlinkSync(at('nowhere'), at('dangling'))
  for (const [file, why] of [
    [at('large'), 'it is larger than 1 MiB; a key or certificate is a few KiB'],
    [folder, 'it is a folder'],
    ['/dev/zero', 'it is not a regular file: a pipe or a device'],
    [at('dangling'), 'no such file'],
  ] as const) {
    await expect(readCredentialFile(file)).rejects.toMatchObject({
      facts: {exit: 'file', message: `cannot read ${file}`, why},
    })
  }
})
