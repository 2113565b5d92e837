import {describe, expect, test} from 'vitest'
import type {Api} from '../../src/api/client/api.js'
import {Failure} from '../../src/failure.js'
import {everyCase} from '../support/everyCase.js'
import {apiAt} from './apiAt.js'
import {type AssetOperation, assetDocumented, assetInput, assetResource, assetWitness} from './assetWitness.js'
import {entryOf} from './entry.js'
import {recorder} from './recorder.js'

/** The operation is picked at run time, so the compiler knows no input that would fit it. */
const call = (api: Api, id: string, input: object) => api.call(entryOf(id), input as never)

/** The object that each call asks for, as its answer names it. */
const named = {name: 'my puzzle', uuid: 'u-1'}

function namedAs(reply: string, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const resource = assetResource(reply)
  return {...resource, ...Object.fromEntries(Object.entries(names).filter(([member]) => member in resource))}
}

/** The answer of the document, as bytes on the wire. */
function answerOf(
  {status, reply, replyHeaders}: AssetOperation,
  names: Readonly<Record<string, string>> = named,
): string {
  const body = reply === null ? '' : JSON.stringify(namedAs(reply, names))
  const head = [`HTTP/1.1 ${status ?? (reply === null ? 204 : 200)} Whatever`]
  if (reply !== null) head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  for (const name of Object.keys(replyHeaders ?? {})) head.push(`${name}: some-${name}`)
  return `${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`
}

/** The request line in the document's own words, for a container that is two deep. */
function lineOf({method, path, query}: AssetOperation): string {
  const filled = path.replace('{container}', 'games/my%20puzzle').replace(/\{\w+\}/, 'u-1')
  const pairs = Object.entries(query).map(([name, {value}]) => `${name}=${value}`)
  const verb = method === 'OPTION' ? 'OPTIONS' : method
  return `${verb} /asset${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''} HTTP/1.1`
}

/** The expected result of the documented answer. */
function resultOf({reply, replyHeaders}: AssetOperation): unknown {
  if (!replyHeaders) return reply === null ? undefined : namedAs(reply, named)
  const names = Object.keys(replyHeaders)
  return expect.objectContaining(Object.fromEntries(names.map((name) => [name.toLowerCase(), `some-${name}`])))
}

describe('what arrives at the asset service', () => {
  test('is the documented request, byte for byte', () =>
    everyCase(assetDocumented, async (id, operation) => {
      const server = await recorder(() => answerOf(operation))
      const result = await call(apiAt(server, '/asset'), id, assetInput(operation))

      expect(server.arrived).toHaveLength(1)
      const [{line = '', headers = [], body = ''} = {}] = server.arrived
      expect(line).toBe(lineOf(operation))
      expect(headers).toContain('Authorization: Bearer some-token')
      // Names keep the case of the document: a service may be as literal as its document is.
      for (const [name, {sample}] of Object.entries(operation.headers ?? {}))
        expect(headers).toContain(`${name}: ${sample}`)
      const sent = assetInput(operation).body
      expect(body).toBe(sent ? JSON.stringify(sent) : '')
      expect(headers.some((header) => /^content-type: application\/json$/i.test(header))).toBe(sent !== undefined)

      expect(result).toEqual(resultOf(operation))
    }))

  test('names nothing that it need not', () =>
    everyCase(assetDocumented, async (id, operation) => {
      const server = await recorder(() => answerOf(operation))
      const least = assetInput(operation, 'least')
      await call(apiAt(server, '/asset'), id, least)
      const [{line = '', headers = []} = {}] = server.arrived
      for (const [name, {required}] of Object.entries(operation.query))
        expect(line.includes(`${name}=`)).toBe(required === 'yes')
      for (const [name, {required}] of Object.entries(operation.headers ?? {})) {
        expect(headers.some((header) => header.startsWith(`${name}: `))).toBe(required === 'yes')
      }
    }))

  test.each(['', '.', '..', 'games/..', '../games', 'games//foo', '/games', 'games/', 'a\nb', 'a/\ud800'])(
    'a container called %j is refused before anything is sent',
    async (container) => {
      const server = await recorder(() => 'HTTP/1.1 204 No\r\nConnection: close\r\n\r\n')
      for (const [id, operation] of assetDocumented) {
        const input = assetInput(operation)
        const error = await call(apiAt(server, '/asset'), id, {...input, path: {...input.path, container}}).catch(
          (raised) => raised,
        )
        expect(error).toBeInstanceOf(Failure)
        expect(error).toMatchObject({facts: {exit: 'usage'}})
      }
      expect(server.arrived).toEqual([])
    },
  )

  test('values that mean something in a path stay in their place', async () => {
    const [, operation] = assetDocumented.find(([id]) => id === 'asset.meta') ?? assetDocumented[0] ?? []
    const server = await recorder(() => (operation ? answerOf(operation, {uuid: 'x/../y'}) : ''))
    const path = {container: 'a?b/c#d/%2e%2e/회의', common_resource_uuid: 'x/../y'}
    await call(apiAt(server, '/asset'), 'asset.meta', {path, query: {type: 'meta'}})
    expect(server.arrived[0]?.line).toBe(
      'GET /asset/a%3Fb/c%23d/%252e%252e/%ED%9A%8C%EC%9D%98/x%2F..%2Fy?type=meta HTTP/1.1',
    )
  })
})

test('the witness shows a status for four operations, and none for the others', () => {
  const shown = assetWitness.operations.filter(({status}) => status !== null).map(({id, status}) => [id, status])
  expect(shown).toEqual([
    ['asset.list', 200],
    ['asset.info', 200],
    ['asset.create', 201],
    ['asset.describe', 204],
  ])
})
