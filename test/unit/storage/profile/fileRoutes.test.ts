import {describe, expect, test} from 'vitest'
import {exportProfile, importProfile, setRoute, unsetRoute} from '../../../../src/storage/profile/edit.js'
import {emptyFile, type ProfileFile, parseProfileFile} from '../../../../src/storage/profile/file.js'
import {resolveProfile} from '../../../../src/storage/profile/resolve.js'
import {everyCase} from '../../../support/everyCase.js'
import {problemOf} from './folder.js'

const route = {
  method: 'PUT',
  path: '/v2/apps/{application_id}/apns',
  send: {apns_certificate_password: 'form'},
  rename: {bundle_id: 'bundleId'},
}
const text = JSON.stringify(route)
const withRoute = (stored: string | Record<string, unknown>): ProfileFile => ({
  version: 1,
  profiles: {default: {routes: {'push.iosCertificate': stored}}},
})
const settled = (file: ProfileFile, env = {}) => resolveProfile({flags: {}, env, file}).route('push.iosCertificate')

const malformed = [
  '{',
  '{}',
  '{"method": "PUT"}',
  '{"method": "put", "path": "/v2"}',
  '{"method": "PUT", "path": "v2"}',
  '{"method": "PUT", "path": "//other.example/v2"}',
  '{"method": "PUT", "path": "/v2/../v1"}',
  '{"method": "PUT", "path": "/v2?x=1"}',
  '{"method": "PUT", "path": ["/v2"]}',
  '{"method": "PUT", "path": "/v2", "origin": "https://other.example"}',
  '{"method": "PUT", "path": "/v2", "toString": "x"}',
  '{"method": "PUT", "path": "/v2", "hasOwnProperty": "path"}',
  '{"method": "PUT", "path": "/v2", "send": "form"}',
  '{"method": "PUT", "path": "/v2", "send": ["form"]}',
  '{"method": "PUT", "path": "/v2", "send": {"title": "path"}}',
  '{"method": "PUT", "path": "/v2", "rename": {"title": ""}}',
  '{"method": "PUT", "path": "/v2", "rename": {"title": "a b"}}',
  '{"method": "PUT", "path": "/v2", "rename": {"title": 1}}',
]

describe('a route as an object', () => {
  test('is kept as one, and read again as the text that set it', () => {
    const file = setRoute(emptyFile(), 'default', 'push.iosCertificate', text)
    expect(file).toEqual(withRoute(route))
    expect(parseProfileFile(Buffer.from(JSON.stringify(file)))).toEqual({state: 'whole', file})
    expect(settled(file)).toEqual({text, source: 'profile'})
    expect(unsetRoute(file, 'default', 'push.iosCertificate').profiles.default?.routes).toEqual({})
  })

  test('in the environment is stronger', () => {
    const env = {ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE: JSON.stringify({...route, method: 'POST'})}
    expect(settled(withRoute(route), env)).toEqual({text: env.ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE, source: 'env'})
  })

  test('goes through an export and an import', () => {
    const exported = JSON.stringify(exportProfile(withRoute(route), 'default'))
    expect(JSON.parse(exported).routes).toEqual({'push.iosCertificate': route})
    expect(importProfile(exported).profile).toEqual({routes: {'push.iosCertificate': route}})
  })

  test('is refused where it is malformed, wherever it comes from', () =>
    everyCase(malformed, (bad) => {
      expect(problemOf(() => setRoute(emptyFile(), 'default', 'push.iosCertificate', bad)).message).toMatch(
        /^a route must be a method and a path, .* or a JSON object of method, path, send and rename$/,
      )
      const env = {ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE: bad}
      expect(problemOf(() => settled(emptyFile(), env)).message).toMatch(/^ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE must be/)
    }))

  test('is no damage to the file where it is malformed, and is not handed on', () =>
    everyCase(malformed.slice(1), (bad) => {
      const file = withRoute(JSON.parse(bad))
      expect(parseProfileFile(Buffer.from(JSON.stringify(file)))).toEqual({state: 'whole', file})
      const problem = problemOf(() => settled(file))
      expect([problem.kind, problem.advice]).toEqual([
        'configuration',
        'roomctl config route unset push.iosCertificate',
      ])
      const exported = {
        kind: 'roomctl-profile',
        version: 1,
        name: 'a',
        settings: {},
        routes: file.profiles.default?.routes,
      }
      expect(problemOf(() => importProfile(JSON.stringify(exported))).message).toMatch(
        /^the route of push.iosCertificate must be/,
      )
      expect(problemOf(() => exportProfile(file, 'default')).kind).toBe('usage')
    }))

  test('that is no object or text at all is damage', () => {
    for (const stored of [1, true, null, ['PUT /v2']]) {
      const file = withRoute(stored as never)
      expect(parseProfileFile(Buffer.from(JSON.stringify(file)))).toMatchObject({state: 'damaged'})
    }
    const polluting = '{"version": 1, "profiles": {"default": {"routes": {"push.show": {"__proto__": {}}}}}}'
    expect(parseProfileFile(Buffer.from(polluting))).toMatchObject({state: 'damaged'})
  })
})
