import {expect, test} from 'vitest'
import {emptyHome} from '../home.js'

test('goes back to the built-in route', async () => {
  const home = emptyHome()
  await home.cli(['config', 'route', 'set', 'room.end', 'PUT /a/{roomId}'])
  const ran = await home.cli('config route unset room.end')
  expect(ran).toMatchObject({
    exit: 0,
    stderr: '',
    stdout: 'room.end is POST /v1/rooms/{roomId}/end again in profile default\n',
  })
  expect((await home.cli('config route list room.end -o csv --no-header --columns source')).stdout).toBe('documented\n')
})

test('where none was set is no failure', async () => {
  const ran = await emptyHome().cli('config route unset room.send -o json')
  expect(ran.exit).toBe(0)
  expect(JSON.parse(ran.stdout)).toEqual({
    profile: 'default',
    operation: 'room.send',
    method: 'POST',
    path: '/v1/rooms/{roomId}/send-data',
  })
})

test('of an unknown operation is refused', async () => {
  expect((await emptyHome().cli('config route unset room.edn')).stderr).toContain('did you mean room.end?')
  const inherited = await emptyHome().cli('config route unset __proto__')
  expect(inherited).toMatchObject({exit: 2, stderr: expect.stringContaining('try: roomctl config route list\n')})
})
