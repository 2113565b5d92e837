import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {detail, roomIn, stage} from './stage.js'

const host = {requester_id: 'ann'}
const requests: Record<string, [method: string, path: string, body?: object]> = {
  'update its name': ['PATCH', '/media/media/v1/rooms/{room}', {...host, name: 'Weekly'}],
  'update reserved_start_time': [
    'PATCH',
    '/media/media/v1/rooms/{room}',
    {...host, reserved_start_time: '2026-12-02T09:00:00Z'},
  ],
  'update reserved_end_time': [
    'PATCH',
    '/media/media/v1/rooms/{room}',
    {...host, reserved_end_time: '2026-12-02T09:00:00Z'},
  ],
  'update is_joinable': ['PATCH', '/media/media/v1/rooms/{room}', {...host, is_joinable: false}],
  delete: ['DELETE', '/media/v1/rooms/{room}', host],
  end: ['POST', '/media/v1/rooms/{room}/end', host],
  'block ben': ['POST', '/media/v1/rooms/{room}/block', {...host, attendees: ['ben']}],
  'delegate to ben': ['POST', '/media/v1/rooms/{room}/delegate', {...host, user_id: 'ben'}],
  'start recording': ['POST', '/media/v1/rooms/{room}/record', {...host, layout: 'GRID'}],
  'stop recording': ['POST', '/media/v1/rooms/{room}/stop-record', host],
  'add carl': ['POST', '/media/v1/rooms/{room}/attendees', {attendees: ['carl']}],
  'request a token': ['POST', '/media/v1/rooms/{room}/attendees/ben/token', {}],
  'set the presenter': ['POST', '/media/v1/rooms/{room}/update-presenter', {...host, user_id: 'ben'}],
  'send data': ['POST', '/media/v1/rooms/{room}/send-data', {from: 'ann', data: 'hello'}],
}

/** room, Operation validity by state. `ok`, or the code of the refusal. */
const table: [request: string, RESERVED: string, MEETING: string, IDLE: string, ENDED: string][] = [
  ['update its name', 'ok', 'ok', 'ok', 'U001'],
  ['update reserved_start_time', 'ok', 'U001', 'U001', 'U001'],
  ['update reserved_end_time', 'ok', 'U001', 'U001', 'U001'],
  ['update is_joinable', 'ok', 'U001', 'U001', 'U001'],
  ['delete', 'ok', 'D001', 'ok', 'ok'],
  ['end', 'ER001', 'ok', 'ER001', 'ER001'],
  ['block ben', 'BR001', 'ok', 'BR001', 'BR001'],
  ['delegate to ben', 'DH001', 'ok', 'DH001', 'DH001'],
  ['start recording', 'FAILED_PRECONDITION', 'ok', 'FAILED_PRECONDITION', 'RE001'],
  ['stop recording', 'RE001', 'RE001', 'RE001', 'RE001'],
  ['add carl', 'ok', 'ok', 'ok', 'AA002'],
  ['request a token', 'ok', 'ok', 'ok', 'T002'],
  ['set the presenter', 'ok', 'ok', 'ok', 'ok'],
  ['send data', 'ok', 'ok', 'ok', 'ok'],
]

const rows = table.flatMap(([request, ...verdicts]) =>
  ['RESERVED', 'MEETING', 'IDLE', 'ENDED'].map((state, index) => [request, state, verdicts[index] ?? ''] as const),
)

/** A room in which ben was blocked, where its state lets him be. */
async function withBenBlocked(on: ReturnType<typeof stage>, state: string): Promise<string> {
  if (state === 'RESERVED') return roomIn(on, state)
  const room = await roomIn(on, 'MEETING')
  await on.send('POST', `/media/v1/rooms/${room}/block`, {...host, attendees: ['ben']})
  if (state === 'IDLE') await on.leave(room, 'ann')
  if (state === 'ENDED') await on.send('POST', `/media/v1/rooms/${room}/end`, host)
  return room
}

describe('the state table of the document', () => {
  test('every operation in every state is answered as the table says', () =>
    everyCase(rows, async (request, state, verdict) => {
      const on = stage()
      const room = await roomIn(on, state)
      expect((await detail(on, room)).room_status).toBe(state)

      const [method, path, body] = requests[request] ?? ['', '']
      const {http, json} = await on.send(method, path.replace('{room}', room), body)

      expect(json.error_code ?? 'ok').toBe(verdict)
      expect(json.status).toBe(verdict === 'ok' ? 'SUCCESS' : 'FAIL')
      expect(http >= 400).toBe(verdict !== 'ok')
    }))

  test('to restore ben is answered by the state of the room', () =>
    everyCase(
      [
        ['RESERVED', 'BA001'],
        ['MEETING', 'ok'],
        ['IDLE', 'ok'],
        ['ENDED', 'BA001'],
      ],
      async (state, verdict) => {
        const on = stage()
        const room = await withBenBlocked(on, state)

        const {json} = await on.send('POST', `/media/v1/rooms/${room}/restore`, {...host, attendees: ['ben']})

        expect(json.error_code ?? 'ok').toBe(verdict)
      },
    ))

  test('to start a recording that runs already, and to stop one that does not, is RE001', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    const start = () => on.send('POST', `/media/v1/rooms/${room}/record`, {...host, layout: 'SPEAKER'})
    const stop = () => on.send('POST', `/media/v1/rooms/${room}/stop-record`, host)

    expect((await start()).json).toEqual({status: 'SUCCESS'})
    expect((await start()).json.error_code).toBe('RE001')
    expect((await stop()).json).toEqual({status: 'SUCCESS'})
    expect((await stop()).json.error_code).toBe('RE001')
  })
})

describe('where the document has two readings of deletion', () => {
  test('a room that may not be deleted is kept with D001, by either reading', () =>
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
})

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

  test('MEETING becomes IDLE when all participants have left, and MEETING again when somebody enters', async () => {
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

  test('MEETING becomes ENDED on the request of the host, with an end_time and nobody present', async () => {
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

  test('whoever is host when the last one leaves stays it, so that the IDLE room can be deleted', async () => {
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
