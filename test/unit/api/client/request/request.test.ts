import {describe, expect, test} from 'vitest'
import {add, token} from '../../../../../src/api/contract/attendee.js'
import type {Operation} from '../../../../../src/api/contract/operation.js'
import {create, end, get, list, update} from '../../../../../src/api/contract/room.js'
import {failureOf, stage, success} from '../../../client/stage.js'

const path = {roomId: 'r-1'}

describe('a plan', () => {
  test('is the request that a call would send, and sends nothing', async () => {
    const {api, sent} = stage([])
    const plan = await api.plan(update, {path, body: {requester_id: 'ann', name: 'Weekly'}})
    expect({...plan, url: plan.url.href}).toEqual({
      service: 'room',
      method: 'PATCH',
      url: 'https://rooms.test/media/media/v1/rooms/r-1',
      headers: {accept: 'application/json', 'accept-encoding': 'gzip, br', 'content-type': 'application/json'},
      body: '{"requester_id":"ann","name":"Weekly"}',
    })
    expect(sent).toEqual([])
  })

  test('leaves out what was not given, and sends false, zero and empty text', async () => {
    const {api} = stage([])
    const body = {requester_id: 'ann', name: undefined, description: '', is_public: false, max_attendee_count: 0}
    const plan = await api.plan(update, {path, body})
    expect(plan.body).toBe('{"requester_id":"ann","description":"","is_public":false,"max_attendee_count":0}')
    expect((await api.plan(list, {query: {asc: false, bizId: undefined}})).url.search).toBe('?asc=false')
    expect((await api.plan(list, {})).url.search).toBe('')
  })

  test('has an empty object for a body of which nothing was given, and no body where there is none', async () => {
    const {api} = stage([])
    expect((await api.plan(token, {path: {...path, userId: 'ben'}, body: {}})).body).toBe('{}')
    expect((await api.plan(get, {path})).body).toBeUndefined()
  })

  test('puts a value into the path where the route names it, and then not into the query', async () => {
    const {api} = stage([], {route: {method: 'GET', path: '/v1/tenants/{bizId}/rooms'}})
    const {url} = await api.plan(list, {query: {asc: true, bizId: 'biz 1'}})
    expect(url.href).toBe('https://rooms.test/media/v1/tenants/biz%201/rooms?asc=true')
  })

  test.each([
    ['a/b?c#d%e', 'a%2Fb%3Fc%23d%25e'],
    ['회의', '%ED%9A%8C%EC%9D%98'],
    ['...', '...'],
    ['%2e%2e', '%252e%252e'],
    ["it's (1)*!~", "it's%20(1)*!~"],
  ])('keeps the id %s in its place', async (roomId, encoded) => {
    const {api} = stage([])
    expect((await api.plan(end, {path: {roomId}, body: {requester_id: 'ann'}})).url.href).toBe(
      `https://rooms.test/media/v1/rooms/${encoded}/end`,
    )
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
    [get, {path: {roomId: ''}}, 'roomId must not be empty (room §3)'],
    [get, {path: {}}, 'roomId has not the form that the document gives it (room §3)'],
    [get, {path: {roomId: '..'}}, 'the value of roomId must not be ".."'],
    [get, {path: {roomId: 'r\u00001'}}, 'the value of roomId must not hold control characters'],
    [list, {query: {bizId: 'a\ud800'}}, 'the value of bizId is not valid Unicode text'],
    [add, {path, body: {attendees: []}}, 'attendees must not be empty (room §6)'],
    [add, {path, body: {attendees: ['ann', '']}}, 'attendees.1 must not be empty (room §6)'],
    [add, {path, body: {attendees: 'ann'}}, 'attendees has not the form that the document gives it (room §6)'],
    [end, {path, body: {}}, 'requester_id has not the form that the document gives it (room §11)'],
    [end, {path}, 'requester_id has not the form that the document gives it (room §11)'],
    [update, {path, body: {name: 'x'}}, 'requester_id has not the form that the document gives it (room §4)'],
    [list, {query: {asc: 'yes'}}, 'asc has not the form that the document gives it (room §2)'],
    [
      update,
      {path, body: {requester_id: 'ann', max_attendee_count: Number.NaN}},
      'max_attendee_count has not the form that the document gives it (room §4)',
    ],
    [
      create,
      {body: {name: 'x', created_by: 'ann', host_selection_type: 'ANYBODY', is_elect_host: true, is_joinable: true}},
      'host_selection_type has not the form that the document gives it (room §1)',
    ],
  ])('of %o: %o ends as usage, and nothing is sent', async (operation, input, message) => {
    expect(await refused(operation, input)).toBe(message)
  })
})

describe('a raw request', () => {
  test('is sent once as it is, whatever it answers', async () => {
    const {api, sent} = stage([
      async () => ({status: 503, headers: {a: 'b'}, body: (async function* () {})(), discard() {}}),
    ])
    const url = new URL('https://rooms.test/anything?x=1')
    const answer = await api.raw({service: 'room', method: 'PUT', url, headers: {}, body: 'b'})
    expect(answer).toEqual({status: 503, headers: {a: 'b'}, text: ''})
    expect(sent).toEqual(['PUT /anything'])
  })
})
