import {describe, expect, test} from 'vitest'
import {
  checkClock,
  checkHeaderUnderscores,
  checkPushCertificate,
  checkServiceToken,
} from '../../../../src/features/doctor/service.js'
import {everyCase} from '../../../support/everyCase.js'

const now = new Date('2026-12-01T12:00:00Z')

describe('a token', () => {
  const origin = 'https://rooms.example.com'
  const jwt = (exp: number) => ['e30', Buffer.from(JSON.stringify({exp})).toString('base64url'), 'sig'].join('.')
  const kept = (stored?: Parameters<typeof checkServiceToken>[2]['stored'], inEnvironment?: string) => ({
    stored,
    inEnvironment,
  })

  test('is told wherever it is, and never shown', () =>
    everyCase(
      [
        ['in the environment', kept(undefined, 'canary-token'), 'ok', 'from ROOMCTL_ROOM_TOKEN'],
        ['in the profile', kept({store: 'file', origin, token: 'canary-token'}), 'ok', 'in the profile'],
        ['in the keyring', kept({store: 'keyring', origin}), 'ok', 'in the keyring'],
        ['of a command', kept({store: 'command', origin, command: ['op', 'canary-token']}), 'ok', 'printed by op'],
        ['that is nowhere', kept(), 'fail', 'none for'],
        [
          'for another origin',
          kept({store: 'file', origin: 'https://b.example.com', token: 'canary-token'}),
          'fail',
          'not sent to',
        ],
        [
          'that has ended',
          kept({store: 'file', origin, token: jwt(1_764_000_000)}),
          'fail',
          'it expired on 2025-11-24',
        ],
        ['that is blank', kept({store: 'file', origin, token: ' '}), 'fail', 'it is blank'],
        [
          'of two lines',
          kept({store: 'file', origin, token: 'canary-token\na'}),
          'fail',
          'it has a space, a line break',
        ],
        ['that is blank in the environment', kept({store: 'file', origin, token: 'canary'}, ''), 'fail', 'it is blank'],
        ['that ends later', kept(undefined, jwt(1_900_000_000)), 'ok', 'from ROOMCTL_ROOM_TOKEN'],
      ],
      (_where, where, state, what) => {
        const found = checkServiceToken('room', origin, where, now)
        expect(found).toMatchObject({check: 'room token', state, what: expect.stringContaining(what)})
        expect(JSON.stringify(found)).not.toContain('canary')
        if (state === 'fail')
          expect(found.fix).toMatch(/roomctl config login room|set ROOMCTL_ROOM_TOKEN to a new one/u)
      },
    ))
})

describe('the clock', () => {
  const at = (seconds: number) => ({date: new Date(now.getTime() + seconds * 1000).toUTCString()})

  test("may be 90 s away from the service's", () =>
    everyCase(
      [
        [0, 'ok', 'matches'],
        [-90, 'ok', 'matches'],
        [-91, 'warn', '91 s ahead of'],
        [300, 'warn', '5 minutes behind'],
        [86_400, 'warn', '24 hours behind'],
      ],
      (seconds, state, what) => {
        expect(checkClock('room clock', at(seconds), now)).toMatchObject([{state, what: expect.stringContaining(what)}])
      },
    ))

  test('is not compared with no date, with none that is one, and with one that a cache kept', () => {
    expect(checkClock('c', {}, now)).toEqual([])
    expect(checkClock('c', {date: 'yesterday'}, now)).toEqual([])
    expect(checkClock('c', {...at(300), age: '300'}, now)).toEqual([])
  })
})

test('an answer that came through nginx, or through any proxy, hints at headers that may be lost', () => {
  for (const headers of [{server: 'nginx/1.27.1'}, {via: '1.1 cache'}, {server: 'openresty'}]) {
    expect(checkHeaderUnderscores(headers)).toMatchObject({
      state: 'ok',
      fix: expect.stringContaining('underscores_in_headers on'),
    })
  }
  expect(checkHeaderUnderscores({server: 'Jetty'})).toMatchObject({state: 'ok', fix: null})
})

test('a push certificate is told by the days it has left', () =>
  everyCase(
    [
      [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: '2027-06-01'}, 'ok', 'in 182 days'],
      [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: '2026-12-31'}, 'ok', 'in 30 days'],
      [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: '2026-12-30'}, 'warn', 'in 29 days'],
      [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: '2026-11-30'}, 'fail', 'expired on 2026-11-30'],
      [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: null}, 'warn', 'does not show'],
      [{ios_apns_type: 'TOKEN'}, 'ok', 'does not expire'],
    ],
    (configuration, state, what) => {
      const found = checkPushCertificate(configuration as Parameters<typeof checkPushCertificate>[0], now)
      expect(found).toMatchObject([{state, what: expect.stringContaining(what)}])
    },
  ))

test('no line tells of a push certificate where none is registered', () => {
  expect(checkPushCertificate(null, now)).toEqual([])
  expect(checkPushCertificate({ios_apns_type: 'NONE'} as Parameters<typeof checkPushCertificate>[0], now)).toEqual([])
})
