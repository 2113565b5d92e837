import {describe, expect, test} from 'vitest'
import {create, stage} from './stage.js'

const refused = {json: {status: 'FAIL'}}
const done = {json: {status: 'SUCCESS'}}

describe('the sandbox takes the other reading', () => {
  test('of an update: only the host changes is_joinable', async () => {
    const change = {requester_id: 'ann', is_joinable: false}
    const body = {host_selection_type: 'FIRST_ENTER_USER'}
    for (const [joinableBy, answer] of [
      ['creator', done],
      ['host', refused],
    ] as const) {
      const on = stage({choices: {joinableBy}})
      const room = await create(on, body)
      expect(await on.send('PATCH', `/media/media/v1/rooms/${room}`, change)).toMatchObject(answer)
    }
  })

  test('of an update: is_joinable can change in MEETING, as one rule has it', async () => {
    for (const [joinableMet, answer] of [
      ['refuse', refused],
      ['allow', done],
    ] as const) {
      const on = stage({choices: {joinableMet}})
      const room = await create(on)
      await on.enter(room, 'ann')
      const change = {requester_id: 'ann', is_joinable: false}
      expect(await on.send('PATCH', `/media/media/v1/rooms/${room}`, change)).toMatchObject(answer)
      const times = {requester_id: 'ann', reserved_end_time: '2026-12-02T09:00:00Z'}
      expect(await on.send('PATCH', `/media/media/v1/rooms/${room}`, times)).toMatchObject(refused)
    }
  })

  test('of a broadcast: the older variant has no destination ALL', async () => {
    const path = '/push/v1/notifications?application_id=app-1'
    const body = {title: 'Hello', body: 'All', dispatch_type: 'IMMEDIATE', destination: ['ALL']}
    expect(await stage().send('POST', path, body)).toMatchObject({http: 200})
    const older = stage({choices: {pushAll: 'refuse'}})
    expect(await older.send('POST', path, body)).toMatchObject({http: 422})
    expect(await older.send('POST', path, {...body, destination: ['ANDROID']})).toMatchObject({http: 200})
  })

  test('of an update: the maximum must be greater than the number of attendees', async () => {
    for (const [equalMax, answer] of [
      ['allow', done],
      ['refuse', refused],
    ] as const) {
      const on = stage({choices: {equalMax}})
      const room = `/media/media/v1/rooms/${await create(on)}`
      expect(await on.send('PATCH', room, {requester_id: 'ann', max_attendee_count: 2})).toMatchObject(answer)
      expect(await on.send('PATCH', room, {requester_id: 'ann', max_attendee_count: 3})).toMatchObject(done)
    }
  })
})
