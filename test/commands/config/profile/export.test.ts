import {expect, test} from 'vitest'
import {emptyHome} from '../home.js'

test('prints settings and routes, and no secrets', async () => {
  const home = emptyHome()
  await home.cli('config profile add live --room-url https://rooms.example.com/media --protected')
  await home.cli('config login room -p live', {stdin: 'tok-3n'})
  await home.cli(['config', 'login', 'room', '-p', 'live', '--token-command', 'pass show s3cr3t'])
  await home.cli(['config', 'route', 'set', 'room.send', 'POST /v2/rooms/{roomId}/data', '-p', 'live'])
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
