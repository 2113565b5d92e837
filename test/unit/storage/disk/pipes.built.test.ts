import {execFileSync} from 'node:child_process'
import {lstatSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {readInputFile} from '../../../../src/cli/files/readFile.js'
import {inspectProfile} from '../../../../src/features/doctor/files.js'
import {readCredentialFile} from '../../../../src/features/push/credentialInput.js'
import {replaceFile} from '../../../../src/storage/disk/replaceFile.js'
import {readProfileFile} from '../../../../src/storage/profile/file.js'
import {Interrupted} from '../../../../src/terminal/questions.js'
import {readFileList} from '../../../../src/upload/sync/fileList.js'
import {scanFolder} from '../../../../src/upload/sync/scan.js'
import {cli} from '../../../support/cli.js'
import {freshFolder} from '../../../support/folder.js'

/** A folder with a named pipe without a writer, removed with the test. */
function folderWithPipe(name: string): {folder: string; pipe: string} {
  const folder = freshFolder()
  const pipe = path.join(folder, name)
  execFileSync('mkfifo', ['-m', '600', pipe])
  return {folder, pipe}
}

describe('a named pipe in place of a file is refused without waiting for it, as', () => {
  test('the profile file', () => {
    const {folder} = folderWithPipe('config.json')
    expect(() => readProfileFile(folder)).toThrow('it is not a file')
    expect(inspectProfile(folder).diagnoses).toMatchObject([
      {state: 'fail', what: expect.stringContaining('is not a file')},
    ])
  })

  test('a credential', async () => {
    const why = 'it is not a regular file: a pipe or a device'
    await expect(readCredentialFile(folderWithPipe('a.p12').pipe)).rejects.toMatchObject({facts: {exit: 'file', why}})
  })

  test('a manifest, or a file of a folder that is synced', async () => {
    const {folder, pipe} = folderWithPipe('pipe.png')
    const why = 'it is neither a folder nor a file'
    await expect(readFileList(pipe)).rejects.toMatchObject({facts: {exit: 'file', why}})
    const {files, notes} = await scanFolder(folder)
    expect({files, notes}).toEqual({files: [], notes: ['ignored special files: pipe.png']})
  })
})

test('no download and no other file takes the place of a pipe', async () => {
  const {folder, pipe} = folderWithPipe('logo.png')
  const ran = await cli(['asset', 'download', 'games/puzzle/a-logo', '--dir', folder, '--overwrite'])
  expect(ran).toMatchObject({exit: 14, stdout: ''})
  expect(ran.stderr).toContain('is a pipe or a device, and is not replaced')
  expect(() => replaceFile(pipe, Buffer.from('bytes'))).toThrow(expect.objectContaining({code: 'ENXIO'}))
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})

describe('a file of ids may be a named pipe', () => {
  const limits = {maxBytes: 1000, most: '1 kB', idleMs: 5000, signal: new AbortController().signal}

  test('whose other end comes later', async () => {
    const {pipe} = folderWithPipe('ids')
    const reading = readInputFile(pipe, limits)
    await writeFile(pipe, 'ann\nben\n')
    expect(String(await reading)).toBe('ann\nben\n')
  })

  test('into which something has to come', async () => {
    await expect(readInputFile(folderWithPipe('ids').pipe, {...limits, idleMs: 100})).rejects.toMatchObject({
      facts: {exit: 'file', why: 'no data from it for 0.1 s'},
    })
  })

  test('that a user no longer waits for', async () => {
    const controller = new AbortController()
    const reading = readInputFile(folderWithPipe('ids').pipe, {...limits, signal: controller.signal})
    setTimeout(() => controller.abort(), 50)
    await expect(reading).rejects.toBeInstanceOf(Interrupted)
  })
})
