import {describe, expect, test} from 'vitest'
import {checkClock} from '../../../../src/features/doctor/service.js'
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

  test('is not compared with a missing, invalid or cached date', () => {
    expect(checkClock('c', {}, now)).toEqual([])
    expect(checkClock('c', {date: 'yesterday'}, now)).toEqual([])
    expect(checkClock('c', {...at(300), age: '300'}, now)).toEqual([])
  })
})
