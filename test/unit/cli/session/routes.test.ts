import {describe, expect, test} from 'vitest'
import type {Operation} from '../../../../src/api/contract/operation.js'
import {operationById, operations} from '../../../../src/api/contract/operations.js'
import {parseOwnRoute, settledRoute} from '../../../../src/cli/session/routes.js'
import {resolveProfile} from '../../../../src/storage/profile/resolve.js'
import {everyCase} from '../../../support/everyCase.js'
import {failing} from '../../../support/failures.js'

function known(id: string): Operation {
  const found = operationById(id)
  if (found) return found
  throw new Error(`unknown operation ${id}`)
}

const refused = (id: string, route: string) => failing(() => parseOwnRoute(known(id), route))

describe('a route of the user’s own', () => {
  test('may be the built-in one of every operation', () => {
    for (const {id, method, route} of operations) {
      expect(parseOwnRoute(known(id), `${method} ${route}`)).toEqual({method, path: route})
    }
  })

  test.each([
    ['push.cancel', 'DELETE /v2/requests'],
    ['push.cancel', 'DELETE /v2/apps/{application_id}/requests'],
    ['push.modify', 'PATCH /apps/{application_id}/requests/{request_uuid}'],
    ['push.register', 'PUT /users/{user_id}/tokens/{push_type}'],
    ['push.records', 'GET /requests/{request_id}/records'],
    ['room.list', 'GET /biz/{bizId}/rooms'],
    ['asset.meta', 'GET /{container}/{common_resource_uuid}/{type}'],
  ])('%s may be %s', (id, text) => {
    const [method, path] = text.split(' ')
    expect(parseOwnRoute(known(id), text)).toEqual({method, path})
  })
})

describe('the path of a route', () => {
  test.each([
    ['push.cancel', '/v2/{uuid}', 'the path for push.cancel names {uuid}, which is not one of its parameters'],
    [
      'push.cancel',
      '/v2/{request_uuids}',
      'the path for push.cancel names {request_uuids}, which is a list or an object',
    ],
    ['push.send', '/v2/{data}', 'the path for push.send names {data}, which is a list or an object'],
    ['push.iosKey', '/v2/{auth_key_file}', 'the path for push.iosKey names {auth_key_file}, which is a secret'],
    ['push.register', '/v2/{push_token}', 'the path for push.register names {push_token}, which is a secret'],
    ['push.android', '/v2/{fcm_server_key}', 'the path for push.android names {fcm_server_key}, which is a secret'],
    [
      'push.iosCertificate',
      '/{apns_certificate_password}',
      'the path for push.iosCertificate names {apns_certificate_password}, which is a secret',
    ],
    ['push.cancel', '/{application_id}/{application_id}', 'the path for push.cancel names {application_id} twice'],
    ['room.end', '/v2/end', 'the path for room.end does not name {roomId}'],
  ])('of %s cannot be %s', (id, path, message) => {
    expect(refused(id, `POST ${path}`)).toMatchObject({exit: 'usage', message})
  })

  test.each([
    ['push.cancel', '/v2/{uuid}', 'it may name {application_id}'],
    ['room.end', '/v2/end', 'it names {roomId}, it may name {requester_id} too'],
    ['push.register', '/v2/{push_token}', 'servers and proxies log paths'],
    ['push.register', '/v2/{x}', 'it may name {user_id}, {push_type}'],
  ])('of %s: %s is explained', (id, path, why) => {
    expect(refused(id, `POST ${path}`).why).toBe(why)
  })
})

describe('a route that cannot be used', () => {
  const layers = {flags: {}, env: {}, file: {version: 1 as const, profiles: {}}}
  const bad = {method: 'DELETE', path: '/v2', send: {application_id: 'header'}}
  const misfit = 'cannot be used: a route is only a method and a path, and "send" was removed'

  test('in the environment is named by its variable', () => {
    const resolved = resolveProfile({...layers, env: {ROOMCTL_ROUTE_PUSH_CANCEL: JSON.stringify(bad)}})
    expect(failing(() => settledRoute(known('push.cancel'), resolved))).toMatchObject({
      exit: 'usage',
      message: `ROOMCTL_ROUTE_PUSH_CANCEL ${misfit}`,
    })
  })

  test('in the profile is a matter of configuration, and says how to be rid of it', () => {
    const file = {version: 1 as const, current: 'live', profiles: {live: {routes: {'push.cancel': bad}}}}
    const resolved = resolveProfile({...layers, file})
    expect(failing(() => settledRoute(known('push.cancel'), resolved))).toMatchObject({
      exit: 'configuration',
      message: `the route of push.cancel in the profile live ${misfit}`,
      try: 'roomctl config unset route.push.cancel',
    })
    expect(settledRoute(known('push.show'), resolved)).toEqual({method: 'GET', path: '/v1/config'})
    const plain = {method: 'DELETE', path: '/v2'}
    const kept = {...file, profiles: {live: {routes: {'push.cancel': plain}}}}
    expect(settledRoute(known('push.cancel'), resolveProfile({...layers, file: kept}))).toEqual(plain)
  })

  const malformed = [
    'PUT',
    'PUT //other.example/v2',
    'PUT https://other.example/v2',
    '{',
    '{}',
    '{"method": "PUT", "path": "/v2", "toString": "x"}',
    '{"method": "PUT", "path": "/v2", "hasOwnProperty": "path"}',
    '{"method": "PUT", "path": "/v2", "send": ["form"]}',
    '{"method": "PUT", "path": "/v2", "rename": {"title": 1}}',
  ]

  test('is of the wrong form, wherever it comes from', () =>
    everyCase(malformed, (text) => {
      const inEnv = resolveProfile({...layers, env: {ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE: text}})
      expect(failing(() => settledRoute(known('push.iosCertificate'), inEnv))).toMatchObject({
        exit: 'usage',
        message: expect.stringMatching(/^ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE cannot be used: /u),
      })
      const file = {version: 1 as const, current: 'live', profiles: {live: {routes: {'push.iosCertificate': text}}}}
      const stored = resolveProfile({...layers, file})
      expect(failing(() => settledRoute(known('push.iosCertificate'), stored))).toMatchObject({exit: 'configuration'})
    }))
})
