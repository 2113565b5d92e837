import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {fileStore} from '../../../src/sandbox/world/store.js'
import {cli, freshHome} from '../../support/cli.js'
import {readSandboxStatus} from '../../support/sandboxStatus.js'

test('puts rooms in all four states into the sandbox of -p sandbox, privately', async () => {
  const home = freshHome()
  const ran = await cli('sandbox seed', {home})
  expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
  expect(ran.stdout).toBe('seeded 13 rooms; see them with roomctl room list -p sandbox\n')
  const folder = join(home, '.local/share/roomctl/sandbox')
  const states = (await readSandboxStatus(fileStore(folder))).rooms.map((room) => room.room_status)
  expect([...new Set(states)].sort()).toEqual(['ENDED', 'IDLE', 'MEETING', 'RESERVED'])
  expect(statSync(folder).mode & 0o077).toBe(0)
})

test('says the ids', async () => {
  const home = freshHome()
  const ids = (await cli('sandbox seed -q', {home})).stdout.trimEnd().split('\n')
  expect(ids).toHaveLength(13)
  expect(JSON.parse((await cli('sandbox seed -o json --query rooms', {home})).stdout)).toEqual(ids)
})

test('writes the files of the guides with --files, and keeps those that are there', async () => {
  const home = freshHome()
  const folder = join(home, 'new')
  mkdirSync(folder)
  writeFileSync(join(folder, 'push.p12'), 'of somebody')
  const names = [
    'build/board.bundle',
    'build/catalog.json',
    'AuthKey_ABC123DEFG.p8',
    'AuthKey_NEW1234567.p8',
    'push.password',
  ]
  const ran = await cli(['sandbox', 'seed', '--files', folder], {home})
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(ran.stdout).toContain(`\nwrote ${names.map((name) => join(folder, name)).join(', ')}\n`)
  expect(readFileSync(join(folder, 'push.p12'), 'utf8')).toBe('of somebody')
  expect(statSync(join(folder, 'AuthKey_ABC123DEFG.p8')).mode & 0o077).toBe(0)
  const again = JSON.parse((await cli(['sandbox', 'seed', '--files', folder, '-o', 'json'], {home})).stdout)
  expect(again.files).toEqual([])
})

test('makes a key and a certificate that push inspect takes, and refuses a folder that cannot be written', async () => {
  const home = freshHome()
  await cli(['sandbox', 'seed', '--files', home], {home})
  const password = ['--password-file', join(home, 'push.password')]
  expect((await cli(['push', 'inspect', join(home, 'push.p12'), ...password], {home})).exit).toBe(0)
  expect((await cli(['push', 'inspect', join(home, 'AuthKey_ABC123DEFG.p8')], {home})).exit).toBe(0)
  const refused = await cli(['sandbox', 'seed', '--files', join(home, 'push.p12')], {home})
  expect(refused.exit).toBe(14)
  expect(refused.stderr).toContain('cannot write')
})
