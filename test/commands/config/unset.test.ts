import {expect, test} from 'vitest'
import {emptyHome} from './home.js'

test('restores the default', async () => {
  const home = emptyHome()
  await home.cli('config set timeout 2m')
  await home.cli('config set retries 0')
  const ran = await home.cli('config unset timeout')
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'unset timeout in profile default\n'})
  expect(home.file().profiles.default).toEqual({retries: 0})
  expect((await home.cli('config get timeout')).stdout).toBe('60s\n')
})

test('of a key that is not set is no failure', async () => {
  const home = emptyHome()
  expect((await home.cli('config unset timeout')).exit).toBe(0)
  const json = await home.cli('config unset timeout -o json')
  expect(JSON.parse(json.stdout)).toEqual({profile: 'default', key: 'timeout'})
})

test('of an unknown setting or profile is refused', async () => {
  const home = emptyHome()
  expect((await home.cli('config unset timeuot')).stderr).toContain('did you mean timeout?')
  expect(await home.cli('config unset timeout -p nope')).toMatchObject({exit: 2})
  expect(await home.cli('config unset timeout -p sandbox')).toMatchObject({exit: 2})
})

test('of a route goes back to the built-in one', async () => {
  const home = emptyHome()
  await home.cli(['config', 'set', 'route.room.end', 'PUT /a/{roomId}'])
  const ran = await home.cli('config unset route.room.end')
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'unset route.room.end in profile default\n'})
  expect((await home.cli('config route list room.end -o csv --no-header --columns source')).stdout).toBe('documented\n')
})

test('of the route of an unknown operation is refused', async () => {
  expect((await emptyHome().cli('config unset route.room.edn')).stderr).toContain('did you mean room.end?')
  const inherited = await emptyHome().cli('config unset route.__proto__')
  expect(inherited).toMatchObject({exit: 2, stderr: expect.stringContaining('try: roomctl config route list\n')})
})
