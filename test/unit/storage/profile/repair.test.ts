import {readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {DamagedDocument} from '../../../../src/storage/document.js'
import {setValue} from '../../../../src/storage/profile/edit.js'
import {backupPath, profilePath, readProfileFile} from '../../../../src/storage/profile/file.js'
import {repairProfileFile} from '../../../../src/storage/profile/repair.js'
import {openProfileFile} from '../../../../src/storage/profile/resolve.js'
import {changeProfileFile} from '../../../../src/storage/profile/write.js'
import {filesLike, modeOf, newConfigDir, rejectionOf, textOf} from './folder.js'

/** A folder whose profile was written as usual and holds a token. */
async function folderWithToken(): Promise<string> {
  const configDir = newConfigDir()
  await changeProfileFile(configDir, (file) => ({
    ...setValue(file, 'default', 'requester', 'alice'),
    profiles: {
      default: {
        requester: 'alice',
        credentials: {room: {store: 'file', origin: 'https://a.example', token: 'hunter2-hunter2'}},
      },
    },
  }))
  return configDir
}

const damagedName = /^config\.damaged-\d{8}T\d{9}Z\.json$/

test('a whole file is opened as it is read', async () => {
  const configDir = await folderWithToken()
  expect(await openProfileFile(configDir)).toEqual(readProfileFile(configDir))
  expect(filesLike(configDir, damagedName)).toEqual([])
})

test('a truncated file is kept aside, the last good copy comes back, and the problem tells all of it', async () => {
  const configDir = await folderWithToken()
  const good = readProfileFile(configDir)
  const path = profilePath(configDir)
  truncateSync(path, statSync(path).size - 20)
  const damaged = readFileSync(path)

  const problem = await rejectionOf(openProfileFile(configDir))

  const [kept = ''] = filesLike(configDir, damagedName)
  expect(readFileSync(join(configDir, kept))).toEqual(damaged)
  expect(modeOf(join(configDir, kept))).toBe(0o600)
  expect(modeOf(path)).toBe(0o600)
  expect(problem.facts.exit).toBe('configuration')
  expect(problem.message).toMatch(/is truncated at line \d+, column \d+$/)
  expect(problem.facts.why).toContain(kept)
  expect(problem.facts.why).toContain('restored the last good copy')
  expect(problem.facts.try).toContain('roomctl config list')
  expect(textOf(problem)).not.toContain('hunter2')
  expect(await openProfileFile(configDir)).toEqual(good)
  expect(readFileSync(backupPath(configDir))).toEqual(readFileSync(path))
})

test('without a good copy there is an empty file again, and the problem says how to go on', async () => {
  const configDir = await folderWithToken()
  rmSync(backupPath(configDir))
  writeFileSync(profilePath(configDir), 'not a profile')
  const problem = await rejectionOf(openProfileFile(configDir))
  expect(problem.message).toContain('is not JSON at line 1, column 2')
  expect(problem.facts.why).toContain('no good copy')
  expect(problem.facts.try).toContain('roomctl config init')
  expect(await openProfileFile(configDir)).toEqual({version: 2, profiles: {}})
  expect(filesLike(configDir, damagedName)).toHaveLength(1)
})

test('a backup that is damaged too is not put back', async () => {
  const configDir = await folderWithToken()
  writeFileSync(backupPath(configDir), '{"version": 1}')
  writeFileSync(profilePath(configDir), '')
  const problem = await rejectionOf(openProfileFile(configDir))
  expect(problem.message).toContain('is empty')
  expect(problem.facts.why).toContain('no good copy')
})

test('each damaged file is kept, also those of one millisecond, which their names show', async () => {
  const configDir = await folderWithToken()
  for (const content of ['one', 'two', 'three']) {
    writeFileSync(profilePath(configDir), content)
    await rejectionOf(openProfileFile(configDir))
  }
  const kept = filesLike(configDir, damagedName).map((name) => readFileSync(join(configDir, name), 'utf8'))
  expect(kept.sort()).toEqual(['one', 'three', 'two'])
})

test('a file that another process has put right meanwhile is simply read', async () => {
  const configDir = await folderWithToken()
  expect(await repairProfileFile(configDir, new DamagedDocument('is empty'))).toEqual(readProfileFile(configDir))
  expect(filesLike(configDir, damagedName)).toEqual([])
})

test('of several that find the damage at once one repairs it and the others read the good file', async () => {
  const configDir = await folderWithToken()
  const good = readProfileFile(configDir)
  writeFileSync(profilePath(configDir), '{')
  const results = await Promise.allSettled(Array.from({length: 5}, () => openProfileFile(configDir)))
  expect(results.filter(({status}) => status === 'rejected')).toHaveLength(1)
  expect(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))).toEqual(
    Array(4).fill(good),
  )
  expect(filesLike(configDir, damagedName)).toHaveLength(1)
})

test('a change of a damaged file changes nothing and repairs it the same way', async () => {
  const configDir = await folderWithToken()
  const good = readProfileFile(configDir)
  writeFileSync(profilePath(configDir), '{"version": 1,')
  const problem = await rejectionOf(changeProfileFile(configDir, (file) => setValue(file, 'default', 'retries', '1')))
  expect(problem.message).toContain('was damaged: it is truncated')
  expect(readProfileFile(configDir)).toEqual(good)
  expect(readdirSync(configDir).filter((name) => name.includes('lock'))).toEqual([])
})
