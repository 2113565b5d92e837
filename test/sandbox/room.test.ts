import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {annsRoom, attendee, create, detail, refusal, roomIn, stage} from './stage.js'

const post = (on: ReturnType<typeof stage>, body: object) => on.send('POST', '/media/v1/rooms', {...annsRoom, ...body})

function claimsOf(token: string) {
  const [, claims = ''] = token.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
}

describe('room §1, create', () => {
  test('shows the members in the order of the document, of a room that has started and ended, too', async () => {
    const on = stage()
    const {json} = await post(on, {reserved_end_time: '2026-12-01T13:00:00Z'})
    const roomId: string = json.data.room_id
    await on.send('POST', `/media/v1/rooms/${roomId}/attendees/ann/token`, {})
    const order = [
      ...['room_id', 'name', 'room_status', 'reserved_start_time', 'reserved_end_time', 'start_time', 'end_time'],
      ...['max_attendee_count', 'is_public', 'created_by', 'description', 'is_joinable', 'is_elect_host'],
      ...['host_selection_type', 'attendees', 'attendee_count'],
    ]
    const shown = Object.keys(await detail(on, roomId))
    expect(shown).toEqual(order.filter((name) => shown.includes(name)))
  })

  test('answers 201 with room_id and token, and fills the documented defaults', async () => {
    const on = stage()
    const {http, json} = await post(on, {})

    expect(http).toBe(201)
    expect(json).toEqual({
      status: 'SUCCESS',
      data: {room_id: expect.stringMatching(/^r-[0-9a-z]{8}$/), token: expect.any(String)},
    })
    expect(await detail(on, json.data.room_id)).toEqual({
      room_id: json.data.room_id,
      name: 'Standup',
      room_status: 'RESERVED',
      reserved_start_time: '2026-12-01T12:00:00Z',
      max_attendee_count: 30,
      is_public: true,
      created_by: 'ann',
      description: '',
      is_joinable: true,
      is_elect_host: true,
      host_selection_type: 'CREATOR',
      attendees: [
        {user_id: 'ann', is_host: true, is_present: false, is_reserved: true, is_invited: false},
        {user_id: 'ben', is_host: false, is_present: false, is_reserved: true, is_invited: false},
      ],
      attendee_count: {present_count: 0, reserved_count: 2, invited_count: 0},
    })
  })

  test('rule 1: is_token_receive true or absent gives the creator a token, false gives none', async () => {
    const on = stage()
    const {token} = (await post(on, {is_token_receive: true})).json.data
    const without = (await post(on, {is_token_receive: false})).json.data

    expect(claimsOf(token)).toMatchObject({sub: 'ann', iss: 'roomctl-sandbox'})
    expect(Object.keys(without)).toEqual(['room_id'])
  })

  test('rule 2: a public room may have no attendees, and anyone may attend', async () => {
    const on = stage()
    const room = await create(on, {host_selection_type: 'FIRST_ENTER_USER', attendees: [], is_token_receive: false})
    expect((await detail(on, room)).attendees).toEqual([])

    await on.enter(room, 'zoe')
    expect(await attendee(on, room, 'zoe')).toMatchObject({is_present: true, is_reserved: false, is_invited: false})
  })

  test('rule 5: CREATOR makes the creator host, FIRST_ENTER_USER the first entrant', async () => {
    const on = stage()
    const first = await create(on, {host_selection_type: 'FIRST_ENTER_USER'})
    expect((await detail(on, first)).attendees.some((entry: {is_host: boolean}) => entry.is_host)).toBe(false)

    await on.enter(first, 'ben', 'ann')

    expect(await attendee(on, first, 'ben')).toMatchObject({is_host: true})
    expect(await attendee(on, first, 'ann')).toMatchObject({is_host: false})
  })

  test('rule 7: the creator may change is_joinable without being host, and nothing else', async () => {
    const on = stage()
    const room = await create(on, {host_selection_type: 'FIRST_ENTER_USER', is_joinable: false})
    const path = `/media/media/v1/rooms/${room}`

    expect((await on.send('PATCH', path, {requester_id: 'ann', is_joinable: true})).json).toEqual({status: 'SUCCESS'})
    expect((await detail(on, room)).is_joinable).toBe(true)
    expect((await on.send('PATCH', path, {requester_id: 'ben', is_joinable: false})).json.error_code).toBe('CE003')
    const both = {requester_id: 'ann', is_joinable: false, name: 'Mine'}
    expect((await on.send('PATCH', path, both)).json.error_code).toBe('CE003')
  })

  test('rule 8: console options override the values of the request', async () => {
    const on = stage()
    await on.send('POST', '/media/v1/applications/app-1/config', {
      config_max_attendee_count: 5,
      config_is_joinable_view: false,
      config_host_selection_type: 'FIRST_ENTER_USER',
      config_is_elect_host: false,
    })
    const room = await create(on, {max_attendee_count: 100})

    expect(await detail(on, room)).toMatchObject({
      max_attendee_count: 5,
      is_joinable: false,
      host_selection_type: 'FIRST_ENTER_USER',
      is_elect_host: false,
    })
  })

  test('keeps the sent fields, with times as ISO 8601 UTC', async () => {
    const on = stage()
    const room = await create(on, {
      name: '주간 회의 🎉',
      description: 'with\nlines',
      is_public: false,
      max_attendee_count: 2,
      reserved_start_time: '2026-12-02T18:00:00+09:00',
      reserved_end_time: '2026-12-02T10:00:00.500Z',
    })

    expect(await detail(on, room)).toMatchObject({
      name: '주간 회의 🎉',
      description: 'with\nlines',
      is_public: false,
      max_attendee_count: 2,
      reserved_start_time: '2026-12-02T09:00:00Z',
      reserved_end_time: '2026-12-02T10:00:00.500Z',
    })
  })

  test('refuses with CE001 an unsuitable value of a new room', () =>
    everyCase(
      [
        ['name', {name: ''}],
        ['max_attendee_count', {max_attendee_count: 0}],
        ['max_attendee_count', {max_attendee_count: 2.5}],
        ['attendees', {max_attendee_count: 1}],
        ['reserved_start_time', {reserved_start_time: 'tomorrow'}],
        ['reserved_start_time', {reserved_start_time: '2026-12-02T09:00:00'}],
        ['reserved_start_time', {reserved_start_time: '2026-02-30T09:00:00Z'}],
        ['reserved_start_time', {reserved_start_time: '2026-12-02T25:00:00Z'}],
        ['reserved_end_time', {reserved_end_time: '2026-12-01T11:59:59Z'}],
        ['host_selection_type', {host_selection_type: 'ANYBODY'}],
      ],
      async (field, body) => {
        const on = stage()
        const {http, json} = await post(on, body)

        expect(http).toBe(400)
        expect(json).toEqual(refusal('CE001', new RegExp(`^${field}: `)))
        expect((await on.send('GET', '/media/v1/rooms')).json.data).toEqual([])
      },
    ))

  test('a room gets a unique id even if the random number repeats', async () => {
    const on = stage({random: () => 0.5})
    const ids = [await create(on), await create(on), await create(on)]

    expect(new Set(ids).size).toBe(3)
  })
})

describe('room §2, list', () => {
  test('has the fields of a summary, newest first, and oldest first with asc=true', async () => {
    const on = stage()
    const older = await roomIn(on, 'MEETING')
    on.pass(1)
    const newer = await create(on, {reserved_end_time: '2026-12-01T14:00:00Z'})

    const {http, json} = await on.send('GET', '/media/v1/rooms')
    expect(http).toBe(200)
    expect(json.data.map((room: {room_id: string}) => room.room_id)).toEqual([newer, older])
    expect(json.data[1]).toEqual({
      room_id: older,
      name: 'Standup',
      room_status: 'MEETING',
      reserved_start_time: '2026-12-01T12:00:00Z',
      start_time: '2026-12-01T12:00:00Z',
      max_attendee_count: 30,
      is_public: true,
      created_by: 'ann',
      description: '',
      is_joinable: true,
    })
    expect(json.data[0].reserved_end_time).toBe('2026-12-01T14:00:00Z')

    const ascending = await on.send('GET', '/media/v1/rooms?asc=true')
    expect(ascending.json.data.map((room: {room_id: string}) => room.room_id)).toEqual([older, newer])
    const descending = await on.send('GET', '/media/v1/rooms?asc=false')
    expect(descending.json.data).toEqual(json.data)
  })

  test('rooms of the same moment keep the order of their creation', async () => {
    const on = stage()
    const ids = [await create(on), await create(on), await create(on)]

    const {json} = await on.send('GET', '/media/v1/rooms?asc=true')
    expect(json.data.map((room: {room_id: string}) => room.room_id)).toEqual(ids)
  })

  test('a bizId chooses the rooms of that tenant', async () => {
    const on = stage()
    const acme = await create(on, {biz_id: 'acme'})
    await create(on, {biz_id: 'true'})

    expect((await on.send('GET', '/media/v1/rooms?bizId=acme')).json.data).toMatchObject([{room_id: acme}])
    expect((await on.send('GET', '/media/v1/rooms?bizId=true')).json.data).toHaveLength(1)
    expect((await on.send('GET', '/media/v1/rooms?bizId=nobody')).json.data).toEqual([])
  })
})

test('room §3, detail counts who is present, who is reserved or invited, and who is invited', async () => {
  const on = stage()
  const room = await roomIn(on, 'MEETING', {attendees: ['ann', 'ben', 'carl']})
  await on.send('POST', `/media/v1/rooms/${room}/attendees`, {attendees: ['dora', 'eve']})
  await on.enter(room, 'zoe')

  expect((await detail(on, room)).attendee_count).toEqual({present_count: 3, reserved_count: 5, invited_count: 2})
})

describe('room §4, update', () => {
  const patch = async (state: string, body: object, room: object = {}) => {
    const on = stage()
    const id = await roomIn(on, state, room)
    const answer = await on.send('PATCH', `/media/media/v1/rooms/${id}`, body)
    return {...answer, room: await detail(on, id)}
  }

  test('changes the fields that are sent and no others, and answers with the envelope only', async () => {
    const fields = {
      name: 'Weekly',
      description: 'Every week',
      reserved_start_time: '2026-12-02T09:00:00Z',
      reserved_end_time: '2026-12-02T10:00:00Z',
      max_attendee_count: 7,
      is_public: false,
      is_joinable: false,
    }
    const {json, room} = await patch('RESERVED', {requester_id: 'ann', ...fields})
    expect(json).toEqual({status: 'SUCCESS'})
    expect(room).toMatchObject({...fields, created_by: 'ann'})
  })

  test('rule 1: the requester may be named user_id, as the example body does', async () => {
    expect((await patch('RESERVED', {user_id: 'ann', name: 'Weekly'})).room.name).toBe('Weekly')
    expect((await patch('RESERVED', {user_id: 'ben', name: 'Weekly'})).json.error_code).toBe('CE003')
    const two = await patch('RESERVED', {requester_id: 'ann', user_id: 'ben', name: 'Weekly'})
    expect(two.json).toEqual(refusal('CE001', /^user_id: /))
  })

  test('refuses with CE001 an invalid value of an update', () =>
    everyCase(
      [
        ['reserved_end_time', {reserved_end_time: '2026-12-01T11:00:00Z'}],
        ['reserved_end_time', {reserved_start_time: '2026-12-05T11:00:00Z'}],
        ['reserved_start_time', {reserved_start_time: '1.12.2026'}],
        ['name', {name: ''}],
        ['name', {name: 7}],
        ['max_attendee_count', {max_attendee_count: 2.5}],
      ],
      async (field, body) => {
        const {json, room} = await patch(
          'RESERVED',
          {requester_id: 'ann', description: 'new', ...body},
          {
            reserved_end_time: '2026-12-01T13:00:00Z',
          },
        )

        expect(json).toEqual(refusal('CE001', new RegExp(`^${field}: `)))
        expect(room).toMatchObject({description: '', reserved_start_time: '2026-12-01T12:00:00Z'})
      },
    ))

  test('a room cannot become private without its creator among the attendees', async () => {
    const on = stage()
    const room = await create(on, {
      host_selection_type: 'FIRST_ENTER_USER',
      attendees: ['ben'],
      is_token_receive: false,
    })
    await on.enter(room, 'ben')
    const body = {requester_id: 'ben', is_public: false}

    expect((await on.send('PATCH', `/media/media/v1/rooms/${room}`, body)).json).toEqual(
      refusal('CE001', /^is_public: /),
    )
  })
})

describe('room §10 to §13', () => {
  test('§12 rules 1 and 2: the metadata names the presenter', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    const path = `/media/v1/rooms/${room}/update-presenter`

    expect((await on.send('POST', path, {requester_id: 'ben', user_id: 'ben'})).json.error_code).toBe('CE003')
    expect((await on.send('POST', path, {requester_id: 'ann', user_id: 'zoe'})).json.error_code).toBe('CE002')
    expect((await on.send('POST', path, {requester_id: 'ann', user_id: 'ben'})).json).toEqual({status: 'SUCCESS'})

    const {json} = await on.send('GET', `/media/v1/rooms/${room}`)
    expect(json.data.metadata).toBe('{"presenter":{"userId":"ben"}}')
  })

  test('§13: the host role moves to the recipient', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    const path = `/media/v1/rooms/${room}/delegate`

    expect((await on.send('POST', path, {requester_id: 'ben', user_id: 'ann'})).json.error_code).toBe('CE003')
    expect((await on.send('POST', path, {requester_id: 'ann', user_id: 'ben'})).json).toEqual({status: 'SUCCESS'})
    expect(await attendee(on, room, 'ben')).toMatchObject({is_host: true})
    expect(await attendee(on, room, 'ann')).toMatchObject({is_host: false})
  })
})
