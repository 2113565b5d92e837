import {describe, expect, test} from 'vitest'
import {listRecordings as recordings} from '../../../../../src/api/contract/record.js'
import {getRoom, listRooms} from '../../../../../src/api/contract/room.js'
import {failureOf} from '../../../../support/failures.js'
import {calls} from '../calls.js'
import {answer, breaksInBody, stage, success} from '../stage.js'

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

  test('holds whole numbers exactly, also beyond 2^53', async () => {
    const file = (size: string) => `{"status":"SUCCESS","data":[{"file_name":"a.mp4","file_size":${size}}]}`
    const {api} = stage([answer(200, file('9007199254740991')), answer(200, file('9007199254740993'))])
    expect(await api.call(recordings, {path})).toEqual([{file_name: 'a.mp4', file_size: 9007199254740991}])
    expect(await api.call(recordings, {path})).toEqual([{file_name: 'a.mp4', file_size: 9007199254740993n}])
  })
})

describe('a reply that is not as documented', () => {
  test.each([
    ['{}', 'data'],
    ['{"rooms":[],"next":"x"}', 'data'],
    ['{"code":7,"detail":"in maintenance"}', 'data', 'in maintenance'],
    ['null', 'data'],
    ['"r-1"', 'data'],
    ['[{}]', 'data.0.room_id'],
    ['[null]', 'data.0'],
    ['[[]]', 'data.0'],
    ['[{"room_id":"r-1"},{"room_id":7}]', 'data.1.room_id'],
  ])('%s: the failure names %s', async (json, where, serviceMessage = undefined) => {
    const {facts} = await failureOf(rooms(json))
    expect(facts).toMatchObject({
      exit: 'network',
      code: 'broken-answer',
      message: 'cannot list the rooms: the answer of rooms.test is not what the document describes',
      why: `${where} is missing or has another type than the document shows`,
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
})

describe('an answer that is no envelope', () => {
  test('is repeated in the failure only if it refuses', async () => {
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

  test.each([300, 301, 302, 303, 307, 308])('a redirect (%i) is not followed, with any content', async (status) => {
    const body = {status: 'SUCCESS', data: []}
    const {api, sent} = stage([answer(status, body, {location: 'https://u:s3cret@elsewhere.test/v1/rooms?t=s3cret'})])
    const {facts} = await failureOf(calls['room.list'](api))
    expect(facts.message).toBe(
      `cannot list the rooms: the answer is a redirect to https://elsewhere.test/v1/rooms (HTTP ${status}), which is not followed with a credential`,
    )
    expect(sent).toEqual(['GET /media/v1/rooms'])
  })

  test('a redirect in an unknown encoding says where it points', async () => {
    const headers = {location: '/elsewhere', 'content-encoding': 'zstd'}
    const {facts} = await failureOf(calls['room.list'](stage([answer(302, 'x', headers)]).api))
    expect(facts.message).toContain('the answer is a redirect to /elsewhere (HTTP 302)')
  })

  test('whose body breaks off keeps its status', async () => {
    expect((await failureOf(calls['room.list'](stage([breaksInBody(200)]).api))).facts).toMatchObject({
      code: 'broken',
      httpStatus: 200,
      why: 'the answer did not arrive, or was incomplete',
    })
  })
})
