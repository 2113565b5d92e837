import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {type PushStage, pushStage, records, sent} from './pushStage.js'

const device = {user_id: 'zoe', push_type: 'ANDROID', push_token: 'a-device:token'}
const message = {recipient_ids: ['ann'], push_type: 'ANDROID', title: 'Hello', body: 'Lunch is ready'}
const statuses = async (on: PushStage, ...recipients: string[]) => {
  const {json} = await on.ask('POST /push/v1/messages', {...message, recipient_ids: recipients})
  return json.transactions.map((one: {status: string}) => one.status)
}

describe('register user token', () => {
  test('"registering for a user not yet known creates the user", who can then be reached', async () => {
    const on = await pushStage()
    expect(await statuses(on, 'zoe')).toEqual(['FAILED'])
    expect(await on.ask('POST /push/v1/tokens', device)).toMatchObject({status: 201, json: {}})
    expect(await statuses(on, 'zoe')).toEqual(['SUCCESS'])
  })

  test('"registering for a known user adds the token": the same one twice is one, a lost device another', async () => {
    const on = await pushStage()
    expect(await statuses(on, 'eve')).toEqual(['FAILED'])
    for (const token of ['new-device', 'new-device', 'third']) {
      await on.ask('POST /push/v1/tokens', {...device, user_id: 'eve', push_token: token})
    }
    expect(await statuses(on, 'eve')).toEqual(['SUCCESS'])
    const eve = await on.store.read(({push}) => push.users.find((one) => one.user_id === 'eve'))
    expect(eve?.tokens.slice(1)).toEqual([
      {push_type: 'ANDROID', push_token: 'new-device', is_gone: false},
      {push_type: 'ANDROID', push_token: 'third', is_gone: false},
    ])
  })

  test('an IOS token is accepted, and reaches no device: sending to iOS is not supported', async () => {
    const on = await pushStage()
    expect((await on.ask('POST /push/v1/tokens', {...device, push_type: 'IOS'})).status).toBe(201)
    expect(await statuses(on, 'zoe')).toEqual(['FAILED'])
  })

  test('refuses an unsuitable body with 400 or 422', () =>
    everyCase(
      [
        ['no JSON', '{', 400, /^body: expected a JSON object/],
        ['nothing', '', 400, /^user_id: .*missing; push_type: .*missing; push_token: .*missing$/],
        ['a number for a text', {...device, user_id: 7}, 400, /^user_id: expected string, got number$/],
        ['an unknown field', {...device, name: 'x'}, 400, /^unknown body field: name$/],
        ['an unknown query field', device, 400, /^unknown query field: x$/, '?x=1'],
        [
          'another kind of device',
          {...device, push_type: 'WEB'},
          422,
          /^push_type: expected one of ANDROID, IOS, got "WEB"$/,
        ],
        ['white space in the token', {...device, push_token: 'a b'}, 422, /^push_token: /],
        ['an empty token', {...device, push_token: ''}, 422, /^push_token: /],
      ],
      async (_, body, status, message, query?: string) => {
        const on = await pushStage()
        const answer = await on.ask(`POST /push/v1/tokens${query ?? ''}`, body)
        expect(answer.status).toBe(status)
        expect(Object.keys(answer.json)).toEqual(['message'])
        expect(answer.json.message).toMatch(message)
        expect(await statuses(on, 'zoe')).toEqual(['FAILED'])
      },
    ))
})

describe('send push to users', () => {
  test('answers 202 with a transaction for each recipient, in their order', async () => {
    const on = await pushStage()
    const recipients = ['김민준', 'eve', 'nobody', 'ann']
    const {status, json} = await on.ask('POST /push/v1/messages', {
      ...message,
      recipient_ids: recipients,
      data: {room: 'r-standup', nested: {'a b': [1]}},
    })
    expect(status).toBe(202)
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const of = (recipient: string, outcome: string) => ({
      recipient_id: recipient,
      transaction_id: uuid,
      transaction_type: 'PUSH',
      status: outcome,
    })
    expect(json).toEqual({
      transactions: [of('김민준', 'SUCCESS'), of('eve', 'FAILED'), of('nobody', 'FAILED'), of('ann', 'SUCCESS')],
    })
    expect(new Set(json.transactions.map((one: {transaction_id: string}) => one.transaction_id)).size).toBe(4)
  })

  test('refuses an unsuitable push with 400 or 422, and sends nothing', () =>
    everyCase(
      [
        ['no JSON', 'x', 400, /^body: /],
        [
          'one recipient that is no list',
          {...message, recipient_ids: 'ann'},
          400,
          /^recipient_ids: expected array, got string$/,
        ],
        ['data that is a list', {...message, data: []}, 400, /^data: expected record, got array$/],
        ['an empty list', {...message, recipient_ids: []}, 422, /^recipient_ids: must not be empty$/],
        ['iOS', {...message, push_type: 'IOS'}, 422, /^push_type: sending to IOS is not supported at present$/],
        ['an empty title', {...message, title: ''}, 422, /^title: must not be empty$/],
      ],
      async (_, body, status, text) => {
        const on = await pushStage()
        const answer = await on.ask('POST /push/v1/messages', body)
        expect(answer.status).toBe(status)
        expect(answer.json.message).toMatch(text)
        expect(await records(on, '')).toHaveLength(6)
      },
    ))
})

describe('transaction records', () => {
  test('have the outcome of a push, with offset and zone id', async () => {
    const on = await pushStage()
    const found = await records(on, `?request_id=${sent}`)
    expect(found.map((one: {recipient_id: string; status: string}) => [one.recipient_id, one.status])).toEqual([
      ['ann', 'SUCCESS'],
      ['ben', 'SUCCESS'],
      ['carl', 'SUCCESS'],
      ['dora', 'SUCCESS'],
      ['eve', 'FAILED'],
      ['김민준', 'SUCCESS'],
    ])
    expect(found[0]).toEqual({
      request_id: sent,
      transaction_at: '2026-11-30T21:00:00+09:00[Asia/Seoul]',
      recipient_id: 'ann',
      transaction_id: expect.any(String),
      status: 'SUCCESS',
    })
  })

  test('are found by application, request, transaction and recipient, and all of them without any', async () => {
    const on = await pushStage()
    const {json} = await on.ask('POST /push/v1/messages', message)
    const id = json.transactions[0].transaction_id
    expect(await records(on, '')).toHaveLength(7)
    expect(await records(on, '?recipient_id=ann')).toHaveLength(2)
    expect(await records(on, '?application_id=app-1')).toHaveLength(6)
    expect(await records(on, `?application_id=app-1&recipient_id=ann&request_id=${sent}`)).toHaveLength(1)
    const [own] = await records(on, `?transaction_id=${id}`)
    expect(own).toMatchObject({
      transaction_id: id,
      recipient_id: 'ann',
      transaction_at: '2026-12-01T21:00:00+09:00[Asia/Seoul]',
    })
    expect(await records(on, `?request_id=${own.request_id}`)).toEqual([own])
  })

  test('are 204 without a body if there are no records', async () => {
    const answer = await (await pushStage()).ask('GET /push/v1/transactions?recipient_id=nobody')
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([204, '', undefined])
  })

  test('refuse an unsuitable query with 400', () =>
    everyCase(['?recipient=ann', '?recipient_id=ann&recipient_id=ben', '?recipient_id='], async (query) => {
      expect((await (await pushStage()).ask(`GET /push/v1/transactions${query}`)).status).toBe(400)
    }))
})

describe('the Authorization header', () => {
  test('may have any scheme or none: it is not shown', () =>
    everyCase(
      ['Bearer sandbox-application-token', 'Token sandbox-application-token', 'sandbox-application-token'],
      async (authorization) => {
        const on = await pushStage()
        const {status} = await on.ask('GET /push/v1/config?application_id=app-1', undefined, {
          Authorization: authorization,
        })
        expect(status).toBe(200)
      },
    ))

  test('is refused with 401 for every request if it is missing or wrong', () =>
    everyCase(
      ['', 'Bearer', 'Bearer somebody-elses', 'Bearer sandbox-application-token x', 'two words'],
      async (authorization) => {
        const on = await pushStage()
        const lines = ['POST tokens', 'POST messages', 'PUT notifications', 'POST notifications', 'GET transactions']
        const more = ['POST notifications/cancel', 'POST config/ios/key', 'POST config/ios/certificate', 'GET config']
        for (const line of [...lines, ...more, 'POST config/android']) {
          const answer = await on.ask(line.replace(' ', ' /push/v1/'), undefined, {Authorization: authorization})
          expect([line, answer.status]).toEqual([line, 401])
          expect(answer.json.message).toMatch(/^the Authorization header /)
          expect(answer.text).not.toContain('sandbox-application-token')
        }
      },
    ))
})

test('a path or a method that no operation has is 404 or 405', () =>
  everyCase(
    [
      ['GET /push/v1/nothing', 404, undefined],
      ['GET /push/', 404, undefined],
      ['POST /push/v1/tokens/', 404, undefined],
      ['GET /push/v1/tokens', 405, 'POST'],
      ['DELETE /push/v1/notifications', 405, 'PUT, POST'],
      ['POST /push/v1/config', 405, 'GET'],
    ],
    async (line, status, allow) => {
      const answer = await (await pushStage()).ask(line)
      expect([answer.status, answer.headers.allow]).toEqual([status, allow])
      expect(answer.json.message).toContain('/push/')
    },
  ))
