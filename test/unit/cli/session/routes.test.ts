import {describe, expect, test} from 'vitest'
import type {Operation} from '../../../../src/api/contract/operation.js'
import {operationById, operations} from '../../../../src/api/contract/operations.js'
import {routeFlags, settledRoute} from '../../../../src/cli/session/routes.js'
import {parseOwnRoute} from '../../../../src/cli/session/routeValidation.js'
import {Failure} from '../../../../src/failure.js'
import {assertRouteForms} from '../../../../src/features/config/profileFile.js'
import {resolveProfile} from '../../../../src/storage/profile/resolve.js'
import {everyCase} from '../../../support/everyCase.js'
import {failing} from '../../../support/failures.js'

function known(id: string): Operation {
  const found = operationById(id)
  if (found) return found
  throw new Error(`unknown operation ${id}`)
}

const refused = (id: string, route: object | string) =>
  failing(() => parseOwnRoute(known(id), typeof route === 'string' ? route : JSON.stringify(route)))

describe('a route of the user’s own', () => {
  test('may be the built-in one of every operation', () => {
    for (const {id, method, route} of operations) {
      expect(parseOwnRoute(known(id), `${method} ${route}`)).toEqual({method, path: route})
      expect(parseOwnRoute(known(id), JSON.stringify({method, path: route}))).toEqual({method, path: route})
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

  const all = (place: string) => ({title: place, body: place, dispatch_type: place, destination: place})
  test.each([
    ['push.broadcast', {method: 'POST', path: '/v2', send: {application_id: 'body'}}],
    [
      'push.broadcast',
      {method: 'POST', path: '/v2', send: {...all('form'), dispatch_date: 'form', application_id: 'form'}},
    ],
    ['push.broadcast', {method: 'POST', path: '/v2', send: {title: 'query', body: 'header', dispatch_type: 'body'}}],
    ['push.cancel', {method: 'DELETE', path: '/v2', send: {request_uuids: 'form'}, rename: {request_uuids: 'ids[]'}}],
    ['push.iosKey', {method: 'PUT', path: '/v2', send: {auth_key_file: 'form'}, rename: {auth_key_file: 'file'}}],
    ['push.iosCertificate', {method: 'PUT', path: '/v2', send: {apns_certificate_password: 'header'}}],
    ['push.show', {method: 'POST', path: '/v2', send: {application_id: 'body'}}],
    ['push.show', {method: 'GET', path: '/v2', send: {application_id: 'header'}, rename: {application_id: 'X-App'}}],
    ['push.records', {method: 'GET', path: '/v2', rename: {request_id: 'recipient_id', recipient_id: 'request_id'}}],
  ])('%s may be %j', (id, route) => {
    expect(parseOwnRoute(known(id), JSON.stringify(route))).toEqual(route)
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
    for (const route of [`POST ${path}`, {method: 'POST', path}]) {
      expect(refused(id, route)).toMatchObject({exit: 'usage', message})
    }
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

describe('what a route says about its parameters', () => {
  const at = (more: object) => ({method: 'POST', path: '/v2', ...more})
  test.each([
    ['push.cancel', at({send: {uuid: 'body'}}), '"send" names uuid, which is no parameter of push.cancel'],
    ['push.cancel', at({rename: {uuid: 'id'}}), '"rename" names uuid, which is no parameter of push.cancel'],
    [
      'push.cancel',
      at({rename: {constructor: 'id'}}),
      '"rename" names constructor, which is no parameter of push.cancel',
    ],
    [
      'asset.upload',
      at({path: '/{container}', send: {Platform: 'query'}}),
      '"send" names Platform, which is no parameter',
    ],
    [
      'asset.patch',
      at({path: '/{container}/{uuid}', rename: {uuid: 'id'}}),
      '"rename" names uuid, which is already in the path',
    ],
    [
      'push.cancel',
      at({path: '/{application_id}', rename: {application_id: 'app'}}),
      '"rename" names application_id, which',
    ],
    [
      'push.cancel',
      at({path: '/{application_id}', send: {application_id: 'query'}}),
      '"send" names application_id, which',
    ],
    ['push.iosKey', at({send: {auth_key_file: 'body'}}), '"send" moves auth_key_file of push.iosKey, which is a file'],
    ['push.iosKey', at({send: {auth_key_file: 'query'}}), '"send" moves auth_key_file of push.iosKey, which is a file'],
    ['push.iosKey', at({send: {team_id: 'body'}}), 'team_id of push.iosKey cannot be in a JSON body'],
    ['push.cancel', at({send: {request_uuids: 'query'}}), 'request_uuids of push.cancel cannot be in the query'],
    ['push.send', at({send: {data: 'header'}}), 'data of push.send cannot be in the header'],
    ['push.android', at({send: {package_name: 'form'}}), 'fcm_server_key of push.android cannot be in a JSON body'],
    ['push.cancel', at({send: {application_id: 'form'}}), 'request_uuids of push.cancel cannot be in a JSON body'],
    ['push.records', at({rename: {request_id: 'id', recipient_id: 'id'}}), 'both are in the query as id'],
    ['push.records', at({rename: {request_id: 'recipient_id'}}), 'both are in the query as recipient_id'],
    ['push.broadcast', at({send: {application_id: 'body'}, rename: {application_id: 'title'}}), 'in the body as title'],
    ['push.iosKey', at({send: {key_id: 'form'}, rename: {key_id: 'auth_key_file'}}), 'in the form as auth_key_file'],
    [
      'push.iosKey',
      at({send: {key_id: 'header', team_id: 'header'}, rename: {key_id: 'X-ID', team_id: 'x-id'}}),
      'key_id of push.iosKey both are in the header as X-ID',
    ],
    ['push.show', {method: 'GET', path: '/v2', send: {application_id: 'body'}}, 'in the body of a GET request'],
    ['push.show', {method: 'HEAD', path: '/v2', send: {application_id: 'form'}}, 'in the form of a HEAD request'],
    ['push.cancel', at({send: {application_id: 'header'}, rename: {application_id: 'app[id]'}}), 'of the name app[id]'],
  ])('for %s, %j is refused', (id, route, message) => {
    const facts = refused(id, route)
    expect(facts.exit).toBe('usage')
    expect(facts.message).toContain(message)
    expect(facts.why).toMatch(/^.{10,}[^.]$/)
  })

  test.each([
    ...['Authorization', 'content-type', 'Content-Length', 'HOST', 'Connection', 'Transfer-Encoding', 'accept'],
    ...[
      'Accept-Encoding',
      'Cookie',
      'Upgrade',
      'TE',
      'Trailer',
      'Proxy-Authorization',
      'proxy-x',
      'Expect',
      'Keep-Alive',
    ],
  ])('the header %s is not to be had', (header) => {
    const route = {method: 'GET', path: '/v2', send: {application_id: 'header'}, rename: {application_id: header}}
    expect(refused('push.show', route).message).toBe(`application_id of push.show cannot be in the header ${header}`)
  })
})

describe('a route that cannot be used', () => {
  const layers = {flags: {}, env: {}, file: {version: 1 as const, profiles: {}}}
  const bad = {method: 'DELETE', path: '/v2', send: {uuid: 'query'}}
  const misfit = 'cannot be used: "send" names uuid, which is no parameter of push.cancel'

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
      try: 'roomctl config route unset push.cancel',
    })
    expect(settledRoute(known('push.show'), resolved)).toEqual({method: 'GET', path: '/v1/config'})
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

  test('is of the wrong form, wherever it comes from, and is not handed on', () =>
    everyCase(malformed, (text) => {
      const inEnv = resolveProfile({...layers, env: {ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE: text}})
      expect(failing(() => settledRoute(known('push.iosCertificate'), inEnv))).toMatchObject({
        exit: 'usage',
        message: expect.stringMatching(/^ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE cannot be used: /u),
      })
      const profile = {routes: {'push.iosCertificate': text}}
      const file = {version: 1 as const, current: 'live', profiles: {live: profile}}
      const stored = resolveProfile({...layers, file})
      expect(failing(() => settledRoute(known('push.iosCertificate'), stored))).toMatchObject({exit: 'configuration'})
      expect(failing(() => assertRouteForms(profile))).toMatchObject({
        exit: 'usage',
        message: expect.stringMatching(/^the route of push.iosCertificate cannot be used: /u),
      })
    }))
})

describe('--route', () => {
  test('takes both forms, the equals signs of a route included', async () => {
    const object = {method: 'DELETE', path: '/v2;a=b', rename: {application_id: 'app'}}
    const given = await routeFlags([`push.cancel=${JSON.stringify(object)}`, 'push.show=GET /v2/a=b'])
    expect([...given]).toEqual([
      ['push.cancel', object],
      ['push.show', {method: 'GET', path: '/v2/a=b'}],
    ])
  })

  test.each(['DELETE /v2', '{"method": "GET", "path": "/v2"}', ''])('refuses %j', async (text) => {
    const error = await routeFlags([text]).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Failure)
    expect(error).toMatchObject({facts: {exit: 'usage', try: 'roomctl config route list shows every id'}})
  })
})
