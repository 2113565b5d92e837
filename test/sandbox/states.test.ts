import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {detail, roomIn, stage} from './stage.js'

const host = {requester_id: 'ann'}

test('a room that may not be deleted is kept with D001, by either reading of deletion', () =>
  everyCase(
    [
      ['ENDED', {deleteEnded: 'refuse'}],
      ['IDLE', {deleteIdle: 'refuse'}],
    ] as const,
    async (state, choices) => {
      const on = stage({choices})
      const room = await roomIn(on, state)

      const {http, json} = await on.send('DELETE', `/media/v1/rooms/${room}`, host)

      expect([http, json.error_code]).toEqual([409, 'D001'])
      expect((await detail(on, room)).room_id).toBe(room)
    },
  ))

describe('the transitions of the document', () => {
  test('RESERVED becomes MEETING when the first participant connects, and start_time is set', async () => {
    const on = stage()
    const room = await roomIn(on, 'RESERVED')
    expect(await detail(on, room)).not.toHaveProperty('start_time')

    on.pass(5)
    await on.enter(room, 'ben')

    expect(await detail(on, room)).toMatchObject({room_status: 'MEETING', start_time: '2026-12-01T12:05:00Z'})
    expect(await detail(on, room)).not.toHaveProperty('end_time')
  })

  test('MEETING becomes IDLE when all participants have left, and MEETING again when a user enters', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    await on.leave(room, 'ann')
    expect((await detail(on, room)).room_status).toBe('MEETING')
    await on.leave(room, 'ben')
    expect((await detail(on, room)).room_status).toBe('IDLE')

    on.pass(10)
    await on.enter(room, 'ben')

    expect(await detail(on, room)).toMatchObject({room_status: 'MEETING', start_time: '2026-12-01T12:00:00Z'})
  })

  test('MEETING becomes ENDED on the request of the host, with an end_time and no user present', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    on.pass(30)
    await on.send('POST', `/media/v1/rooms/${room}/end`, host)

    expect(await detail(on, room)).toMatchObject({
      room_status: 'ENDED',
      end_time: '2026-12-01T12:30:00Z',
      attendee_count: {present_count: 0},
    })
  })

  test('the earliest-entered participant becomes host when the host leaves and is_elect_host is true', async () => {
    const on = stage()
    const room = await roomIn(on, 'RESERVED', {attendees: ['ann', 'ben', 'carl', 'dora']})
    await on.enter(room, 'ann', 'ben', 'carl', 'dora')
    await on.leave(room, 'ben')
    await on.enter(room, 'ben')

    await on.leave(room, 'ann')

    const {room_status, attendees} = await detail(on, room)
    expect(room_status).toBe('MEETING')
    expect(attendees.filter((entry: {is_host: boolean}) => entry.is_host)).toMatchObject([{user_id: 'carl'}])
  })

  test('the meeting continues without a host when is_elect_host is false', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING', {is_elect_host: false})
    await on.leave(room, 'ann')

    const {room_status, attendees} = await detail(on, room)
    expect(room_status).toBe('MEETING')
    expect(attendees.some((entry: {is_host: boolean}) => entry.is_host)).toBe(false)
  })

  test('the host stays host after the last user has left, so that the IDLE room can be deleted', async () => {
    const on = stage()
    const room = await roomIn(on, 'IDLE')

    expect((await on.send('DELETE', `/media/v1/rooms/${room}`, {requester_id: 'ben'})).json.error_code).toBe('CE003')
    const last = (await detail(on, room)).attendees.find((entry: {is_host: boolean}) => entry.is_host)
    expect((await on.send('DELETE', `/media/v1/rooms/${room}`, {requester_id: last.user_id})).json).toEqual({
      status: 'SUCCESS',
    })
  })

  test('a running recording stops when everybody has left, and its file is there', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    await on.send('POST', `/media/v1/rooms/${room}/record`, {...host, layout: 'GRID'})
    on.pass(10)
    await on.leave(room, 'ben', 'ann')

    const {json} = await on.send('POST', `/media/v1/rooms/${room}/recordings`)
    expect(json.data).toMatchObject([{duration: 600_000_000_000}])
    expect((await on.send('POST', `/media/v1/rooms/${room}/stop-record`, host)).json.error_code).toBe('RE001')
  })
})
