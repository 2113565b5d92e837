import {describe, expect, test} from 'vitest'
import {checkMediaPrefix, checkRoutes} from '../../../../src/features/doctor/diagnose.js'
import type {RouteRow} from '../../../../src/view/system/settings.js'

const row = (changed: Partial<RouteRow>): RouteRow => ({
  operation: 'room.update',
  method: 'PATCH',
  path: '/media/v1/rooms/{roomId}',
  source: 'documented',
  document: 'room §4',
  ...changed,
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
