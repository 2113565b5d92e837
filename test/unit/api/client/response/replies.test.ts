import {describe, expect, test} from 'vitest'
import * as attendee from '../../../../../src/api/contract/attendee.js'
import {listRecordings as recordings} from '../../../../../src/api/contract/record.js'
import {getRoom, listRooms} from '../../../../../src/api/contract/room.js'
import {failureOf} from '../../../../support/failures.js'
import {calls} from '../calls.js'
import {answer, breaksInBody, type Step, stage, success} from '../stage.js'

const path = {roomId: 'r-1'}

/** A list of rooms whose answer has exactly this text as its data. */
function rooms(json: string) {
  return stage([answer(200, `{"status":"SUCCESS","data":${json}}`)]).api.call(listRooms, {})
}

describe('a reply', () => {
  test('comes out as the service sent it, fields of no document included', async () => {
    const data = {
      room_id: 'r-1',
      name: ' \u001b[31m회의 🎉 ',
      max_attendee_count: -0.5,
      reserved_start_time: 'next week',
      description: null,
      created_by: '',
      tags: [{deep: {nested: [null, true]}}],
    }
    const {api} = stage([success(data)])
    expect(await api.call(getRoom, {path})).toEqual(data)
  })

  test.each([
    ['room_status', 'PAUSED'],
    ['host_selection_type', 'LOTTERY'],
  ])('keeps a %s that the document does not know', async (name, value) => {
    const {api} = stage([success({room_id: 'r-1', [name]: value})])
    expect(await api.call(getRoom, {path})).toEqual({room_id: 'r-1', [name]: value})
  })

  test('may leave out or null every field but the id', async () => {
    const nothing = {
      name: null,
      room_status: null,
      start_time: null,
      is_public: null,
      attendees: null,
      attendee_count: null,
    }
    const {api} = stage([success({room_id: 'r-1'}), success({room_id: 'r-1', ...nothing})])
    expect(await api.call(getRoom, {path})).toEqual({room_id: 'r-1'})
    expect(await api.call(getRoom, {path})).toEqual({room_id: 'r-1', ...nothing})
  })

  test.each([
    ['[{"room_id":"r-1","meeting_status":"IDLE"}]', {room_id: 'r-1', room_status: 'IDLE'}],
    ['[{"room_id":"r-1","meeting_status":"IDLE","room_status":"ENDED"}]', {room_id: 'r-1', room_status: 'ENDED'}],
    ['[{"room_id":"r-1","meeting_status":"IDLE","room_status":null}]', {room_id: 'r-1', room_status: 'IDLE'}],
    ['[{"room_id":"r-1","meeting_status":null}]', {room_id: 'r-1', room_status: null}],
    ['[{"room_id":"r-1","meeting_status":7}]', {room_id: 'r-1', room_status: null}],
  ])('has one name for the state: %s', async (json, row) => {
    expect(await rooms(json)).toEqual([row])
  })

  test('has one name for the state of each room of a list and of a detail', async () => {
    const json = '[{"room_id":"r-1","room_status":"IDLE"},{"room_id":"r-2","meeting_status":"ENDED","name":"x"}]'
    expect(await rooms(json)).toEqual([
      {room_id: 'r-1', room_status: 'IDLE'},
      {room_id: 'r-2', name: 'x', room_status: 'ENDED'},
    ])
    const {api} = stage([success({room_id: 'r-1', meeting_status: 'IDLE'})])
    expect(await api.call(getRoom, {path})).toEqual({room_id: 'r-1', room_status: 'IDLE'})
  })

  test('holds whole numbers exactly, also beyond 2^53', async () => {
    const file = (size: string) => `{"status":"SUCCESS","data":[{"file_name":"a.mp4","file_size":${size}}]}`
    const {api} = stage([answer(200, file('9007199254740991')), answer(200, file('9007199254740993'))])
    expect(await api.call(recordings, {path})).toEqual([{file_name: 'a.mp4', file_size: 9007199254740991}])
    expect(await api.call(recordings, {path})).toEqual([{file_name: 'a.mp4', file_size: 9007199254740993n}])
  })

  test('cannot plant a prototype', async () => {
    const [room] = await rooms('[{"room_id":"r-1","__proto__":{"is_public":true},"x":{"__proto__":{"admin":1}}}]')
    expect(JSON.stringify(room)).toBe('{"room_id":"r-1","__proto__":{"is_public":true},"x":{"__proto__":{"admin":1}}}')
    expect(room?.is_public).toBeUndefined()
    expect(Object.getPrototypeOf(room)).toBe(Object.prototype)
  })

  test('of twenty thousand rooms comes out whole and in its order', async () => {
    const many = Array.from({length: 20_000}, (_, n) => ({room_id: `r-${n}`, name: `Room ${n}`}))
    expect(await rooms(JSON.stringify(many))).toEqual(many)
  })
})

describe('a reply that is not as documented', () => {
  test.each([
    ['{}', 'data', ': it is an empty object'],
    ['{"rooms":[],"next":"x"}', 'data', ': it has rooms, next'],
    ['{"code":7,"detail":"in maintenance"}', 'data', ': it has code, detail: in maintenance', 'in maintenance'],
    ['null', 'data'],
    ['"r-1"', 'data'],
    ['[{}]', 'data.0.room_id'],
    ['[null]', 'data.0'],
    ['[[]]', 'data.0'],
    ['[{"room_id":"r-1"},{"room_id":7}]', 'data.1.room_id'],
  ])('%s: the failure names %s', async (json, where, what = '', serviceMessage = undefined) => {
    const {facts} = await failureOf(rooms(json))
    expect(facts).toEqual({
      exit: 'network',
      code: 'broken-answer',
      message: 'cannot list the rooms: the answer of rooms.test is not what the document describes',
      why: `${where} is missing or has another type than the document shows${what}`,
      serviceMessage,
      try: 'run the command again with --debug to see the response',
      httpStatus: 200,
      outcome: 'none',
    })
  })

  test.each(['"room_status":4', '"is_public":"yes"', '"max_attendee_count":"30"', '"max_attendee_count":1e999'])(
    'leaves out %s of a room in a list alone, and says so',
    async (member) => {
      const json = `[{"room_id":"r-1",${member},"name":"x"}]`
      const {api, warned} = stage([answer(200, `{"status":"SUCCESS","data":${json}}`)])
      const [name = ''] = Object.keys(JSON.parse(`{${member}}`))
      expect(await api.call(listRooms, {})).toMatchObject([{room_id: 'r-1', [name]: null, name: 'x'}])
      expect(warned).toEqual([`warning: not of the type that the document shows: ${name} of room r-1`])
    },
  )

  test('names the field inside a detail', async () => {
    const {api} = stage([success({room_id: 'r-1', attendees: [{user_id: 'ann'}, {user_id: 'ben', is_host: 'no'}]})])
    expect((await failureOf(api.call(getRoom, {path}))).facts.why).toMatch(/^data\.attendees\.1\.is_host is missing or/)
  })
})

describe('an answer that is no envelope', () => {
  test.each<[string, Step, string]>([
    [
      'HTML',
      answer(200, '<!doctype html><p>Sign in'),
      'is an HTML page, not JSON: check for a proxy or a wrong address',
    ],
    ['nothing', answer(200), 'is empty'],
    ['cut JSON', answer(200, '{"status":"SUCCESS","da'), 'is truncated or invalid JSON'],
    ['another JSON', answer(200, {rooms: []}), 'is JSON but not an envelope: its status is neither SUCCESS nor FAIL'],
    ['text', answer(200, 'ok', {'content-type': 'text/plain'}), 'is not JSON (content type text/plain)'],
  ])('%s is a broken answer that describes the reply', async (_, step, what) => {
    const {facts} = await failureOf(calls['room.list'](stage([step]).api))
    expect(facts).toMatchObject({exit: 'network', code: 'broken-answer', httpStatus: 200, outcome: 'none'})
    expect(facts.message).toBe(`cannot list the rooms: the answer ${what}`)
  })

  test('is never repeated in the failure, but for what refuses', async () => {
    for (const text of ['<html>S3CRET', '{"token":"S3CRET"', 'S3CRET', '{"token":"S3CRET"}', '["S3CRET"]']) {
      const failure = await failureOf(calls['room.list'](stage([answer(200, text)]).api))
      expect(JSON.stringify([failure.facts, failure.stack, String(failure.cause)])).not.toContain('S3CRET')
      for (const status of [404, 500]) {
        const {facts} = await failureOf(calls['room.list'](stage([answer(status, text)], {retries: 0}).api))
        expect([facts.message, facts.body]).toEqual([
          expect.stringContaining('S3CRET'),
          expect.stringContaining('S3CRET'),
        ])
      }
    }
  })

  test.each([300, 301, 302, 303, 307, 308])('a redirect (%i) is not followed, whatever it carries', async (status) => {
    const body = {status: 'SUCCESS', data: []}
    const {api, sent} = stage([answer(status, body, {location: 'https://u:s3cret@elsewhere.test/v1/rooms?t=s3cret'})])
    const {facts} = await failureOf(calls['room.list'](api))
    expect(facts.message).toBe(
      `cannot list the rooms: the answer is a redirect to https://elsewhere.test/v1/rooms (HTTP ${status}), which is not followed with a credential`,
    )
    expect(sent).toEqual(['GET /media/v1/rooms'])
  })

  test('whose body breaks off keeps its status', async () => {
    expect((await failureOf(calls['room.list'](stage([breaksInBody(200)]).api))).facts).toMatchObject({
      code: 'broken',
      httpStatus: 200,
      why: 'the answer did not arrive, or was incomplete',
    })
  })
})

describe('success', () => {
  test.each([200, 201, 202, 409, 500])('is decided by the envelope, also with HTTP %i', async (status) => {
    const {api} = stage([answer(status, {status: 'SUCCESS', data: []})])
    expect(await api.call(attendee.listAttendees, {path})).toEqual([])
  })

  test.each([200, 201, 400, 500])('is not what FAIL means, also with HTTP %i', async (status) => {
    const {api} = stage([answer(status, {status: 'FAIL', error_code: 'CE002', message: 'no such room'})])
    const {facts} = await failureOf(api.call(attendee.listAttendees, {path}))
    expect(facts).toMatchObject({exit: 'missing', code: 'CE002', httpStatus: status})
    expect(facts.message).toBe('cannot list the attendees of room r-1: no such room')
  })
})

test('SUCCESS under a status of failure is a success, and said', async () => {
  for (const status of [404, 500, 503]) {
    const {api, warned, sent} = stage([answer(status, {status: 'SUCCESS', data: []})])
    expect(await api.call(listRooms, {})).toEqual([])
    expect(sent).toHaveLength(1)
    expect(warned).toEqual([expect.stringContaining(`SUCCESS and HTTP ${status}`)])
  }
})
