import {describe, expect, test} from 'vitest'
import {
  assertSecretUnprinted,
  assertStdinUnprinted,
  assertTokenUnprinted,
} from '../../../../../src/api/client/request/nodeDebug.js'
import {android, iosCertificate, iosKey, records, register, show} from '../../../../../src/api/contract/push.js'
import {Failure} from '../../../../../src/failure.js'

function refused(nodeDebug: string | undefined): boolean {
  try {
    assertSecretUnprinted(iosCertificate, nodeDebug)
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

  test('does not concern an operation with its secrets in the body', () => {
    for (const operation of [register, iosKey, android]) assertSecretUnprinted(operation, '*')
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
    assertSecretUnprinted(show, nodeDebug)
    assertSecretUnprinted(records, '*')
    assertStdinUnprinted('device token', nodeDebug)
    assertTokenUnprinted('asset', nodeDebug)
  })
})
