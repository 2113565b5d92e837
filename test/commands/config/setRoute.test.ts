import {describe, expect, test} from 'vitest'
import {everyCase} from '../../support/everyCase.js'
import {live} from '../live.js'
import {emptyHome} from './home.js'

test('sets method and path, and requests go there', async () => {
  const service = await live()
  const ran = await service.cli(['config', 'set', 'route.room.update', 'patch /v1/rooms/{roomId}/fields'])
  expect(ran).toMatchObject({
    exit: 0,
    stderr: '',
    stdout: 'set route.room.update in profile live\n',
  })
  await service.cli('room update r-1 --max 5 --as ann')
  expect(service.arrived[0]).toBe('PATCH /media/v1/rooms/r-1/fields')
})

test('takes a container of any depth to its new path', async () => {
  const service = await live()
  const set = await service.cli(['config', 'set', 'route.asset.list', 'GET /v2/containers/{container}/content'])
  expect(set).toMatchObject({exit: 0, stderr: ''})
  await service.cli(['asset', 'list', '/asset/games/my%20puzzle/'])
  await service.cli('asset info games', {env: {ROOMCTL_ROUTE_ASSET_INFO: 'GET /meta/{container}'}})
  expect(service.arrived).toEqual([
    'GET /asset/v2/containers/games/my%20puzzle/content',
    'GET /asset/meta/games?type=meta',
  ])
})

describe('refusals, with nothing stored', () => {
  test('is refused where the operation cannot be called so', () =>
    everyCase(
      [
        ['room.edn', 'POST /v1/rooms/{roomId}/end', 'unknown operation room.edn'],
        ['room.end', 'POST /v1/end', 'the path for room.end does not name {roomId}'],
        ['room.end', 'POST /v1/rooms/{roomId}/{userId}', 'cannot name {userId} here'],
        ['room.end', '/v1/rooms/{roomId}/end', 'a route is a method and a path'],
        ['room.end', 'SEND /v1/rooms/{roomId}/end', 'a route begins with a method'],
        ['room.end', 'POST v1/rooms/{roomId}/end', 'cannot be the path of a route'],
        ['room.end', 'POST //elsewhere.example/{roomId}', 'cannot be the path of a route'],
        ['room.end', 'POST https://elsewhere.example/{roomId}', 'cannot be the path of a route'],
        ['room.end', 'POST /v1/../{roomId}', 'cannot be the path of a route'],
        ['room.end', 'POST /v1/{roomId}?x=1', 'cannot be the path of a route'],
        ['room.list', 'GET /v1/rooms/{roomId}', 'cannot name {roomId} here'],
        ['room.list', '', 'a route is a method and a path'],
        ['room.list', 'GET', 'a route is a method and a path'],
        ['room.list', 'GET /v1 /v2', 'a route is a method and a path'],
        ['room.list', 'CONNECT /v1', 'a route begins with a method'],
        ['room.list', 'GET /v1#x', 'cannot be the path of a route'],
        ['room.list', 'GET /v1/./x', 'cannot be the path of a route'],
        ['room.list', 'GET /v1/.%2e/%2e%2E', 'cannot be the path of a route'],
        ...['\\x', '%zz', '{1}', '{}', '{a', '방'].map(
          (end) => ['room.list', `GET /v1/${end}`, 'cannot be the path of a route'] as const,
        ),
        ['room.list', 'GET /v1/{a}{b}', 'cannot be the path of a route'],
        ['asset.list', 'GET /containers/', 'the path for asset.list does not name {container}'],
        ['push.cancel', '{"method": "POST", "path": "/v2", "send": {"uuid": "query"}}', 'and "send" was removed'],
        ['push.cancel', '{"method": "POST", "path": "/v2"}', 'a route is a method and a path'],
        ['push.register', 'POST /v2/{push_token}', 'cannot name {push_token} here'],
        ['push.iosKey', 'POST /v2/{auth_key_file}', 'cannot name {auth_key_file} here'],
        ['push.android', 'POST /v2/{fcm_server_key}', 'cannot name {fcm_server_key} here'],
        ['push.iosCertificate', 'POST /{apns_certificate_password}', 'cannot name {apns_certificate_password} here'],
        ['push.cancel', 'POST /v2/{request_uuids}', 'cannot name {request_uuids} here'],
        ['push.cancel', 'POST /{application_id}/{application_id}', 'cannot name {application_id} here'],
        ['asset.meta', 'GET /{container}/{uuid}', 'cannot name {uuid} here'],
      ],
      async (operation, route, message) => {
        const home = emptyHome()
        const ran = await home.cli(['config', 'set', `route.${operation}`, route])
        expect(ran).toMatchObject({exit: 2, stdout: ''})
        expect(ran.stderr).toContain(message)
        expect(() => home.text()).toThrow()
      },
    ))

  test('a route of the sandbox', async () => {
    expect((await emptyHome().cli(['config', 'set', 'route.room.list', 'GET /x', '-p', 'sandbox'])).exit).toBe(2)
  })
})
