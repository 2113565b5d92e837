import {describe, expect, test} from 'vitest'
import {exportProfile, importProfile, setRoute, unsetRoute} from '../../../../src/storage/profile/edit.js'
import {emptyFile, type ProfileFile, parseProfileFile} from '../../../../src/storage/profile/file.js'
import {resolveProfile} from '../../../../src/storage/profile/resolve.js'

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

  test('is no damage to the file, whatever it holds', () => {
    const file = withRoute({method: 1})
    expect(parseProfileFile(Buffer.from(JSON.stringify(file)))).toEqual({state: 'whole', file})
    expect(settled(file)).toEqual({text: '{"method":1}', source: 'profile'})
  })

  test('that is no object or text at all is damage', () => {
    for (const stored of [1, true, null, ['PUT /v2']]) {
      const file = withRoute(stored as never)
      expect(parseProfileFile(Buffer.from(JSON.stringify(file)))).toMatchObject({state: 'damaged'})
    }
    const polluting = '{"version": 1, "profiles": {"default": {"routes": {"push.show": {"__proto__": {}}}}}}'
    expect(parseProfileFile(Buffer.from(polluting))).toMatchObject({state: 'damaged'})
  })
})
