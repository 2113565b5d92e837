import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {setValue} from '../../../../src/storage/profile/edit.js'
import {backupPath, profilePath} from '../../../../src/storage/profile/file.js'
import {openProfileFile} from '../../../../src/storage/profile/resolve.js'
import {changeProfileFile} from '../../../../src/storage/profile/write.js'
import {newConfigDir, rejectionOf} from './folder.js'

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

test.each([
  ['no copy', undefined],
  ['a copy that is damaged, too', '{"version": 1}'],
])('with %s the error says so, and what to do', async (_, copy) => {
  const configDir = await folderWithToken()
  const [path, backup] = [profilePath(configDir), backupPath(configDir)]
  if (copy === undefined) rmSync(backup)
  else writeFileSync(backup, copy)
  writeFileSync(path, 'not a profile')
  const problem = await rejectionOf(openProfileFile(configDir))
  expect(problem.message).toContain('is not JSON at line 1, column 1')
  expect(problem.facts.why).toContain('no good copy')
  expect(problem.facts.try).toBe(`correct it by hand, or move it away: mv ${path} ${path}.old`)
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
