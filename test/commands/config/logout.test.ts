import {expect, test} from 'vitest'
import {emptyHome} from './home.js'

async function loggedIn() {
  const home = emptyHome()
  await home.cli('config set room.url https://rooms.example.com/media')
  await home.cli('config set push.url https://push.example.com')
  await home.cli('config login room --no-check', {stdin: 'tok-room'})
  await home.cli('config login push --no-check', {stdin: 'tok-push'})
  return home
}

test('forgets all tokens and keeps the settings', async () => {
  const home = await loggedIn()
  const ran = await home.cli('config logout')
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'removed the room and push token in profile default\n'})
  expect(home.text()).not.toContain('tok-')
  expect(home.file().profiles.default['room.url']).toBe('https://rooms.example.com/media')
  expect((await home.cli('room list')).exit).toBe(3)
})

test('forgets the token of one service', async () => {
  const home = await loggedIn()
  const ran = await home.cli('config logout push -o json')
  expect(JSON.parse(ran.stdout)).toEqual({profile: 'default', removed: ['push']})
  expect(Object.keys(home.file().profiles.default.credentials)).toEqual(['room'])
})

test('without a token is no failure', async () => {
  const home = emptyHome()
  expect(await home.cli('config logout')).toMatchObject({exit: 0, stdout: 'no token was stored in profile default\n'})
  expect((await home.cli('config logout -o json')).stdout).toContain('"removed": []')
})

test('of the sandbox or of an unknown service is refused', async () => {
  const home = emptyHome()
  expect((await home.cli('config logout -p sandbox')).exit).toBe(2)
  expect((await home.cli('config logout rom')).stderr).toContain('did you mean room?')
})
