import {describe, expect, test} from 'vitest'
import {encodeBody} from '../../../../../src/api/client/request/request.js'
import {add, token} from '../../../../../src/api/contract/attendee.js'
import type {Operation} from '../../../../../src/api/contract/operation.js'
import {records} from '../../../../../src/api/contract/push.js'
import {getRoom, listRooms} from '../../../../../src/api/contract/room.js'
import {end, updateRoom} from '../../../../../src/api/contract/roomChanges.js'
import {failureOf} from '../../../../support/failures.js'
import {stage, success} from '../stage.js'

const path = {roomId: 'r-1'}

describe('a plan', () => {
  test('is the request that a call would send, and sends nothing', async () => {
    const {api, sent} = stage([])
    const plan = await api.plan(updateRoom, {path, body: {requester_id: 'ann', name: 'Weekly'}})
    expect({...plan, url: plan.url.href}).toEqual({
      service: 'room',
      method: 'PATCH',
      url: 'https://rooms.test/media/media/v1/rooms/r-1',
      headers: {accept: 'application/json', 'accept-encoding': 'gzip, br', 'content-type': 'application/json'},
      body: '{"requester_id":"ann","name":"Weekly"}',
    })
    expect(sent).toEqual([])
  })

  test('leaves out missing values, and sends false, zero and empty text', async () => {
    const {api} = stage([])
    const body = {requester_id: 'ann', name: undefined, description: '', is_public: false, max_attendee_count: 0}
    const plan = await api.plan(updateRoom, {path, body})
    expect(plan.body).toBe('{"requester_id":"ann","description":"","max_attendee_count":0,"is_public":false}')
    expect((await api.plan(listRooms, {query: {asc: false, bizId: undefined}})).url.search).toBe('?asc=false')
    expect((await api.plan(listRooms, {})).url.search).toBe('')
  })

  test('has an empty object for a body without values, and no body for an operation without one', async () => {
    const {api} = stage([])
    expect((await api.plan(token, {path: {...path, userId: 'ben'}, body: {}})).body).toBe('{}')
    expect((await api.plan(getRoom, {path})).body).toBeUndefined()
  })
})

/** The failure of a call with arguments that its types would not let pass. */
async function refused(operation: Operation, input: object) {
  const {api, sent} = stage([success()])
  const {facts} = await failureOf(api.call(operation, input as never))
  expect(sent).toEqual([])
  expect([facts.exit, facts.outcome ?? 'none']).toEqual(['usage', 'none'])
  return facts.message
}

describe('arguments that are not as documented', () => {
  test.each<[Operation, object, string]>([
    [getRoom, {path: {roomId: ''}}, 'roomId must not be empty'],
    [getRoom, {path: {}}, 'roomId does not have the documented form'],
    [getRoom, {path: {roomId: 'r\u00001'}}, 'the value of roomId must not contain control characters'],
    [listRooms, {query: {bizId: 'a\ud800'}}, 'the value of bizId is not valid Unicode text'],
    [add, {path, body: {attendees: []}}, 'attendees must not be empty'],
    [add, {path, body: {attendees: ['ann', '']}}, 'attendees.1 must not be empty'],
    [end, {path}, 'requester_id does not have the documented form'],
    [
      updateRoom,
      {path, body: {requester_id: 'ann', max_attendee_count: Number.NaN}},
      'max_attendee_count does not have the documented form',
    ],
  ])('of %o: %o ends as usage, and nothing is sent', async (operation, input, message) => {
    expect(await refused(operation, input)).toBe(message)
  })
})

test('a route with a path of its own refuses a value that a path cannot have, and one that is missing there', async () => {
  const {api, sent} = stage([], {route: {method: 'GET', path: '/apps/{application_id}/tx'}})
  for (const [query, message] of [
    [{application_id: '..'}, 'the value of application_id must not be ".."'],
    [{}, 'the path /apps/{application_id}/tx needs a value for application_id'],
  ] as const) {
    const {facts} = await failureOf(api.call(records, {query}))
    expect([facts.exit, facts.message, sent]).toEqual(['usage', message, []])
  }
})

test('a raw request is sent once and unchanged, with any answer', async () => {
  const {api, sent} = stage([
    async () => ({status: 503, headers: {a: 'b'}, body: (async function* () {})(), discard() {}}),
  ])
  const url = new URL('https://rooms.test/anything?x=1')
  const request = {service: 'room', method: 'PUT', url, headers: {}, body: 'b'} as const
  const answer = await api.raw(request, 'PUT /x', (data) => ({kind: 'success', data, status: data.status}))
  expect(answer).toEqual({status: 503, headers: {a: 'b'}, text: ''})
  expect(sent).toEqual(['PUT /anything'])
})

const nowhere = {path: {}, query: {}, headers: {}}
const withFile = (files: Readonly<Record<string, Uint8Array>>) => encodeBody({...nowhere, files})

describe('a form with a file', () => {
  test('is multipart/form-data, to the letter', async () => {
    const {headers, body, fields} = await withFile({auth_key_file: Buffer.from('key\n')})
    const [, boundary = ''] =
      /^multipart\/form-data; boundary=(-*[\w-]{10,70})$/.exec(headers['content-type'] ?? '') ?? []
    expect(Buffer.from(body ?? '').toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="auth_key_file"; filename="AuthKey.p8"',
        'Content-Type: application/octet-stream',
        '',
        'key\n',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    )
    expect(fields).toEqual({auth_key_file: '(file, 4 bytes)'})
  })
})

test('a request with neither a form nor a JSON body has no type', async () => {
  expect(await encodeBody(nowhere)).toEqual({body: undefined, headers: {}})
  expect(await encodeBody({...nowhere, body: {a: undefined, b: '점심'}})).toEqual({
    body: '{"b":"점심"}',
    headers: {'content-type': 'application/json'},
  })
})
