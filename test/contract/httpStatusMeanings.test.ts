import {describe, expect, test} from 'vitest'
import {failureOf} from '../../src/api/client/failures/refusal.js'
import {exitOfStatus} from '../../src/api/client/response/refusalKind.js'
import {
  casesOfStatus,
  codelessServices,
  meaningOfStatus,
  statusesOf,
} from '../../src/api/contract/httpStatusMeanings.js'
import {operationById, operations} from '../../src/api/contract/operations.js'
import {exits} from '../../src/failure.js'
import {everyCase} from '../support/everyCase.js'
import {entryOf} from './entry.js'
import {pushDocumented} from './pushWitness.js'

const codeless = operations.filter(({service}) => service !== 'room')
const listed = codelessServices.flatMap((service) => statusesOf(service).map((status) => [service, status] as const))
const number = (status: number | '5xx') => (status === '5xx' ? 503 : status)

/** Values that fill every sentence and every advice of a status. */
const values = {
  application_id: 'app-1',
  request_uuid: 'q-1',
  request_uuids: ['q-1', 'q-2'],
  recipient_ids: ['ann', 'ben'],
  user_id: 'ann',
  container: 'games/foo',
}

describe('the statuses of services without codes', () => {
  test('are guesses where the document has no more than the status, and nothing at all from a stranger', () => {
    const told = (status: number, id: string, isForeign = false) =>
      failureOf({status, isForeign}, {operation: entryOf(id), values}).facts.why
    const rows = [
      ...(['push.send', 'push.register', 'push.broadcast'] as const).flatMap((id) => [
        [400, id] as const,
        [422, id] as const,
      ]),
      ...([
        [422, 'push.modify'],
        [422, 'push.cancel'],
        [400, 'push.iosKey'],
        [400, 'push.iosCertificate'],
      ] as const),
    ]
    for (const [status, id] of rows) expect(told(status, id)).toMatch(/^probably /u)
    for (const status of [401, 403, 409, 413, 429, 503]) {
      for (const id of ['asset.list', 'push.show']) expect(told(status, id)).toMatch(/^probably /u)
    }
    for (const [status, id] of rows)
      expect(told(status, id, true)).toBe('something in front of the service may have answered')
  })

  test('speak of their own service only', () => {
    for (const [service, status] of listed) {
      const other = service === 'push' ? /asset|container|upload/i : /push|notification/i
      for (const operation of codeless.filter((one) => one.service === service)) {
        expect(JSON.stringify(meaningOfStatus(number(status), operation))).not.toMatch(other)
      }
    }
  })

  test('are listed in their order, each once', () => {
    for (const service of codelessServices) {
      const numbers = statusesOf(service).map(number)
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
    }
  })

  test('have cases that come to every operation, and to each only once', () => {
    for (const [, status] of listed) {
      for (const operation of codeless) {
        const cases = casesOfStatus(number(status))
        const own = cases.filter(({of}) => of.includes(operation.id))
        const rest = cases.filter(({of}) =>
          of.some((one) => /^every /.test(one) && one.includes(` ${operation.service} `)),
        )
        expect(own.length).toBeLessThanOrEqual(1)
        expect(rest).toHaveLength(1)
        expect((own[0] ?? rest[0])?.meaning).toBe(meaningOfStatus(number(status), operation))
      }
    }
  })

  test('that are not listed are refusals that point at the answer', () => {
    const {condition, try: advice} = meaningOfStatus(418, entryOf('push.send'))
    expect([condition, advice]).toEqual([
      'the service refused the request',
      'run the command again with --debug to see request and response',
    ])
    expect(casesOfStatus(418)).toHaveLength(2)
  })
})

describe('the statuses of the push document', () => {
  const rows = pushDocumented.flatMap(([id, {responses}]) =>
    responses.filter((status) => status >= 400).map((status) => [id, status] as const),
  )

  test('are in the table, and end with their exit', () =>
    everyCase(rows, (id, status) => {
      expect(statusesOf('push')).toContain(status)
      const {code} = exits[exitOfStatus(status)]
      expect([status, code]).toEqual([status, status === 403 ? 5 : 8])
      expect(operationById(id)).toBeDefined()
    }))

  test('have words of their own only where the document lets the operation answer so', () => {
    const own = statusesOf('push').flatMap((status) =>
      casesOfStatus(number(status))
        .flatMap(({of}) => of)
        .filter((id) => operationById(id)?.service === 'push')
        .map((id) => [id, status]),
    )
    expect(own.length).toBeGreaterThan(0)
    for (const row of own) expect(rows).toContainEqual(row)
  })

  test.each([
    ['push.modify', 403, /been sent already/, /only unsent .* \(push, Rules 2\).*token/],
    ['push.register', 422, /registration/, /at most 10 characters.*white space/],
    ['push.send', 422, /push/, /recipient/],
    ['push.broadcast', 422, /notification/, /UTC.*SCHEDULED only.*RECURRING and iOS are not supported/],
    ['push.cancel', 422, /uuid/, /no request of this application has it/],
    ['push.iosKey', 400, /file/, /ids/],
    ['push.iosCertificate', 400, /file/, /password/],
  ])('%s: %i has its meaning there', (id, status, condition, why) => {
    const meaning = meaningOfStatus(status, entryOf(id))
    expect(meaning.condition).toMatch(condition)
    expect(meaning.why).toMatch(why)
  })
})
