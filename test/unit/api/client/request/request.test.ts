import {parse} from 'node:querystring'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {encodeBody, type FormField, type RequestBody} from '../../../../../src/api/client/request/request.js'
import {add, token} from '../../../../../src/api/contract/attendee.js'
import type {Operation} from '../../../../../src/api/contract/operation.js'
import {createRoom, end, getRoom, listRooms, updateRoom} from '../../../../../src/api/contract/room.js'
import {anyText} from '../../../../support/anyText.js'
import {failureOf} from '../../../../support/failures.js'
import {stage, success} from '../stage.js'
import {partsOf} from './onTheWire.js'

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

  test('leaves out what was not given, and sends false, zero and empty text', async () => {
    const {api} = stage([])
    const body = {requester_id: 'ann', name: undefined, description: '', is_public: false, max_attendee_count: 0}
    const plan = await api.plan(updateRoom, {path, body})
    expect(plan.body).toBe('{"requester_id":"ann","description":"","is_public":false,"max_attendee_count":0}')
    expect((await api.plan(listRooms, {query: {asc: false, bizId: undefined}})).url.search).toBe('?asc=false')
    expect((await api.plan(listRooms, {})).url.search).toBe('')
  })

  test('has an empty object for a body of which nothing was given, and no body where there is none', async () => {
    const {api} = stage([])
    expect((await api.plan(token, {path: {...path, userId: 'ben'}, body: {}})).body).toBe('{}')
    expect((await api.plan(getRoom, {path})).body).toBeUndefined()
  })

  test('puts a value into the path where the route names it, and then not into the query', async () => {
    const {api} = stage([], {route: {method: 'GET', path: '/v1/tenants/{bizId}/rooms'}})
    const {url} = await api.plan(listRooms, {query: {asc: true, bizId: 'biz 1'}})
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
    [getRoom, {path: {roomId: ''}}, 'roomId must not be empty'],
    [getRoom, {path: {}}, 'roomId does not have the documented form'],
    [getRoom, {path: {roomId: '..'}}, 'the value of roomId must not be ".."'],
    [getRoom, {path: {roomId: 'r\u00001'}}, 'the value of roomId must not contain control characters'],
    [listRooms, {query: {bizId: 'a\ud800'}}, 'the value of bizId is not valid Unicode text'],
    [add, {path, body: {attendees: []}}, 'attendees must not be empty'],
    [add, {path, body: {attendees: ['ann', '']}}, 'attendees.1 must not be empty'],
    [add, {path, body: {attendees: 'ann'}}, 'attendees does not have the documented form'],
    [end, {path, body: {}}, 'requester_id does not have the documented form'],
    [end, {path}, 'requester_id does not have the documented form'],
    [updateRoom, {path, body: {name: 'x'}}, 'requester_id does not have the documented form'],
    [listRooms, {query: {asc: 'yes'}}, 'asc does not have the documented form'],
    [
      updateRoom,
      {path, body: {requester_id: 'ann', max_attendee_count: Number.NaN}},
      'max_attendee_count does not have the documented form',
    ],
    [
      createRoom,
      {body: {name: 'x', created_by: 'ann', host_selection_type: 'ANYBODY', is_elect_host: true, is_joinable: true}},
      'host_selection_type does not have the documented form',
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

const nowhere = {path: {}, query: {}, headers: {}}
const withFile = (form: readonly FormField[], field = 'auth_key_file') => encodeBody({...nowhere, form}, [field])
const parts = ({headers, body}: RequestBody) => partsOf(headers['content-type'] ?? '', body ?? '')

describe('a form with a file', () => {
  test('is multipart/form-data, to the letter', async () => {
    const {headers, body} = await withFile([
      {name: 'team_id', value: 'TEAM123456'},
      {name: 'auth_key_file', value: Buffer.from('key\n')},
    ])
    const [, boundary = ''] =
      /^multipart\/form-data; boundary=(-*[\w-]{10,70})$/.exec(headers['content-type'] ?? '') ?? []
    expect(Buffer.from(body ?? '').toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="team_id"',
        '',
        'TEAM123456',
        `--${boundary}`,
        'Content-Disposition: form-data; name="auth_key_file"; filename="AuthKey.p8"',
        'Content-Type: application/octet-stream',
        '',
        'key\n',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    )
  })

  test.each([
    ['auth_key_file', 'AuthKey.p8'],
    ['certificate_file', 'certificate.p12'],
    ['another_file', 'file'],
  ])(
    'names the file of %s %s, whatever it is called on this machine and the field on the wire',
    async (field, name) => {
      const form = [{name: 'renamed[]', value: Buffer.from([0, 13, 10, 255])}]
      expect(await parts(await withFile(form, field))).toEqual([
        {name: 'renamed[]', value: '\u0000\r\n\u00ff', fileName: name, type: 'application/octet-stream'},
      ])
    },
  )

  test('brings every byte and every text through, as an independent parser reads them', async () => {
    const texts = fc.array(fc.string({unit: 'grapheme', minLength: 0, maxLength: 30}), {maxLength: 3})
    const bytes = fc.uint8Array({minLength: 1, maxLength: 3000})
    await fc.assert(
      fc.asyncProperty(texts, bytes, async (values, file) => {
        const fields = values.map((value, at) => ({name: `field_${at}`, value: value.replace(/[\r\n]/g, '')}))
        const read = await parts(await withFile([...fields, {name: 'file', value: file}]))
        expect(read.map(({name, value}) => ({name, value}))).toEqual([
          ...fields,
          {name: 'file', value: Buffer.from(file).toString('latin1')},
        ])
      }),
      {numRuns: 100},
    )
  })

  test('shows its fields to people, and of a file only the size', async () => {
    const {fields} = await withFile([
      {name: 'team_id', value: 'TEAM123456'},
      {name: 'to', value: 'a'},
      {name: 'to', value: 'b'},
      {name: 'auth_key_file', value: Buffer.from('key\n')},
    ])
    expect(fields).toEqual({team_id: 'TEAM123456', to: ['a', 'b'], auth_key_file: '(file, 4 bytes)'})
  })
})

describe('a form without a file', () => {
  test('is application/x-www-form-urlencoded, to the letter', async () => {
    const form = [
      {name: 'title', value: 'a b&c=d+é%'},
      {name: 'ids[]', value: '1'},
      {name: 'ids[]', value: '2'},
    ]
    expect(await encodeBody({...nowhere, form}, [])).toEqual({
      body: 'title=a+b%26c%3Dd%2B%C3%A9%25&ids%5B%5D=1&ids%5B%5D=2',
      headers: {'content-type': 'application/x-www-form-urlencoded'},
      fields: {title: 'a b&c=d+é%', 'ids[]': ['1', '2']},
    })
  })

  test('brings every text through, line ends too, as two independent parsers read it', async () => {
    const text = anyText({maxLength: 30}).filter((one) => !/\p{Cs}/u.test(one))
    await fc.assert(
      fc.asyncProperty(fc.array(text, {minLength: 1, maxLength: 4}), async (values) => {
        const form = values.map((value) => ({name: 'n', value}))
        const {body} = await encodeBody({...nowhere, form}, [])
        expect([parse(String(body)).n].flat()).toEqual(values)
        expect(new URLSearchParams(String(body)).getAll('n')).toEqual(values)
      }),
      {numRuns: 200},
    )
  })
})

test('what has neither a form nor a JSON body has no type', async () => {
  expect(await encodeBody(nowhere, [])).toEqual({body: undefined, headers: {}})
  expect(await encodeBody({...nowhere, body: {a: undefined, b: '점심'}}, [])).toEqual({
    body: '{"b":"점심"}',
    headers: {'content-type': 'application/json'},
  })
})
