import {describe, expect, test} from 'vitest'
import {checkClock} from '../../../src/features/doctor/checks/clock.js'
import {checkPushCertificate} from '../../../src/features/doctor/checks/pushCertificate.js'
import {checkMediaPrefix, checkRoutes} from '../../../src/features/doctor/checks/routes.js'
import {checkToken} from '../../../src/features/doctor/checks/token.js'
import {checkUnderscores} from '../../../src/features/doctor/checks/underscores.js'
import {checkProxy, checkServiceAddress} from '../../../src/features/doctor/checks/way.js'
import {checkUploads} from '../../../src/features/doctor/uploads.js'
import type {RouteRow} from '../../../src/view/tool/setting.js'

const now = new Date('2026-12-01T12:00:00Z')
const row = (changed: Partial<RouteRow>): RouteRow => ({
  operation: 'room.update',
  method: 'PATCH',
  path: '/media/v1/rooms/{roomId}',
  send: null,
  rename: null,
  source: 'documented',
  document: 'room §4',
  ...changed,
})

describe('the clock', () => {
  const at = (seconds: number) => ({date: new Date(now.getTime() + seconds * 1000).toUTCString()})

  test.each([
    [0, 'ok', 'agree'],
    [-90, 'ok', 'agree'],
    [-91, 'warn', '91 s ahead of'],
    [300, 'warn', '5 minutes behind'],
    [86_400, 'warn', '24 hours behind'],
  ])('with the service %i s ahead is %s', (seconds, state, what) => {
    expect(checkClock('room clock', at(seconds), now)).toMatchObject([{state, what: expect.stringContaining(what)}])
  })

  test('is not compared with no date, with none that is one, and with one that a cache kept', () => {
    expect(checkClock('c', {}, now)).toEqual([])
    expect(checkClock('c', {date: 'yesterday'}, now)).toEqual([])
    expect(checkClock('c', {...at(300), age: '300'}, now)).toEqual([])
  })
})

describe('a token', () => {
  const origin = 'https://rooms.example.com'
  const jwt = (exp: number) => ['e30', Buffer.from(JSON.stringify({exp})).toString('base64url'), 'sig'].join('.')
  const kept = (stored?: Parameters<typeof checkToken>[2]['stored'], inEnvironment?: string) => ({
    stored,
    inEnvironment,
  })

  test.each([
    ['in the environment', kept(undefined, 'canary-token'), 'ok', 'from ROOMCTL_ROOM_TOKEN'],
    ['in the profile', kept({store: 'file', origin, token: 'canary-token'}), 'ok', 'in the profile'],
    ['in the keyring', kept({store: 'keyring', origin}), 'ok', 'in the keyring'],
    ['of a command', kept({store: 'command', origin, command: ['op', 'canary-token']}), 'ok', 'printed by op'],
    ['that is nowhere', kept(), 'fail', 'there is none for'],
    [
      'for another origin',
      kept({store: 'file', origin: 'https://b.example.com', token: 'canary-token'}),
      'fail',
      'is not sent to',
    ],
    ['that has ended', kept({store: 'file', origin, token: jwt(1_764_000_000)}), 'fail', 'it ended on 2025-11-24'],
    ['that ends later', kept(undefined, jwt(1_900_000_000)), 'ok', 'from ROOMCTL_ROOM_TOKEN'],
  ])('%s is told, and never shown', (_where, where, state, what) => {
    const found = checkToken('room', origin, where, now)
    expect(found).toMatchObject({check: 'room token', state, what: expect.stringContaining(what)})
    expect(JSON.stringify(found)).not.toContain('canary')
    if (state === 'fail') expect(found.fix).toContain('roomctl config login room')
  })
})

describe('routes', () => {
  test('that are assumed are named for the services that are used, and are only a hint', () => {
    const rows = [
      row({operation: 'room.send', source: 'assumed'}),
      row({operation: 'appConfig.create', source: 'assumed'}),
      row({operation: 'push.send', source: 'assumed'}),
      row({operation: 'room.end', source: 'env'}),
    ]
    expect(checkRoutes(rows, new Set(['room']))).toMatchObject([
      {
        state: 'ok',
        fix: expect.stringContaining('roomctl config route set'),
        details: {assumed: ['room.send', 'appConfig.create'], set: ['room.end']},
      },
    ])
    expect(checkRoutes(rows.slice(3), new Set(['room']))).toMatchObject([{state: 'ok', fix: null}])
  })

  test('of a room update with the prefix twice are told until they are set', () => {
    const base = new URL('https://host/api/media')
    expect(checkMediaPrefix(base, row({}))).toMatchObject({
      state: 'warn',
      what: expect.stringContaining('/api/media/media/v1/rooms/{roomId}'),
      fix: expect.stringContaining("roomctl config route set room.update 'PATCH /v1/rooms/{roomId}'"),
    })
    expect(checkMediaPrefix(base, row({source: 'profile'}))).toBeUndefined()
    expect(checkMediaPrefix(new URL('https://host/rooms'), row({}))).toBeUndefined()
    expect(checkMediaPrefix(new URL('https://host/'), row({}))).toBeUndefined()
    expect(checkMediaPrefix(new URL('https://host/social-media'), row({}))).toBeUndefined()
  })
})

test('an answer that came through nginx, or through any proxy, hints at headers that may be lost', () => {
  for (const headers of [{server: 'nginx/1.27.1'}, {via: '1.1 cache'}, {server: 'openresty'}]) {
    expect(checkUnderscores(headers)).toMatchObject({
      state: 'ok',
      fix: expect.stringContaining('underscores_in_headers on'),
    })
  }
  expect(checkUnderscores({server: 'Jetty'})).toMatchObject({state: 'ok', fix: null})
})

test('uploads that are not finished are counted, with the age of the oldest', () => {
  const upload = (begun_at: string, state: 'done' | 'unfinished' = 'unfinished') => ({container: 'c', begun_at, state})
  expect(checkUploads([upload('2026-11-01T00:00:00Z', 'done')], now)).toMatchObject({state: 'ok'})
  expect(checkUploads([upload('2026-11-30T00:00:00Z'), upload('2026-11-28T12:00:00Z')], now)).toMatchObject({
    state: 'warn',
    what: '2 uploads are not finished, the oldest begun 3 days ago',
    details: {count: 2, oldest: '2026-11-28T12:00:00Z'},
  })
  expect(checkUploads([upload('2026-12-01T00:00:00Z')], now).what).toBe(
    '1 upload is not finished, begun less than a day ago',
  )
})

test.each([
  [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: '2027-06-01'}, 'ok', 'in 182 days'],
  [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: '2026-12-31'}, 'ok', 'in 30 days'],
  [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: '2026-12-30'}, 'warn', 'in 29 days'],
  [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: '2026-11-30'}, 'fail', 'expired on 2026-11-30'],
  [{ios_apns_type: 'CERTIFICATE', certificate_expiry_date: null}, 'warn', 'does not tell'],
  [{ios_apns_type: 'TOKEN'}, 'ok', 'does not expire'],
])('a push configuration %o is %s', (configuration, state, what) => {
  const found = checkPushCertificate(configuration as Parameters<typeof checkPushCertificate>[0], now)
  expect(found).toMatchObject([{state, what: expect.stringContaining(what)}])
})

test('no line tells of a push certificate where none is registered', () => {
  expect(checkPushCertificate(null, now)).toEqual([])
  expect(checkPushCertificate({ios_apns_type: 'NONE'} as Parameters<typeof checkPushCertificate>[0], now)).toEqual([])
})

describe('an address', () => {
  test.each([
    ['https://rooms.example.com/media/', false, 'ok', 'https://rooms.example.com/media'],
    ['http://127.0.0.1:8080', false, 'ok', 'http://127.0.0.1:8080/'],
    ['http://rooms.example.com', false, 'fail', 'must begin with https'],
    ['http://rooms.example.com', true, 'warn', 'can be read on the way'],
    ['https://u:canary@rooms.example.com', false, 'fail', 'user name or password'],
    ['https://rooms.example.com/?a=1', false, 'fail', 'must not have a query'],
  ])('%s (allowHttp %s) is %s', (text, allowHttp, state, what) => {
    const {found, base} = checkServiceAddress('room', text, {allowHttp, source: 'env'})
    expect(found).toMatchObject({state, what: expect.stringContaining(what)})
    expect(base === undefined).toBe(state === 'fail')
    expect(JSON.stringify(found)).not.toContain('canary')
  })

  test('is reached through the proxy that the environment names, whose password is not shown', () => {
    const base = new URL('https://rooms.example.com')
    const HTTPS_PROXY = 'http://u:canary@proxy.example.com:3128'
    expect(checkProxy('room', base, {HTTPS_PROXY}).found).toEqual([
      expect.objectContaining({state: 'ok', what: 'through the proxy proxy.example.com:3128'}),
    ])
    expect(checkProxy('room', base, {HTTPS_PROXY, NO_PROXY: '.example.com'})).toMatchObject({
      proxy: undefined,
      found: [{state: 'ok', what: 'none: NO_PROXY exempts this host'}],
    })
    expect(checkProxy('room', base, {HTTP_PROXY: HTTPS_PROXY}).found).toEqual([])
    expect(checkProxy('room', base, {HTTPS_PROXY: 'socks5://u:canary@h'}).found).toMatchObject([{state: 'fail'}])
  })
})
