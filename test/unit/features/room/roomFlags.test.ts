import {describe, expect, test} from 'vitest'
import type {Session} from '../../../../src/cli/session/session.js'
import {parseReservation} from '../../../../src/features/room/roomFlags.js'
import {failing} from '../../../support/failures.js'

/** The part of a session that is read: the clock. */
function session(): Session {
  return {runtime: {now: () => new Date('2026-12-01T12:00:00Z')}, resolved: {values: {}}} as unknown as Session
}

describe('a reservation', () => {
  const start = '2026-12-02T09:00:00Z'

  test.each([
    [{}, undefined, {}],
    [{start}, undefined, {reserved_start_time: '2026-12-02T09:00:00.000Z'}],
    [{end: start}, undefined, {reserved_end_time: '2026-12-02T09:00:00.000Z'}],
    [
      {start, for: '1h'},
      undefined,
      {reserved_start_time: '2026-12-02T09:00:00.000Z', reserved_end_time: '2026-12-02T10:00:00.000Z'},
    ],
    [{for: '1h'}, '2026-12-01T12:00:00Z', {reserved_end_time: '2026-12-01T13:00:00.000Z'}],
  ])('of %j from %s is %j', (flags, from, sent) => {
    expect(parseReservation(session(), flags, from === undefined ? undefined : new Date(from))).toEqual(sent)
  })

  test.each([
    [{start, end: '2026-12-02T09:00:00Z'}, undefined],
    [{start, end: '2026-12-02T08:00:00Z'}, undefined],
    [{start, end: '2026-12-02T17:30:00+09:00'}, undefined],
    [{end: '2026-12-01T11:00:00Z'}, '2026-12-01T12:00:00Z'],
    [{start, for: '0s'}, undefined],
  ])('of %j from %s ends before it starts and is refused', (flags, from) => {
    const facts = failing(() => parseReservation(session(), flags, from === undefined ? undefined : new Date(from)))
    expect(facts).toMatchObject({exit: 'usage', message: 'the end is not after the start'})
  })
})
