import {mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {addProfile, setValue} from '../../../../src/storage/profile/edit.js'
import {profilePath, readProfileFile} from '../../../../src/storage/profile/file.js'
import {changeProfileFile} from '../../../../src/storage/profile/write.js'
import {filesLike, newConfigDir, rejectionOf} from './folder.js'

function setRequester(configDir: string, value: string): Promise<void> {
  return changeProfileFile(configDir, (file) => setValue(file, 'default', 'requester', value))
}

test('the first change makes the folder and the file, and the stored value is read back', async () => {
  const configDir = newConfigDir()
  await setRequester(configDir, 'alice')
  expect(readProfileFile(configDir)).toEqual({version: 2, profiles: {default: {requester: 'alice'}}})
  expect(readdirSync(configDir).sort()).toEqual(['config.backup.json', 'config.json'])
})

test('a change that returns the same file writes nothing', async () => {
  const configDir = newConfigDir()
  await setRequester(configDir, 'alice')
  const before = statSync(profilePath(configDir))
  await changeProfileFile(configDir, (file) => file)
  expect(statSync(profilePath(configDir)).ino).toBe(before.ino)
})

test('a change that throws leaves the file as it was and the lock free', async () => {
  const configDir = newConfigDir()
  await setRequester(configDir, 'alice')
  const before = readFileSync(profilePath(configDir))
  await rejectionOf(changeProfileFile(configDir, (file) => addProfile(file, 'default')))
  expect(readFileSync(profilePath(configDir))).toEqual(before)
  await setRequester(configDir, 'bob')
})

test('a removed token is in no file', async () => {
  const configDir = newConfigDir()
  const credentials = {room: {store: 'file' as const, origin: 'https://a.example', token: 'hunter2'}}
  await changeProfileFile(configDir, (file) => ({...file, profiles: {default: {credentials}}}))
  await changeProfileFile(configDir, (file) => ({...file, profiles: {default: {}}}))
  const texts = readdirSync(configDir).map((name) => readFileSync(join(configDir, name), 'utf8'))
  expect(texts.join()).not.toContain('hunter2')
})

test('a file that an editor saved with a byte order mark is changed like any other', async () => {
  const configDir = newConfigDir()
  await setRequester(configDir, 'alice')
  const edited = '\ufeff{"version": 1,\r\n"profiles": {"default": {"requester": "by hand"}}}\r\n'
  writeFileSync(profilePath(configDir), edited)
  await setRequester(configDir, 'bob')
  expect(JSON.parse(readFileSync(profilePath(configDir), 'utf8'))).toMatchObject({
    profiles: {default: {requester: 'bob'}},
  })
  expect(readFileSync(join(configDir, 'config.backup.json'), 'utf8')).toBe(edited)
})

test('temporary files of killed runs are swept when they are older than a minute', async () => {
  const configDir = newConfigDir()
  mkdirSync(configDir, {mode: 0o700})
  const old = ['config.json.tmp-1234567890abcdef', 'config.backup.json.tmp-0123456789012345']
  const own = process.pid.toString(16).padStart(6, '0')
  const kept = [`config.json.tmp-1234567890${own}`, 'notes.tmp-1234567890abcdef', 'config.json.tmp-mine']
  for (const name of [...old, ...kept]) writeFileSync(join(configDir, name), 'token')
  const longAgo = Date.now() / 1000 - 61
  for (const name of [...old, ...kept.slice(1)]) utimesSync(join(configDir, name), longAgo, longAgo)
  await setRequester(configDir, 'alice')
  expect(filesLike(configDir, /tmp/).sort()).toEqual([...kept].sort())
})

test('what conf leaves behind when it is killed has the name that is swept', async () => {
  // The pattern of the sweep is a copy of how atomically, which conf writes with, makes its names.
  const names: string[] = []
  const {writeFileSync: writeAtomically} = await import('atomically')
  const configDir = newConfigDir()
  writeAtomically(profilePath(configDir), '{}', {tmpCreated: (path: string) => names.push(path)})
  expect(names).toHaveLength(1)
  expect(names[0]).toMatch(/\/config\.json\.tmp-\d{10}[0-9a-f]{6}$/)
})
