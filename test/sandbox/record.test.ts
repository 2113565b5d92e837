import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {detail, refusal, roomIn, type Stage, stage} from './stage.js'

const start = (on: Stage, room: string, body: object = {requester_id: 'ann', layout: 'SPEAKER'}) =>
  on.send('POST', `/media/v1/rooms/${room}/record`, body)
const stop = (on: Stage, room: string, requester = 'ann') =>
  on.send('POST', `/media/v1/rooms/${room}/stop-record`, {requester_id: requester})
const list = (on: Stage, room: string) => on.send('POST', `/media/v1/rooms/${room}/recordings`)

describe('room §14 and §15, recording', () => {
  test('host only, with a known room and requester', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')

    expect((await start(on, room, {requester_id: 'ben', layout: 'GRID'})).json.error_code).toBe('CE003')
    expect((await start(on, room, {requester_id: 'zoe', layout: 'GRID'})).json.error_code).toBe('CE002')
    expect((await start(on, room, {layout: 'GRID'})).json).toEqual(refusal('CE001', /^requester_id: /))
    expect((await start(on, 'r-0')).json.error_code).toBe('CE002')
    await start(on, room)
    expect((await stop(on, room, 'ben')).json.error_code).toBe('CE003')
    expect((await stop(on, room, 'zoe')).json.error_code).toBe('CE002')
  })

  test('takes each layout', () =>
    everyCase(['SPEAKER', 'SINGLE_SPEAKER', 'GRID'], async (layout) => {
      const on = stage()
      expect((await start(on, await roomIn(on, 'MEETING'), {requester_id: 'ann', layout})).json).toEqual({
        status: 'SUCCESS',
      })
    }))
})

describe('room §16, recording files', () => {
  test('without any, RE003', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    await start(on, room)

    const {http, json} = await list(on, room)
    expect(http).toBe(404)
    expect(json).toEqual(refusal('RE003', /no recording files/))
    expect((await list(on, 'r-0')).json.error_code).toBe('CE002')
  })

  test('one entry per split: half an hour each, in nanoseconds, with a size that follows from the time', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    await start(on, room)
    on.pass(75)
    await stop(on, room)

    const {json} = await list(on, room)
    const minute = 60_000_000_000
    expect(json.data.map((file: {duration: number}) => file.duration)).toEqual([30 * minute, 30 * minute, 15 * minute])
    const [first, second, third] = json.data
    expect(Object.keys(first)).toEqual(['file_name', 'file_size', 'duration'])
    expect(first.file_size).toBe(second.file_size)
    expect(third.file_size / first.file_size).toBeCloseTo(0.5, 3)
    expect(first.file_size).toBeGreaterThan(100_000_000)
    expect(new Set(json.data.map((file: {file_name: string}) => file.file_name)).size).toBe(3)
  })

  test('while a recording runs, the files it has filled are there already', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    await start(on, room)
    on.pass(31)
    expect((await list(on, room)).json.data).toHaveLength(1)

    on.pass(4)
    await stop(on, room)
    expect((await list(on, room)).json.data).toHaveLength(2)
  })

  test('the end of the room ends its recording, and a second recording adds to the first', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    await start(on, room)
    on.pass(1)
    await stop(on, room)
    on.pass(1)
    await start(on, room, {requester_id: 'ann', layout: 'GRID'})
    on.pass(2)
    await on.send('POST', `/media/v1/rooms/${room}/end`, {requester_id: 'ann'})

    expect((await detail(on, room)).room_status).toBe('ENDED')
    expect((await list(on, room)).json.data.map((file: {duration: number}) => file.duration)).toEqual([60e9, 120e9])
  })
})
