import {describe, expect, test} from 'vitest'
import {detail, roomIn, type Stage, stage} from './stage.js'

const start = (on: Stage, room: string, body: object = {requester_id: 'ann', layout: 'SPEAKER'}) =>
  on.send('POST', `/media/v1/rooms/${room}/record`, body)
const stop = (on: Stage, room: string, requester = 'ann') =>
  on.send('POST', `/media/v1/rooms/${room}/stop-record`, {requester_id: requester})
const list = (on: Stage, room: string) => on.send('POST', `/media/v1/rooms/${room}/recordings`)

describe('room §16, recording files', () => {
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
