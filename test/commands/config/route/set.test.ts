import {describe, expect, test} from 'vitest'
import {live} from '../../live.js'
import {emptyHome} from '../home.js'

test('sets method and path, and requests go there', async () => {
  const service = await live()
  const ran = await service.cli(['config', 'route', 'set', 'room.update', 'patch /v1/rooms/{roomId}/fields'])
  expect(ran).toMatchObject({
    exit: 0,
    stderr: '',
    stdout: 'room.update is PATCH /v1/rooms/{roomId}/fields in profile live\n',
  })
  await service.cli('room update r-1 --max 5 --as ann')
  expect(service.arrived).toEqual(['PATCH /media/v1/rooms/r-1/fields'])
})

test('takes a container of any depth to its new path', async () => {
  const service = await live()
  const set = await service.cli(['config', 'route', 'set', 'asset.list', 'GET /v2/containers/{container}/content'])
  expect(set).toMatchObject({exit: 0, stderr: ''})
  await service.cli(['asset', 'list', '/asset/games/my%20puzzle/'])
  await service.cli(['asset', 'info', 'games', '--route', 'asset.info=GET /meta/{container}'])
  expect(service.arrived).toEqual([
    'GET /asset/v2/containers/games/my%20puzzle/content',
    'GET /asset/meta/games?type=meta',
  ])
})

test('gives the result to programs', async () => {
  const home = emptyHome()
  const ran = await home.cli(['config', 'route', 'set', 'room.list', 'GET /v3/rooms', '-o', 'json'])
  expect(JSON.parse(ran.stdout)).toEqual({profile: 'default', operation: 'room.list', method: 'GET', path: '/v3/rooms'})
  expect(home.file().profiles.default.routes).toEqual({'room.list': 'GET /v3/rooms'})
})

describe('what is refused, with nothing stored', () => {
  test.each([
    ['room.edn', 'POST /v1/rooms/{roomId}/end', 'there is no operation room.edn'],
    ['room.end', 'POST /v1/end', 'the path for room.end does not name {roomId}'],
    ['room.end', 'POST /v1/rooms/{roomId}/{userId}', 'names {userId}, which it does not have'],
    ['room.end', '/v1/rooms/{roomId}/end', 'a route is a method and a path'],
    ['room.end', 'SEND /v1/rooms/{roomId}/end', 'a route begins with a method'],
    ['room.end', 'POST v1/rooms/{roomId}/end', 'begins with exactly one "/"'],
    ['room.end', 'POST //elsewhere.example/{roomId}', 'begins with exactly one "/"'],
    ['room.end', 'POST https://elsewhere.example/{roomId}', 'begins with exactly one "/"'],
    ['room.end', 'POST /v1/../{roomId}', 'holds no "." and no ".."'],
    ['room.end', 'POST /v1/{roomId}?x=1', 'holds no "?"'],
    ['room.list', 'GET /v1/rooms/{roomId}', 'names {roomId}, which it does not have'],
    ['room.list', '', 'a route is a method and a path'],
    ['asset.list', 'GET /containers/', 'the path for asset.list does not name {container}'],
    ['asset.meta', 'GET /{container}/{uuid}', 'names {uuid}, which it does not have'],
  ])('%s %j', async (operation, route, message) => {
    const home = emptyHome()
    const ran = await home.cli(['config', 'route', 'set', operation, route])
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toContain(message)
    expect(() => home.text()).toThrow()
  })

  test('a route of the sandbox', async () => {
    expect((await emptyHome().cli(['config', 'route', 'set', 'room.list', 'GET /x', '-p', 'sandbox'])).exit).toBe(2)
  })
})
