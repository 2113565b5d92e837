import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {writeProfiles} from '../../live.js'
import {emptyHome} from '../home.js'

test('prints settings and routes, and no secrets', async () => {
  const home = emptyHome()
  await home.cli('config profile add live --room-url https://rooms.example.com/media')
  await home.cli('config set protected true -p live')
  await home.cli('config login room -p live --no-check', {stdin: 'tok-3n'})
  await home.cli(['config', 'login', 'room', '-p', 'live', '--token-command', 'pass show s3cr3t'])
  await home.cli(['config', 'set', 'route.room.send', 'POST /v2/rooms/{roomId}/data', '-p', 'live'])
  const ran = await home.cli('config profile export live')
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(JSON.parse(ran.stdout)).toEqual({
    kind: 'roomctl-profile',
    version: 1,
    name: 'live',
    settings: {'room.url': 'https://rooms.example.com/media', protected: true},
    routes: {'room.send': 'POST /v2/rooms/{roomId}/data'},
  })
  expect(ran.stdout).not.toMatch(/tok-3n|s3cr3t|credential/)
})

test('of one that does not exist is refused', async () => {
  const home = emptyHome()
  expect(await home.cli('config profile export live')).toMatchObject({exit: 2, stdout: ''})
  expect(await home.cli('config profile export sandbox')).toMatchObject({exit: 2, stdout: ''})
})

test('refuses an address with a password that was put into the file by hand, and does not show it', async () => {
  const home = emptyHome()
  writeProfiles(home.folder, {live: {'room.url': 'https://me:s3cr3t@rooms.example.com'}})
  const ran = await home.cli('config profile export live')
  expect(ran).toMatchObject({exit: 2, stdout: ''})
  expect(ran.stderr).not.toContain('s3cr3t')
})

test('writes a file for its user alone, and replaces no other', async () => {
  const home = emptyHome()
  await home.cli('config profile add live --room-url https://rooms.example.com')
  const file = join(home.folder, 'live.json')
  const line = ['config', 'profile', 'export', 'live', file]
  expect(await home.cli(line)).toMatchObject({exit: 0, stdout: `exported profile live to ${file}\n`, stderr: ''})
  expect(readFileSync(file, 'utf8')).toBe((await home.cli('config profile export live')).stdout)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, 'theirs')
  expect(await home.cli(line)).toMatchObject({exit: 14, stdout: ''})
  expect(readFileSync(file, 'utf8')).toBe('theirs')
})
