import {chmodSync, closeSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {
  appendLines,
  closeFolder,
  currentUser,
  keepPrivateFolder,
  makePrivateFolder,
  openToAppend,
  readPrivateFile,
  readRegularFile,
} from '../../../../src/storage/disk/privateFile.js'
import {freshFolder} from '../../../support/folder.js'
import {modeOf} from '../profile/folder.js'

function fileOf(mode: number, content = 'mine'): string {
  const path = join(freshFolder(), 'file')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

const limit = {maxBytes: 1024 * 1024}
const somebodyElse = (currentUser() ?? 0) + 1

describe('a private file that is read', () => {
  test('is closed to others first, and keeps the rights of its user', () => {
    const path = fileOf(0o644)
    expect(readPrivateFile(path, limit)?.toString()).toBe('mine')
    expect(modeOf(path)).toBe(0o600)
  })

  test('that is missing is undefined', () => {
    expect(readPrivateFile(join(freshFolder(), 'file'), limit)).toBeUndefined()
  })

  test('is refused if another user owns it, or it is too large, a folder or a link', () => {
    const path = fileOf(0o644)
    const link = `${path}.link`
    symlinkSync(path, link)
    expect(() => readPrivateFile(path, {...limit, owner: somebodyElse})).toThrow('it belongs to another user')
    expect(() => readPrivateFile(path, {maxBytes: 3})).toThrow('it is larger than')
    expect(() => readPrivateFile(join(path, '..'), limit)).toThrow('it is not a file')
    expect(() => readPrivateFile(link, limit)).toThrow('ELOOP')
    expect(modeOf(path)).toBe(0o644)
  })
})

test('a file that need not be private is read through a link, with its mode unchanged', () => {
  const path = fileOf(0o644)
  symlinkSync(path, `${path}.link`)
  expect(readRegularFile(`${path}.link`, 10)?.toString()).toBe('mine')
  expect(modeOf(path)).toBe(0o644)
})

test('a file to append to is made with mode 0600 and closed where it was open; a link is refused', () => {
  const fresh = join(freshFolder(), 'file')
  const open = fileOf(0o666)
  symlinkSync(open, `${open}.link`)
  for (const path of [fresh, open]) {
    closeSync(openToAppend(path))
    expect(modeOf(path)).toBe(0o600)
  }
  expect(() => openToAppend(`${open}.link`)).toThrow('ELOOP')
})

test('a line that was cut off does not swallow the next', () => {
  const path = fileOf(0o600, 'one\ntw')
  const descriptor = openToAppend(path)
  expect(appendLines(descriptor, 'three\n')).toBe(7)
  expect(appendLines(descriptor, 'four\n', true)).toBe(5)
  closeSync(descriptor)
  expect(readFileSync(path, 'utf8')).toBe('one\ntw\nthree\nfour\n')
})

describe('a private folder', () => {
  const isOurs = (name: string) => name === 'file'

  /** A folder with a file of ours, and another where `other` names it. */
  function folderOf(mode: number, other?: string): string {
    const folder = freshFolder()
    for (const name of ['file', ...(other ? [other] : [])]) writeFileSync(join(folder, name), '')
    chmodSync(folder, mode)
    return folder
  }

  test('is closed to others, and a missing one is reported', () => {
    const folder = folderOf(0o755)
    expect(keepPrivateFolder(folder, {isOurs})).toBe(true)
    expect(modeOf(folder)).toBe(0o700)
    expect(keepPrivateFolder(join(folder, 'missing'))).toBe(false)
  })

  test('keeps its mode where it holds files of a user, and is refused where others can write to it', () => {
    const folder = folderOf(0o755, 'notes.txt')
    expect(keepPrivateFolder(folder, {isOurs})).toBe(true)
    expect(modeOf(folder)).toBe(0o755)
    chmodSync(folder, 0o775)
    expect(() => keepPrivateFolder(folder, {isOurs})).toThrow('other users can write to it')
    closeFolder(folder, isOurs)
    expect(modeOf(folder)).toBe(0o775)
  })

  test('is refused if all users share it or another user owns it', () => {
    const shared = folderOf(0o1777)
    expect(() => keepPrivateFolder(shared)).toThrow('it is a folder shared by all users')
    expect(() => keepPrivateFolder(folderOf(0o700), {owner: somebodyElse})).toThrow('it belongs to another user')
    mkdirSync(join(shared, 'own'))
    closeFolder(shared, () => true)
    expect(modeOf(shared)).toBe(0o1777)
  })
})

describe('folders that are made', () => {
  test('are made with their parents, and an existing one is unchanged', () => {
    const folder = join(freshFolder(), 'a', 'b', 'c')
    makePrivateFolder(folder)
    expect([folder, join(folder, '..')].map(modeOf)).toEqual([0o700, 0o700])
    chmodSync(folder, 0o750)
    makePrivateFolder(folder)
    expect(modeOf(folder)).toBe(0o750)
  })

  test('are refused if they cannot be made', () => {
    const file = fileOf(0o600)
    const dangling = join(freshFolder(), 'link')
    symlinkSync('/nowhere/at/all', dangling)
    // The system reports each folder below /proc as missing.
    for (const path of ['/proc/roomctl/a/b', '/proc/roomctl', file, join(file, 'a'), dangling, join(dangling, 'a')]) {
      expect(() => makePrivateFolder(path), path).toThrow(/^E(NOENT|EXIST|NOTDIR|ACCES)/u)
    }
  })
})
