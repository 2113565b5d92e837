import fs, {existsSync, writeFileSync} from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
import path from 'node:path'
import {afterEach, expect, test} from 'vitest'
import {renameFile} from '../../../../src/storage/disk/replaceFile.js'
import {freshHome} from '../../../support/cli.js'

const {renameSync} = fs

afterEach(() => replaceRename(renameSync))

function replaceRename(call: typeof renameSync): void {
  fs.renameSync = call
  syncBuiltinESMExports()
}

/** A system that refuses the first renames, as Windows does while another program has the file open. */
function refuse(times: number, code: string): {readonly tried: () => number} {
  let tried = 0
  replaceRename((from, to) => {
    tried += 1
    if (tried <= times) throw Object.assign(new Error(code), {code})
    renameSync(from, to)
  })
  return {tried: () => tried}
}

function draft() {
  const dir = freshHome()
  const [from, to] = [path.join(dir, 'draft'), path.join(dir, 'file')]
  writeFileSync(from, 'new')
  return {from, to}
}

test.each(['EPERM', 'EBUSY', 'EACCES'])('renaming waits while Windows has the file in use: %s', (code) => {
  const {from, to} = draft()
  const {tried} = refuse(3, code)
  renameFile(from, to, 'win32')
  expect({tried: tried(), moved: existsSync(to), left: existsSync(from)}).toEqual({tried: 4, moved: true, left: false})
})

test.each([
  ['linux', 'EBUSY'],
  ['win32', 'ENOENT'],
])('%s: %s is an error at once', (platform, code) => {
  const {from, to} = draft()
  const {tried} = refuse(3, code)
  expect(() => renameFile(from, to, platform)).toThrow(code)
  expect(tried()).toBe(1)
})
