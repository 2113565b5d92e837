import {describe, expect, test} from 'vitest'
import {WireError} from '../../src/api/http/wire/transport.js'
import {everyCase} from '../support/everyCase.js'
import {annsRoom, create, refusal, roomIn, stage, token} from './stage.js'

const bearer = {authorization: `Bearer ${token}`}

describe('the envelope', () => {
  test('has exactly the documented members, as JSON with a Date', async () => {
    const on = stage()
    const success = await on.send('GET', '/media/v1/rooms')
    const failure = await on.send('GET', '/media/v1/rooms/r-0')

    expect(success.text).toBe('{"status":"SUCCESS","data":[]}')
    expect(Object.keys(failure.json)).toEqual(['status', 'message', 'error_code'])
    expect(success.headers).toEqual({
      'content-type': 'application/json',
      'content-length': '30',
      date: 'Tue, 01 Dec 2026 12:00:00 GMT',
    })
  })

  test('counts the bytes of its body, not the signs', async () => {
    const on = stage()
    const room = await create(on, {name: '회의 🎉'})
    const {headers, text} = await on.send('GET', `/media/v1/rooms/${room}`)

    expect(headers).toMatchObject({'content-length': String(Buffer.byteLength(text))})
  })
})

describe('the application token', () => {
  test('is the token of the sandbox, with the header name in any case', async () => {
    const on = stage({applicationToken: 'my-own'})

    expect((await on.send('GET', '/media/v1/rooms', undefined, {Authorization: 'Bearer my-own'})).http).toBe(200)
    expect((await on.send('GET', '/media/v1/rooms', undefined, bearer)).http).toBe(401)
  })
})

describe('paths and methods', () => {
  test('a path of no operation is 404 with a plain envelope', () =>
    everyCase(
      [
        '/media/v1/room/r-1/recordings',
        '/media/v1/rooms/',
        '/media/v1/rooms//attendees',
        '/media/v2/rooms',
        '/v1/rooms',
        '/mediav1/rooms',
        '/media/v1/rooms/%zz',
        '/',
      ],
      async (path) => {
        const {http, json} = await stage().send('GET', path)

        expect(http).toBe(404)
        expect(json).toEqual({status: 'FAIL', message: `no operation has the path ${path}`})
      },
    ))

  test('another method is 405 and says in Allow which there are', async () => {
    const {http, json, headers} = await stage().send('PUT', '/media/v1/rooms', {})

    expect(http).toBe(405)
    expect(headers).toMatchObject({allow: 'POST, GET'})
    expect(json).toEqual({status: 'FAIL', message: 'PUT is not allowed on /media/v1/rooms; allowed: POST, GET'})
  })
})

describe('a request that is not what the contract says', () => {
  test('is CE001 for a malformed one, with a message that names the problem', () =>
    everyCase(
      [
        ['no JSON', '{"name":', /^body: expected a JSON object/],
        ['an array', '[]', /^body: expected object, got array$/],
        ['null', 'null', /^body: expected object, got null$/],
        [
          'a missing field',
          JSON.stringify({...annsRoom, name: undefined}),
          /^name: expected string, but it is missing$/,
        ],
        ['a number for a text', JSON.stringify({...annsRoom, name: 7}), /^name: expected string, got number$/],
        [
          'null for a boolean',
          JSON.stringify({...annsRoom, is_joinable: null}),
          /^is_joinable: expected boolean, got null$/,
        ],
        [
          'an empty user id in a list',
          JSON.stringify({...annsRoom, attendees: ['ann', '']}),
          /^attendees.1: must not be empty$/,
        ],
        ['two unknown fields', JSON.stringify({...annsRoom, nam: 1, max: 2}), /^unknown body field: nam, max$/],
        [
          'two wrong fields',
          JSON.stringify({...annsRoom, name: '', is_public: 'yes'}),
          /^name: must not be empty; is_public: expected boolean, got string$/,
        ],
      ],
      async (_, body, message) => {
        const {http, json} = await stage().send('POST', '/media/v1/rooms', body)

        expect(http).toBe(400)
        expect(json).toEqual(refusal('CE001', message))
      },
    ))

  test('is CE001 for a malformed query', () =>
    everyCase(
      [
        ['?asc=yes', /^asc: expected boolean, got string$/],
        ['?order=desc', /^unknown query field: order$/],
      ],
      async (query, message) => {
        expect((await stage().send('GET', `/media/v1/rooms${query}`)).json).toEqual(refusal('CE001', message))
      },
    ))

  test('a body that is not UTF-8 is CE001', async () => {
    const {transport} = stage()
    const url = new URL('http://sandbox.localhost/media/v1/rooms')
    const {status} = await transport({method: 'POST', url, headers: bearer, body: Uint8Array.of(0x22, 0xff, 0x22)})

    expect(status).toBe(400)
  })

  test('an operation without a body takes none, or an empty object', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    const path = `/media/v1/rooms/${room}/recordings`

    expect((await on.send('POST', path)).json.error_code).toBe('RE003')
    expect((await on.send('POST', path, {})).json.error_code).toBe('RE003')
    expect((await on.send('POST', path, {layout: 'GRID'})).json).toEqual(refusal('CE001', /layout/))
  })
})

describe('latency', () => {
  test('every answer is held back', async () => {
    const waits: number[] = []
    const sleep = async (ms: number) => {
      waits.push(ms)
    }
    await stage({choices: {latencyMs: 250}, sleep}).send('GET', '/media/v1/rooms')
    await stage({choices: {latencyMs: 80}, sleep}).send('GET', '/media/v1/rooms')
    await stage({sleep}).send('GET', '/media/v1/rooms')

    expect(waits).toEqual([250, 80])
  })

  test('a caller who gives up gets a WireError, and the change is not made', async () => {
    const on = stage({choices: {latencyMs: 60_000}})
    const abort = new AbortController()
    const url = new URL('http://sandbox.localhost/media/v1/rooms')
    const body = JSON.stringify(annsRoom)
    const answer = on.transport({method: 'POST', url, headers: bearer, body, signal: abort.signal})
    abort.abort()

    await expect(answer).rejects.toMatchObject({problem: 'aborted', sent: 'maybe'})
    await expect(
      on.transport({method: 'POST', url, headers: bearer, body, signal: abort.signal}),
    ).rejects.toMatchObject({problem: 'aborted', sent: 'no'})
    expect(await on.store.read((world) => world.rooms)).toEqual([])
  })

  test('a deadline is reported as such', async () => {
    const on = stage({choices: {latencyMs: 60_000}})
    const abort = new AbortController()
    const url = new URL('http://sandbox.localhost/media/v1/rooms')
    const answer = on.transport({method: 'GET', url, headers: bearer, signal: abort.signal})
    abort.abort(new WireError('deadline', 'maybe', 'no answer in time'))

    await expect(answer).rejects.toMatchObject({problem: 'deadline'})
  })
})

test('an answer that does not fit the contract never leaves', async () => {
  const on = stage()
  await create(on)
  await on.store.change((world) => Object.assign(world.rooms[0] ?? {}, {room_id: 7}))

  await expect(on.send('GET', '/media/v1/rooms')).rejects.toThrow(/room\.list out of contract/)
})
