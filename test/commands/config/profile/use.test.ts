import {expect, test} from 'vitest'
import {emptyHome} from '../home.js'

test('chooses the profile that is used from now on', async () => {
  const home = emptyHome()
  await home.cli('config profile add live')
  await home.cli('config profile add test')
  const ran = await home.cli('config profile use test')
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'profile test is in use\n'})
  expect((await home.cli('config list')).stdout).toMatch(/^profile +test +profile/mu)
  const inEnv = await home.cli('config list', {env: {ROOMCTL_PROFILE: 'live'}})
  expect(inEnv.stdout).toMatch(/^profile +live +env/mu)
})

test('the sandbox may be the one, and works at once', async () => {
  const home = emptyHome()
  expect(JSON.parse((await home.cli('config profile use sandbox -o json')).stdout)).toEqual({profile: 'sandbox'})
  expect((await home.cli('room list -q')).exit).toBe(0)
})

test('one that does not exist is refused with the nearest', async () => {
  const home = emptyHome()
  await home.cli('config profile add staging')
  const ran = await home.cli('config profile use stagin')
  expect(ran).toMatchObject({exit: 2, stdout: ''})
  expect(ran.stderr).toContain('did you mean staging?')
  expect(home.file().current).toBe('staging')
  const inherited = await home.cli('config profile use toString')
  expect(inherited).toMatchObject({exit: 2, stderr: expect.stringContaining('unknown profile toString')})
})
