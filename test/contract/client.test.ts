import {describe, expect, test} from 'vitest'
import type {Api} from '../../src/api/client/api.js'
import {Failure} from '../../src/failure.js'
import {everyCase} from '../support/everyCase.js'
import {apiAt} from './apiAt.js'
import {entryOf} from './entry.js'
import {envelope, recorder} from './recorder.js'
import {literalRoute} from './routes.js'
import {bodyTypes, type Documented, documented, documentedOf, pathSamples, replySample, samples} from './witness.js'

/** Calls an operation with a value for everything that the document lets it take. */
async function callWhole(api: Api, id: string, changed: {path?: object; body?: object} = {}): Promise<unknown> {
  const operation = documentedOf(id)
  const given = {path: pathSamples(operation), query: samples(operation.query), body: samples(bodyTypes(operation))}
  const input = {
    path: {...given.path, ...changed.path},
    query: given.query,
    ...(operation.body ? {body: {...given.body, ...changed.body}} : {}),
  }
  // The operation is picked at run time, so the compiler knows no input that would fit it.
  return api.call(entryOf(id), input as never)
}

/** The request line of an operation below an address with a prefix, from the document's own words. */
function lineOf(operation: Documented, prefix: string): string {
  const [method, path] = literalRoute(operation)
  const pairs = Object.keys(operation.query).length > 0 ? '?asc=true&bizId=some%20bizId' : ''
  return `${method} ${prefix}${path.replaceAll(/\{(\w+)\}/g, 'some-$1')}${pairs} HTTP/1.1`
}

const named = (headers: readonly string[], name: string) =>
  headers
    .filter((header) => header.toLowerCase().startsWith(`${name}: `))
    .map((header) => header.slice(name.length + 2))

/** The documented reply; that of a room names the room that was asked for. */
function replyTo(id: string, operation: Documented): {readonly data?: unknown} {
  if (operation.reply === null) return {}
  const data = replySample(operation)
  return {data: id === 'room.get' ? Object.assign({}, data, {room_id: 'some-room_Id'}) : data}
}

describe('what arrives at the service', () => {
  test('is the documented request, byte for byte', () =>
    everyCase(documented, async (id, operation) => {
      const reply = replyTo(id, operation)
      const server = await recorder(() => envelope({status: 'SUCCESS', ...reply}))
      const result = await callWhole(apiAt(server, '/media'), id)

      expect(server.arrived).toHaveLength(1)
      const [{line = '', headers = [], body = ''} = {}] = server.arrived
      expect(line).toBe(lineOf(operation, '/media'))
      expect(named(headers, 'host')).toEqual([server.origin.slice('http://'.length)])
      expect(named(headers, 'authorization')).toEqual(['Bearer some-token'])
      expect(named(headers, 'accept')).toEqual(['application/json'])
      expect(named(headers, 'transfer-encoding')).toEqual([])
      expect(named(headers, 'content-type')).toEqual(operation.body ? ['application/json'] : [])
      expect(body).toBe(operation.body ? JSON.stringify(samples(bodyTypes(operation))) : '')
      expect(named(headers, 'content-length')).toEqual(lengths(operation, body))
      expect(result).toEqual(reply.data)
    }))

  test('the path of the update keeps its /media below an address that has one, and below one that has none', async () => {
    const server = await recorder(() => envelope({status: 'SUCCESS'}))
    await callWhole(apiAt(server, '/media'), 'room.update')
    await callWhole(apiAt(server, ''), 'room.update')
    await callWhole(apiAt(server, '/api/media'), 'room.update')
    expect(server.arrived.map(({line}) => line)).toEqual([
      'PATCH /media/media/v1/rooms/some-roomId HTTP/1.1',
      'PATCH /media/v1/rooms/some-roomId HTTP/1.1',
      'PATCH /api/media/media/v1/rooms/some-roomId HTTP/1.1',
    ])
  })

  test('values that mean something in a path stay in their place', async () => {
    const server = await recorder(() => envelope({status: 'SUCCESS', data: {token: 't'}}))
    const path = {roomId: 'r/1 ?a=b#c%2F', userId: '../회의'}
    await callWhole(apiAt(server, '/media'), 'attendee.token', {path})
    expect(server.arrived[0]?.line).toBe(
      'POST /media/v1/rooms/r%2F1%20%3Fa%3Db%23c%252F/attendees/..%2F%ED%9A%8C%EC%9D%98/token HTTP/1.1',
    )
  })

  test.each(['', '.', '..', 'r\n1'])('a room called %j is refused before anything is sent', async (roomId) => {
    const server = await recorder(() => envelope({status: 'SUCCESS'}))
    const error = await callWhole(apiAt(server, '/media'), 'room.end', {path: {roomId}}).catch(
      (raised: unknown) => raised,
    )
    expect(error).toBeInstanceOf(Failure)
    expect(error).toMatchObject({facts: {exit: 'usage'}})
    expect(server.arrived).toEqual([])
  })

  test('texts of every script arrive as UTF-8, with the length in bytes', async () => {
    const server = await recorder(() => envelope({status: 'SUCCESS', data: {room_id: 'r-1'}}))
    await callWhole(apiAt(server, '/media'), 'room.create', {body: {name: '회의 🎉 "quoted"\u2028'}})
    const [{headers = [], body = ''} = {}] = server.arrived
    expect(JSON.parse(body)).toMatchObject({name: '회의 🎉 "quoted"\u2028'})
    expect(named(headers, 'content-length')).toEqual([String(Buffer.byteLength(body))])
  })
})

/** A GET without a body announces none; a POST without one announces that it is empty. */
function lengths({body, method}: Documented, sent: string): string[] {
  if (body) return [String(Buffer.byteLength(sent))]
  return method === 'GET' ? [] : ['0']
}
