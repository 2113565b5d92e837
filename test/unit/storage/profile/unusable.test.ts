import {copyFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {setValue} from '../../../../src/storage/profile/edit.js'
import {backupPath, profilePath, readProfileFile} from '../../../../src/storage/profile/file.js'
import {openProfileFile} from '../../../../src/storage/profile/resolve.js'
import {changeProfileFile} from '../../../../src/storage/profile/write.js'
import {newConfigDir, rejectionOf, textOf} from './folder.js'

/** A folder whose profile was written as usual and holds a token. */
async function folderWithToken(): Promise<string> {
  const configDir = newConfigDir()
  const token = {store: 'file' as const, origin: 'https://a.example', token: 'hunter2-hunter2'}
  await changeProfileFile(configDir, (file) => ({
    ...file,
    profiles: {default: {requester: 'alice', credentials: {room: token}}},
  }))
  return configDir
}

test('a truncated file stays as it is, and the problem names the copy that can take its place', async () => {
  const configDir = await folderWithToken()
  const [path, backup] = [profilePath(configDir), backupPath(configDir)]
  const good = readProfileFile(configDir)
  truncateSync(path, statSync(path).size - 20)
  const before = readFileSync(path)
  const problem = await rejectionOf(openProfileFile(configDir))
  expect(problem.facts.exit).toBe('configuration')
  expect(problem.message).toMatch(/is damaged: it is truncated at line \d+, column \d+$/)
  expect(problem.facts.why).toBe('no command can use it; it was not changed')
  const copied = statSync(backup).mtime.toISOString()
  const advice = `correct it by hand, or restore the copy of ${copied}: cp ${backup} ${path} && roomctl config list`
  expect(problem.facts.try).toBe(advice)
  expect(textOf(problem)).not.toContain('hunter2')
  expect(readFileSync(path)).toEqual(before)
  expect(readdirSync(configDir).sort()).toEqual(['config.backup.json', 'config.json'])
  copyFileSync(backup, path)
  expect(await openProfileFile(configDir)).toEqual(good)
})

test.each([
  ['no copy', undefined],
  ['a copy that is damaged, too', '{"version": 1}'],
])('with %s the problem says so, and what to do', async (_, copy) => {
  const configDir = await folderWithToken()
  const [path, backup] = [profilePath(configDir), backupPath(configDir)]
  if (copy === undefined) rmSync(backup)
  else writeFileSync(backup, copy)
  writeFileSync(path, 'not a profile')
  const problem = await rejectionOf(openProfileFile(configDir))
  expect(problem.message).toContain('is not JSON at line 1, column 2')
  expect(problem.facts.why).toContain('no good copy')
  expect(problem.facts.try).toBe(`correct it by hand, or: mv ${path} ${path}.old && roomctl config init`)
  expect(readFileSync(path, 'utf8')).toBe('not a profile')
})

test('a change of a damaged file changes nothing', async () => {
  const configDir = await folderWithToken()
  writeFileSync(profilePath(configDir), '{"version": 1,')
  const problem = await rejectionOf(changeProfileFile(configDir, (file) => setValue(file, 'default', 'retries', '1')))
  expect(problem.message).toContain('is damaged: it is truncated')
  expect(readFileSync(profilePath(configDir), 'utf8')).toBe('{"version": 1,')
  expect(readdirSync(configDir).filter((name) => name.includes('lock'))).toEqual([])
})
