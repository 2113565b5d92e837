import {Busboy} from '@fastify/busboy'
import {describe, expect, test} from 'vitest'
import type {Api} from '../../src/api/client/api.js'
import {type Arrived, type PushWire, pushWire} from '../commands/push/wire.js'
import {everyCase} from '../support/everyCase.js'
import {apiAt} from './apiAt.js'
import {entryOf} from './entry.js'
import {type PushOperation, pushDocumented, pushInput, pushResource, pushWitness, successesOf} from './pushWitness.js'

/** The operation is picked at run time, so the compiler knows no input that would fit it. */
const call = (api: Api, id: string, input: object) => api.call(entryOf(id), input as never)

/** The requests of the witness's samples, written out by hand: line, and JSON where the document has some. */
const literal: Readonly<Record<string, readonly [line: string, json?: string]>> = {
  'push.register': [
    'POST /push/v1/tokens',
    '{"user_id":"some-user_id","push_type":"ANDROID","push_token":"some-push_token"}',
  ],
  'push.send': [
    'POST /push/v1/messages',
    '{"recipient_ids":["some-recipient_ids-1"],"push_type":"ANDROID","title":"some-title","body":"some-body",' +
      '"data":{"room":"r-1","deep":{"list":[1,null,true]}}}',
  ],
  'push.modify': [
    'PUT /push/v1/notifications?application_id=some-application_id&request_uuid=some-request_uuid',
    '{"title":"some-title","body":"some-body","dispatch_type":"IMMEDIATE","destination":["ANDROID"],' +
      '"dispatch_date":"20261224T093000"}',
  ],
  'push.broadcast': [
    'POST /push/v1/notifications?application_id=some-application_id',
    '{"title":"some-title","body":"some-body","dispatch_type":"IMMEDIATE","destination":["ANDROID"],' +
      '"dispatch_date":"20261224T093000"}',
  ],
  'push.cancel': [
    'POST /push/v1/notifications/cancel?application_id=some-application_id',
    '{"request_uuids":["some-request_uuids-1"]}',
  ],
  'push.iosKey': [
    'POST /push/v1/config/ios/key?application_id=some-application_id&bundle_id=some-bundle_id' +
      '&team_id=some-team_id&key_id=some-key_id',
  ],
  'push.iosCertificate': [
    'POST /push/v1/config/ios/certificate?application_id=some-application_id' +
      '&apns_certificate_password=some-apns_certificate_password&bundle_id=some-bundle_id',
  ],
  'push.android': [
    'POST /push/v1/config/android?application_id=some-application_id',
    '{"package_name":"some-package_name","fcm_server_key":"some-fcm_server_key"}',
  ],
  'push.show': ['GET /push/v1/config?application_id=some-application_id'],
  'push.records': ['GET /push/v1/transactions'],
}

/** The answer of the document with each of its statuses; 204 has no body. */
function answersOf({reply, ...operation}: PushOperation) {
  const body = reply === 'not shown' ? {request_uuid: 'some-request_uuid'} : pushResource(reply)
  return successesOf({reply, ...operation}).map((status) => (status === 204 ? {status} : {status, body}))
}

/** The parts of a multipart/form-data body, as another party reads them. */
function partsOf({headers, bytes: body}: Arrived): Promise<object[]> {
  const parts: object[] = []
  const reader = new Busboy({headers: {'content-type': headers['content-type'] ?? ''}})
  return new Promise((resolve, reject) => {
    reader.on('field', (name) => parts.push({name}))
    reader.on('file', (name, stream, fileName, _coding, type) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => parts.push({name, fileName, type, bytes: Buffer.concat(pieces)}))
    })
    reader.on('error', reject)
    reader.on('finish', () => resolve(parts))
    reader.end(body)
  })
}

const lineOf = ({method, path}: Arrived) => `${method} ${path}`

async function one(server: PushWire, id: string, input: object): Promise<Arrived> {
  await call(apiAt(server, '/push'), id, input)
  expect(server.arrived).toHaveLength(1)
  const [request] = server.arrived
  if (!request) throw new Error('nothing arrived')
  return request
}

describe('what arrives at the push service', () => {
  test.each(pushDocumented)('%s is the documented request, byte for byte', async (id, operation) => {
    const server = await pushWire(() => answersOf(operation)[0] ?? {status: 204})
    const request = await one(server, id, pushInput(operation))
    const [line, json] = literal[id] ?? []

    const {body, bytes, headers} = request
    expect(lineOf(request)).toBe(line)
    expect(headers.authorization).toBe('Bearer some-token')
    expect(headers['transfer-encoding']).toBeUndefined()
    if (operation.files === null) {
      expect(body).toBe(json ?? '')
      expect(headers['content-type']).toBe(json === undefined ? undefined : 'application/json')
    } else expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=\S+$/)
    if (bytes.length > 0) expect(headers['content-length']).toBe(String(bytes.length))
  })

  test.each(pushDocumented)(
    '%s is understood with each documented success, and with no remark',
    async (id, operation) => {
      for (const answer of answersOf(operation)) {
        const server = await pushWire(() => answer)
        const said: string[] = []
        const result = await call(apiAt(server, '/push', said), id, pushInput(operation))
        expect([answer.status, result, said]).toEqual([answer.status, 'body' in answer ? answer.body : null, []])
      }
    },
  )

  const refused = pushDocumented.flatMap(([id, operation]) =>
    operation.responses.filter((status) => status >= 400).map((status) => [id, status, operation] as const),
  )
  const exits: Readonly<Record<number, string>> = {400: 'refused', 403: 'forbidden', 422: 'refused'}

  test('ends as the document means each HTTP status, and is not sent again', () =>
    everyCase(refused, async (id, status, operation) => {
      const server = await pushWire(() => ({status, body: {message: 'because'}}))
      const error = await call(apiAt(server, '/push'), id, pushInput(operation)).catch((raised: unknown) => raised)
      expect(error).toMatchObject({facts: {exit: exits[status], httpStatus: status, outcome: 'none', retryable: false}})
      expect(server.arrived).toHaveLength(1)
    }))

  test('the witness shows statuses of refusals for eight operations', () => {
    expect(refused.map(([id, status]) => `${id} ${status}`)).toEqual([
      ...['push.register 400', 'push.register 422', 'push.send 400', 'push.send 422', 'push.modify 403'],
      ...['push.modify 422', 'push.broadcast 400', 'push.broadcast 422', 'push.cancel 403', 'push.cancel 422'],
      ...['push.iosKey 400', 'push.iosCertificate 400', 'push.records 400'],
    ])
    expect(pushWitness.operations.filter(({files}) => files).map(({id}) => id)).toEqual([
      'push.iosKey',
      'push.iosCertificate',
    ])
  })
})

describe('the files of a push request', () => {
  const files = pushDocumented.filter(([, {files}]) => files)
  /** Everything that could be taken for a boundary, a line end or a text. */
  const bytes = Buffer.concat([
    Buffer.from(Array.from({length: 256}, (_, byte) => byte)),
    Buffer.from('\r\n--boundary--\r\n\r\n'),
    Buffer.from([0x30, 0x82, 0x00, 0xff, 0xfe]),
  ])

  test.each(files)('%s has its bytes in the field of the document, and nothing else', async (id, operation) => {
    const [name = ''] = Object.keys(operation.files ?? {})
    const server = await pushWire(() => ({status: 200, body: {}}))
    const request = await one(server, id, {...pushInput(operation), files: {[name]: bytes}})
    expect(await partsOf(request)).toEqual([
      {name, fileName: expect.stringMatching(/^[\w.]+\.p(?:8|12)$/), type: 'application/octet-stream', bytes},
    ])
    expect(request.bytes.toString('latin1')).toMatch(
      new RegExp(`^--[^\\r\\n]+\\r\\nContent-Disposition: form-data; name="${name}"; filename="`),
    )
  })

  test('may be as large as the cap of credentials allows, and may be a view into more bytes', async () => {
    const large = Buffer.alloc(1024 * 1024, 0x2d)
    const server = await pushWire(() => ({status: 204}))
    const input = {query: {application_id: 'a', bundle_id: 'b', team_id: 't', key_id: 'k'}}
    await call(apiAt(server, '/push'), 'push.iosKey', {...input, files: {auth_key_file: large}})
    await call(apiAt(server, '/push'), 'push.iosKey', {...input, files: {auth_key_file: large.subarray(5, 12)}})
    const parts = await Promise.all(server.arrived.map(partsOf))
    expect(parts).toMatchObject([[{bytes: {length: 1024 * 1024}}], [{bytes: {length: 7}}]])
  })
})

describe('values that mean something in an address', () => {
  const nasty = 'pä ss&word=+%2F/?#"\\\u{1f511}'

  test('stay in their place, and are read back as they were', async () => {
    const server = await pushWire(() => ({status: 204}))
    const query = {application_id: 'app 1&x=y', apns_certificate_password: nasty, bundle_id: 'com.example.rooms'}
    const request = await one(server, 'push.iosCertificate', {query, files: {certificate_file: Buffer.from('x')}})
    expect(lineOf(request)).toBe(
      'POST /push/v1/config/ios/certificate?application_id=app%201%26x%3Dy' +
        '&apns_certificate_password=p%C3%A4%20ss%26word%3D%2B%252F%2F%3F%23%22%5C%F0%9F%94%91&bundle_id=com.example.rooms',
    )
    const {searchParams} = new URL(request.path, server.origin)
    expect(Object.fromEntries(searchParams)).toEqual(query)
  })
})
