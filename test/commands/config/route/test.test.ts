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
    stdout:
      'PATCH https://rooms.example.com/media/media/v1/rooms/{roomId}  (documented)\n' +
      '  body: requester_id, user_id, name, description, reserved_start_time, reserved_end_time, max_attendee_count, ' +
      'is_public, is_joinable\n',
  })
  const other = await home.cli([
    'config',
    'route',
    'test',
    'room.delegate',
    '--route',
    'room.delegate=PATCH /v1/rooms/{roomId}',
    '-o',
    'json',
  ])
  expect(JSON.parse(other.stdout)).toEqual({
    operation: 'room.delegate',
    method: 'PATCH',
    url: 'https://rooms.example.com/media/v1/rooms/{roomId}',
    source: 'flag',
    body: {requester_id: '{requester_id}', user_id: '{user_id}'},
    form: null,
  })
})

test('needs an address and no token', async () => {
  const home = emptyHome()
  const ran = await home.cli('config route test room.list')
  expect(ran).toMatchObject({exit: 3, stdout: ''})
  expect(ran.stderr).toContain('no address is set for the room service')
  expect((await home.cli('config route test room.list -p sandbox')).stdout).toBe(
    'GET http://sandbox.localhost/media/v1/rooms?asc={asc}&bizId={bizId}  (documented)\n',
  )
})

test('shows the whole path of an asset operation', async () => {
  expect((await emptyHome().cli('config route test asset.bytes -p sandbox')).stdout).toBe(
    'GET http://sandbox.localhost/asset/{container}/{uuid}?type={type}  (documented)\n',
  )
})

test('shows where a route puts every parameter', async () => {
  const line = ['config', 'route', 'test', 'push.iosCertificate', '-p', 'sandbox', '--route']
  const ran = await emptyHome().cli([...line, 'push.iosCertificate=PUT /v2/{application_id}'])
  expect(ran).toMatchObject({
    exit: 0,
    sent: [],
    stdout:
      'PUT http://sandbox.localhost/push/v2/{application_id}?apns_certificate_password={apns_certificate_password}' +
      '&bundle_id={bundle_id}  (flag)\n  form: certificate_file\n',
  })
})
