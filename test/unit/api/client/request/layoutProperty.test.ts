import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {PreparedRequest} from '../../../../../src/api/client/request/request.js'
import type {Operation} from '../../../../../src/api/contract/operation.js'
import {parametersOf} from '../../../../../src/api/contract/operation.js'
import * as push from '../../../../../src/api/contract/push.js'
import {sendData} from '../../../../../src/api/contract/sendData.js'
import {matchRoute, type Route} from '../../../../../src/api/http/route/route.js'
import {carriedBy} from './onTheWire.js'
import {planned} from './planned.js'

const text = fc.oneof(
  fc.string({minLength: 1, maxLength: 12}),
  fc.string({unit: 'grapheme', minLength: 1, maxLength: 6}),
)
const notice = {
  title: text,
  body: text,
  dispatch_type: fc.constantFrom('IMMEDIATE', 'SCHEDULED'),
  destination: fc.subarray(['ANDROID', 'IOS', 'ALL'], {minLength: 1}),
}
const bytes = fc.uint8Array({minLength: 1, maxLength: 40}).map((array) => Buffer.from(array))
const subjects: [Operation, Record<string, fc.Arbitrary<unknown>>][] = [
  [
    push.register,
    {user_id: text, push_type: fc.constantFrom('ANDROID', 'IOS'), push_token: fc.stringMatching(/^\S{1,20}$/)},
  ],
  [
    push.sendToUsers,
    {
      recipient_ids: fc.array(text, {minLength: 1, maxLength: 4}),
      push_type: fc.constant('IOS'),
      title: text,
      body: text,
      data: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), text),
    },
  ],
  [push.modify, {application_id: text, request_uuid: text, ...notice}],
  [push.broadcast, {application_id: text, ...notice}],
  [push.cancel, {application_id: text, request_uuids: fc.array(text, {minLength: 1, maxLength: 4})}],
  [push.iosKey, {application_id: text, bundle_id: text, team_id: text, key_id: text, auth_key_file: bytes}],
  [
    push.iosCertificate,
    {application_id: text, apns_certificate_password: text, bundle_id: text, certificate_file: bytes},
  ],
  [push.android, {application_id: text, package_name: text, fcm_server_key: text}],
  [push.show, {application_id: text}],
  [push.records, {application_id: text, request_id: text, transaction_id: text, recipient_id: text}],
  [sendData, {roomId: text, from: text, to: fc.array(text, {minLength: 1, maxLength: 3}), data: text}],
]

/** A route for an operation, with any of its path values in the path. */
function routeFor(operation: Operation): fc.Arbitrary<Route> {
  const parameters = parametersOf(operation)
  const scalars = parameters.filter(
    (one) => one.isScalar && one.place !== 'path' && !operation.secrets?.includes(one.name),
  )
  const needed = parameters.filter(({place}) => place === 'path').map(({name}) => name)
  return fc
    .record({
      inPath: fc.subarray(scalars.map(({name}) => name)),
      method: fc.constantFrom('POST', 'PUT', 'GET', 'DELETE'),
    })
    .map(({inPath, method}) => ({
      method,
      path: `/v2${[...needed, ...inPath].map((name) => `/{${name}}`).join('')}/end`,
    }))
}

test.each(subjects)(
  'every value sent stands in one place, and nothing else anywhere: $id',
  async (operation, values) => {
    let valid = 0
    await fc.assert(
      fc.asyncProperty(routeFor(operation), fc.record(values), async (route, given) => {
        const parameters = parametersOf(operation)
        const part = (wanted: string) =>
          Object.fromEntries(parameters.filter(({place}) => place === wanted).map(({name}) => [name, given[name]]))
        let request: PreparedRequest
        try {
          request = await planned(operation, route, {
            path: part('path'),
            query: part('query'),
            body: part('body'),
            files: part('file'),
          })
        } catch (error) {
          // A route or a value that is refused: nothing is sent.
          expect(error).toMatchObject({facts: {exit: 'usage'}})
          return
        }
        valid += 1
        const inPath = matchRoute(`/media${route.path}`, request.url.pathname)
        const expected = parameters.flatMap(({name, place}) => {
          if (route.path.includes(`{${name}}`)) {
            expect(inPath?.[name]).toBe(given[name])
            return []
          }
          const where = place === 'file' ? 'form' : place
          return asSent(where, given[name]).map((value) => [where, name, value])
        })
        expect(Object.keys(inPath ?? {})).toHaveLength(
          parameters.filter(({name}) => route.path.includes(`{${name}}`)).length,
        )
        expect(sorted(await carriedBy(request))).toEqual(sorted(expected))
        expect([request.method, request.url.origin]).toEqual([route.method, 'https://rooms.test'])
      }),
      {numRuns: 40},
    )
    expect(valid).toBeGreaterThan(5)
  },
)

/** What a value is on the wire: texts in a form, a list as one for each of its members. */
function asSent(where: string, value: unknown): unknown[] {
  if (value === undefined) return []
  if (where === 'body') return [value]
  if (Buffer.isBuffer(value)) return [value.toString('latin1')]
  if (Array.isArray(value)) return value
  return [typeof value === 'object' ? JSON.stringify(value) : value]
}

function sorted(carried: readonly (readonly unknown[])[]): string[] {
  return carried.map((one) => JSON.stringify(one)).sort()
}
