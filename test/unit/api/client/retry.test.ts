import {describe, expect, test} from 'vitest'
import type {OperationId} from '../../../../src/api/contract/operations.js'
import {failureOf} from '../../../support/failures.js'
import {calls, enveloped, withEffect} from './calls.js'
import {answer, breaks, breaksInBody, hangs, refusal, room, type Step, settling, stage, success} from './stage.js'

const page = '<html>not now</html>'
const reads = withEffect(enveloped, 'read')
const [stateChanges, creations] = [withEffect(enveloped, 'state'), withEffect(enveloped, 'create')]
const changes = [...stateChanges, ...creations]

/** What passes by itself and was certainly not carried out: sent again for every operation. */
const again: [string, Step][] = [
  ['the name cannot be looked up', breaks('dns', 'no')],
  ['the connection is refused', breaks('refused', 'no')],
  ['no connection stands in time', breaks('connect-timeout', 'no')],
  ['the connection is reset before anything was sent', breaks('reset', 'no')],
  ['429', answer(429)],
  ['429 as a page that names a time', answer(429, page, {'retry-after': '1'})],
  ['429 with FAIL and no code', answer(429, {status: 'FAIL', message: 'slowly'})],
  ['429 with FAIL and a code of no document', refusal('TOO_MANY', 'slowly', 429)],
  ['CE101', refusal('CE101', 'out of sync', 503)],
  ['CE101 with 200', refusal('CE101', 'out of sync', 200)],
  ['CE101 with 500', refusal('CE101', 'out of sync', 500)],
]

/** What may have been carried out, though the service asks for the request again: a creation or a send is not repeated. */
const againUnlessCreating: [string, Step][] = [
  ['503 with Retry-After', answer(503, page, {'retry-after': '1'})],
  ['503 with a Retry-After of 0', answer(503, '', {'retry-after': '0'})],
  ['503 with Retry-After and a code of no document', withHeader(refusal('BUSY', 'not now', 503), {'retry-after': '1'})],
]

function withHeader(step: Step, headers: Record<string, string>): Step {
  return async (request) => ({...(await step(request)), headers})
}

/** What passes by itself and may have been carried out: sent again for a read only. */
const againForReads: [string, Step][] = [
  ['the connection is reset', breaks('reset')],
  ['502', answer(502, page)],
  ['503', answer(503, 'upstream connect error or disconnect/reset before headers')],
  ['503 with a Retry-After that says no time', answer(503, page, {'retry-after': 'soon'})],
  ['503 with a code of no document', refusal('BUSY', 'not now', 503)],
  ['504', answer(504, page)],
  ['502 with a code of no document', refusal('UPSTREAM', 'no', 502)],
]

/** What another attempt would not change. */
const never: [string, Step][] = [
  ['no headers come in time', breaks('headers-timeout')],
  ['the time is up', breaks('deadline')],
  ['the certificate is not trusted', breaks('tls', 'no')],
  ['the proxy opens no way', breaks('proxy', 'no')],
  ['the answer is no HTTP', breaks('broken')],
  ['the answer is too large', breaksInBody(200, 'too-large')],
  ['500', answer(500, page)],
  ['500 with Retry-After', answer(500, page, {'retry-after': '1'})],
  ['501', answer(501, page)],
  ['404', answer(404, page)],
  ['401', answer(401, page)],
  ['a page with 200', answer(200, page)],
  ['a redirect', answer(301)],
  ['CE100', refusal('CE100', 'maintenance', 200)],
  ['CE100 with 503', refusal('CE100', 'maintenance', 503)],
  ['CE001 with 429', refusal('CE001', 'wrong value', 429)],
  ['CE200', refusal('CE200', 'who are you', 401)],
]

/** How often a call is sent when every request meets the same fate; the read that settles a change is another request. */
async function attempts(id: OperationId, step: Step, retries: number): Promise<number> {
  const {api, sent} = stage(
    Array.from({length: 10}, () => step),
    {retries},
  )
  await failureOf(calls[id](api))
  return sent.filter((request) => request === sent[0]).length
}

describe('a call', () => {
  test.each(again)('is sent again if %s, even a change', async (_, step) => {
    for (const id of [...reads, ...changes]) expect([id, await attempts(id, step, 2)]).toEqual([id, 3])
  })

  test.each(againForReads)(
    'is sent again when it reads, and once when it changes something, when %s',
    async (_, step) => {
      for (const id of reads) expect([id, await attempts(id, step, 2)]).toEqual([id, 3])
      for (const id of changes) expect([id, await attempts(id, step, 2)]).toEqual([id, 1])
    },
  )

  test.each(againUnlessCreating)('is sent again unless it creates or sends something, when %s', async (_, step) => {
    for (const id of [...reads, ...stateChanges]) expect([id, await attempts(id, step, 2)]).toEqual([id, 3])
    for (const id of creations) expect([id, await attempts(id, step, 2)]).toEqual([id, 1])
  })

  test.each(never)('is sent once if %s, even a read', async (_, step) => {
    for (const id of [...reads, ...changes]) expect([id, await attempts(id, step, 2)]).toEqual([id, 1])
  })

  test('succeeds with the first attempt that does', async () => {
    const {api, sent} = stage([breaks('refused', 'no'), refusal('CE101'), success({room_id: 'r-1'})])
    expect(await calls['room.create'](api)).toEqual({room_id: 'r-1'})
    expect(sent).toEqual(['POST /media/v1/rooms', 'POST /media/v1/rooms', 'POST /media/v1/rooms'])
  })

  test('ends with the failure of the last attempt', async () => {
    const {api} = stage([breaks('refused', 'no'), refusal('CE101'), refusal('CE001', 'the name is too long', 400)])
    const {facts} = await failureOf(calls['room.create'](api))
    expect(facts).toMatchObject({code: 'CE001', outcome: 'none', exit: 'refused'})
  })

  test('that was lost after a first attempt that never arrived is settled, and not sent a third time', async () => {
    const {api, sent} = stage([breaks('refused', 'no'), breaks('reset'), room({room_status: 'ENDED'})])
    await calls['room.end'](api, {room_status: 'MEETING'})
    expect(sent).toEqual(['POST /media/v1/rooms/r-1/end', 'POST /media/v1/rooms/r-1/end', 'GET /media/v1/rooms/r-1'])
  })

  test('that was lost is not sent again, though the room shows that it was not made', async () => {
    const {api, sent} = stage([breaks('reset'), ...settling(room({room_status: 'MEETING'}))])
    const {facts} = await failureOf(calls['room.end'](api))
    expect([facts.outcome, sent.filter((one) => one.startsWith('POST')).length]).toEqual(['none', 1])
  })
})

describe('the waits between attempts', () => {
  test('double up to their bound, with jitter', async () => {
    const {api, slept} = stage(
      Array.from({length: 8}, () => answer(503, page)),
      {retries: 7},
    )
    await failureOf(calls['room.list'](api))
    // Half of 250, 500, 1000 … 8000 and no more.
    expect(slept).toEqual([125, 250, 500, 1000, 2000, 4000, 4000])
  })

  test('count Retry-After also when the rest of the answer never came', async () => {
    const cut: Step = async (request) => ({...(await breaksInBody(503)(request)), headers: {'retry-after': '3'}})
    const {api, slept} = stage([cut, success([])])
    await calls['room.list'](api)
    expect(slept).toEqual([3_000])
  })

  test('are not started when the time of the call ends before them', async () => {
    const {api, sent, slept} = stage([answer(503, page, {'retry-after': '11'})], {timeoutMs: 10_000})
    const {facts} = await failureOf(calls['record.stop'](api))
    expect([facts.exit, facts.outcome, sent.length, slept]).toEqual(['network', 'unknown', 1, []])
    // A later attempt knows the time.
    expect(facts.retryAfterMs).toBe(11_000)
  })
})

describe('the time of a call', () => {
  test('covers its attempts together', async () => {
    const {api, sent} = stage([breaks('refused', 'no'), hangs()], {timeoutMs: 200})
    const {facts} = await failureOf(calls['room.list'](api))
    expect(facts).toMatchObject({exit: 'network', code: 'deadline', outcome: 'none', retryable: true})
    expect(facts.message).toBe('cannot list the rooms: no complete answer within 0.2 s')
    expect(sent).toHaveLength(2)
  })

  test('covers a body that does not end', async () => {
    const endless: Step = async ({signal}) => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from('{"status":')
        await new Promise((resolve) => signal?.addEventListener('abort', resolve))
      })(),
      discard() {},
    })
    const {api} = stage([endless], {timeoutMs: 50})
    expect((await failureOf(calls['room.list'](api))).facts).toMatchObject({code: 'deadline', httpStatus: 200})
  })

  test('leaves a change that it cut open to settling, and then unknown unless the room shows it', async () => {
    const done = stage([hangs(), room({room_status: 'ENDED'})], {timeoutMs: 50})
    await calls['room.end'](done.api, {room_status: 'MEETING'})
    const open = stage([hangs(), ...settling(room({room_status: 'MEETING'}))], {timeoutMs: 50})
    expect((await failureOf(calls['room.end'](open.api))).facts).toMatchObject({code: 'deadline', outcome: 'unknown'})
  })

  test('bounds the read that settles a change too', async () => {
    const {api, sent} = stage([breaks('reset'), hangs()], {timeoutMs: 50})
    expect((await failureOf(calls['room.end'](api))).facts.outcome).toBe('unknown')
    expect(sent).toHaveLength(2)
  })

  test('is over when a raw request hangs, and says so', async () => {
    const {api} = stage([hangs()], {timeoutMs: 50})
    const url = new URL('https://rooms.test/media/v1/rooms')
    const {facts} = await failureOf(
      api.raw({service: 'room', method: 'PUT', url, headers: {}, body: undefined}, 'PUT /x', () => expect.fail()),
    )
    expect(facts).toMatchObject({code: 'deadline', outcome: 'unknown'})
  })
})
