import {describe, expect, test} from 'vitest'
import {checkClock, checkPushCertificate} from '../../../../src/features/doctor/service.js'
import {everyCase} from '../../../support/everyCase.js'

const now = new Date('2026-12-01T12:00:00Z')

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
