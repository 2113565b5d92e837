import {expect, test} from 'vitest'
import {emptyHome} from '../home.js'

test('shows where an operation would be sent, and sends nothing', async () => {
  const home = emptyHome()
  await home.cli('config set room.url https://rooms.example.com/media/')
  const ran = await home.cli('config route test room.update')
  expect(ran).toMatchObject({
    exit: 0,
    stderr: '',
    sent: [],
    stdout: 'PATCH https://rooms.example.com/media/media/v1/rooms/{roomId}  (documented)\n',
  })
  const other = await home.cli([
    'config',
    'route',
    'test',
    'room.update',
    '--route',
    'room.update=PATCH /v1/rooms/{roomId}',
    '-o',
    'json',
  ])
  expect(JSON.parse(other.stdout)).toEqual({
    operation: 'room.update',
    method: 'PATCH',
    url: 'https://rooms.example.com/media/v1/rooms/{roomId}',
    source: 'flag',
  })
})

test('needs an address and no token', async () => {
  const home = emptyHome()
  const ran = await home.cli('config route test room.list')
  expect(ran).toMatchObject({exit: 3, stdout: ''})
  expect(ran.stderr).toContain('there is no address for the room service')
  expect((await home.cli('config route test room.list -p sandbox')).stdout).toBe(
    'GET http://sandbox.localhost/media/v1/rooms  (documented)\n',
  )
})

test('shows the whole path of an asset operation', async () => {
  expect((await emptyHome().cli('config route test asset.bytes -p sandbox')).stdout).toBe(
    'GET http://sandbox.localhost/asset/{container}/{uuid}  (documented)\n',
  )
})
