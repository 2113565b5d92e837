import {describe, expect, test} from 'vitest'
import {
  assertSecretUnprinted,
  assertStdinUnprinted,
  assertTokenUnprinted,
} from '../../../../../src/api/client/request/nodeDebug.js'
import {placeParameters} from '../../../../../src/api/client/request/request.js'
import type {Operation} from '../../../../../src/api/contract/operation.js'
import {android, iosCertificate, iosKey, records, register, show} from '../../../../../src/api/contract/push.js'
import type {Route} from '../../../../../src/api/http/route/route.js'
import {Failure} from '../../../../../src/failure.js'

const route: Route = {method: 'POST', path: '/v1/config/ios/certificate'}

function assertUnprinted(operation: Operation, given: Route, nodeDebug: string | undefined): void {
  assertSecretUnprinted(operation, placeParameters(operation, given), nodeDebug)
}

function refused(nodeDebug: string | undefined, given: Route = route): boolean {
  try {
    assertUnprinted(iosCertificate, given, nodeDebug)
    return false
  } catch (error) {
    if (error instanceof Failure && error.facts.exit === 'configuration') return true
    throw error
  }
}

describe('a secret in the address', () => {
  test.each([
    'http',
    'https',
    'net',
    'undici',
    'fetch',
    'HTTP',
    'module,http',
    'fs,NET,timer',
    '*',
    'h*',
    '*tt*',
    'und*i',
  ])('is refused under NODE_DEBUG=%s, where Node prints addresses', (nodeDebug) => {
    expect(refused(nodeDebug)).toBe(true)
  })

  test.each([undefined, '', 'module', 'fs,timer', 'http1', 'xhttp', 'http.', 'htt?', '(http)', ' http', '[a-z]*x'])(
    'is sent under NODE_DEBUG=%s, where Node prints none',
    (nodeDebug) => {
      expect(refused(nodeDebug)).toBe(false)
    },
  )

  test('is none where the route sends it elsewhere, whatever it is called there', () => {
    for (const place of ['form', 'header'] as const) {
      expect(refused('*', {...route, send: {apns_certificate_password: place}})).toBe(false)
    }
    expect(refused('*', {...route, rename: {apns_certificate_password: 'secret'}})).toBe(true)
  })

  test('is none of an operation whose secrets stand in its body, unless a route moves them', () => {
    for (const operation of [register, iosKey, android]) {
      assertUnprinted(operation, {method: operation.method, path: operation.route}, '*')
    }
    const moved: Route = {method: 'POST', path: '/v1/tokens', send: {push_token: 'query'}}
    expect(() => assertUnprinted(register, moved, 'net')).toThrow(
      'cannot send push_token while NODE_DEBUG is set: nothing was sent',
    )
  })
})

describe('a secret that comes in', () => {
  test.each(['stream', 'STREAM', '*', 'net,stream'])(
    'is refused under NODE_DEBUG=%s, where Node prints pieces',
    (all) => {
      expect(() => assertTokenUnprinted('room', all)).toThrow(
        'cannot send the token of the room service while NODE_DEBUG is set: nothing was sent',
      )
      expect(() => assertStdinUnprinted('device token', all)).toThrow(
        'cannot read the device token from stdin while NODE_DEBUG is set: nothing was sent',
      )
    },
  )

  test.each([undefined, '', 'http,net', 'streams'])('is taken under NODE_DEBUG=%s', (nodeDebug) => {
    assertUnprinted(show, {method: 'GET', path: '/v1/config'}, nodeDebug)
    assertUnprinted(records, {method: 'GET', path: '/v1/transactions'}, '*')
    assertStdinUnprinted('device token', nodeDebug)
    assertTokenUnprinted('asset', nodeDebug)
  })
})
