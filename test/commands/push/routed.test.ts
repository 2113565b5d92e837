import {expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {writeProfiles} from '../live.js'
import {pushWire} from './wire.js'

const app = ['--application-id', 'app-1']
/** Operations, a route of their own, the command, and the request to the letter. */
const routed = [
  [
    'push.register',
    'PUT /v2/users/{user_id}/devices',
    ['register', 'ann/1', '--type', 'ANDROID'],
    'PUT /push/v2/users/ann%2F1/devices {"push_type":"ANDROID","push_token":"device-token-1"}',
  ],
  [
    'push.cancel',
    'DELETE /v2/requests',
    ['cancel', 'r-1', ...app, '--yes'],
    'DELETE /push/v2/requests?application_id=app-1 {"request_uuids":["r-1"]}',
  ],
  ['push.show', 'GET /v2/apps/{application_id}', ['show', ...app], 'GET /push/v2/apps/app-1 '],
  [
    'push.records',
    'GET /v2/requests/{request_id}/records',
    ['records', '--request-id', 'r-1', '--recipient-id', 'a b'],
    'GET /push/v2/requests/r-1/records?recipient_id=a%20b ',
  ],
] as const

test('an operation is sent to its own route, once, and nowhere else if nothing answers there', () =>
  everyCase(
    routed.flatMap((row) => ([204, 404] as const).map((status) => [...row, status] as const)),
    async (id, route, line, request, status) => {
      const wire = await pushWire(() => ({status}))
      const home = freshHome()
      writeProfiles(home, {default: {routes: {[id]: route}}})
      const ran = await cli(['push', ...line], {home, env: wire.env, stdin: 'device-token-1'})
      expect(ran.exit).toBe(status === 204 ? 0 : 6)
      expect(wire.arrived.map(({method, path, body}) => `${method} ${path} ${body}`)).toEqual([request])
      if (status === 404) expect(ran.stderr).toContain(`nothing answers at ${route}, the route set for ${id}`)
    },
  ))

test('the environment wins over the profile', async () => {
  const wire = await pushWire(() => ({status: 200, body: []}))
  const home = freshHome()
  const at = (name: string) => `GET /${name}`
  writeProfiles(home, {default: {routes: {'push.records': at('profile')}}})
  const env = {...wire.env, ROOMCTL_ROUTE_PUSH_RECORDS: at('env')}
  const line = ['push', 'records', '--request-id', 'r']
  await cli(line, {home, env})
  await cli(line, {home, env: wire.env})
  expect(wire.arrived.map(({path}) => path)).toEqual(['/push/env?request_id=r', '/push/profile?request_id=r'])
})

test('a route that does not fit sends nothing, wherever it is set', async () => {
  const wire = await pushWire(() => ({status: 204}))
  const route = JSON.stringify({method: 'POST', path: '/v2', send: {request_uuids: 'query'}})
  const line = ['push', 'cancel', 'r-1', '--application-id', 'app-1', '--yes']
  const message = 'a route is only a method and a path, and "send" was removed'
  const env = await cli(line, {env: {...wire.env, ROOMCTL_ROUTE_PUSH_CANCEL: route}})
  const home = freshHome()
  writeProfiles(home, {default: {routes: {'push.cancel': JSON.parse(route)}}})
  const profile = await cli(line, {home, env: wire.env})
  expect([env.exit, profile.exit]).toEqual([2, 3])
  for (const {stderr} of [env, profile]) expect(stderr).toContain(message)
  expect(wire.arrived).toEqual([])
})
