import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {type PushStage, pushStage, records, scheduled, sent} from './pushStage.js'

const now = {title: 'Hello', body: 'Lunch is ready', dispatch_type: 'IMMEDIATE', destination: ['ANDROID']}
const later = {...now, dispatch_type: 'SCHEDULED', dispatch_date: '20261201T130000'}

const broadcast = async (on: PushStage, body: object = now, application = 'app-1'): Promise<string> =>
  (await on.ask(`POST /push/v1/notifications?application_id=${application}`, body)).json.request_uuid
const modify = (on: PushStage, uuid: string, body: object | string = later, application = 'app-1') =>
  on.ask(`PUT /push/v1/notifications?application_id=${application}&request_uuid=${uuid}`, body)
const cancel = (on: PushStage, uuids: readonly string[], application = 'app-1') =>
  on.ask(`POST /push/v1/notifications/cancel?application_id=${application}`, {request_uuids: uuids})
const request = (on: PushStage, uuid: string) =>
  on.store.read(({push}) => push.requests.find((one) => one.request_uuid === uuid))

describe('send push to all users of an application', () => {
  test('an immediate one goes to everybody with an Android device at once, and its uuid comes back', async () => {
    const on = await pushStage()
    const {status, json} = await on.ask('POST /push/v1/notifications?application_id=app-7', now)
    expect([status, Object.keys(json)]).toEqual([200, ['request_uuid']])
    const found = await records(on, `?request_id=${json.request_uuid}&application_id=app-7`)
    expect(found.map((one: {status: string}) => one.status)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'FAILED',
      'SUCCESS',
    ])
  })

  test('a scheduled one, in either form of the date in UTC, goes when its time comes and not before', () =>
    everyCase(['20261201T130000', '2026-12-01T13:00:00'], async (date) => {
      const on = await pushStage()
      const uuid = await broadcast(on, {...later, dispatch_date: date})
      on.pass(59)
      expect(await records(on, `?request_id=${uuid}`)).toEqual([])
      expect(await request(on, uuid)).toMatchObject({status: 'SCHEDULED', dispatch_at: '2026-12-01T13:00:00Z'})

      on.pass(31)
      const found = await records(on, `?request_id=${uuid}`)
      expect(found).toHaveLength(6)
      expect(found[0].transaction_at).toBe('2026-12-01T22:00:00+09:00[Asia/Seoul]')
      expect(await request(on, uuid)).toMatchObject({status: 'SENT', sent_at: '2026-12-01T13:00:00Z'})
      expect(await records(on, `?request_id=${uuid}`)).toHaveLength(6)
    }))

  test('a user who registers after it was sent does not get it', async () => {
    const on = await pushStage()
    const uuid = await broadcast(on, later)
    on.pass(61)
    await on.ask('POST /push/v1/tokens', {user_id: 'zoe', push_type: 'ANDROID', push_token: 'z'})
    expect(await records(on, `?request_id=${uuid}&recipient_id=zoe`)).toEqual([])
  })

  test('every destination with Android reaches the Android devices', () =>
    everyCase([[['ANDROID', 'IOS']], [['ALL']]], async (destination) => {
      const on = await pushStage()
      const uuid = await broadcast(on, {...now, destination})
      expect(await records(on, `?request_id=${uuid}`)).toHaveLength(6)
    }))

  test('refuses an unsuitable notification, and requests nothing', () =>
    everyCase(
      [
        ['no JSON', '{', 400, /^body: /],
        ['a destination that is no list', {...now, destination: 'ANDROID'}, 400, /^destination: expected array/],
        ['no application', now, 400, /^application_id: /, ''],
        ['an empty list', {...now, destination: []}, 422, /^destination: must not be empty$/],
        [
          'another destination',
          {...now, destination: ['WEB']},
          422,
          /^destination\.0: expected one of ANDROID, IOS, ALL/,
        ],
        ['iOS alone', {...now, destination: ['IOS']}, 422, /^destination: sending to IOS is not supported at present$/],
        ['another type', {...now, dispatch_type: 'LATER'}, 422, /^dispatch_type: expected one of/],
        ['RECURRING', {...later, dispatch_type: 'RECURRING'}, 422, /^dispatch_type: RECURRING is not supported$/],
        [
          'SCHEDULED without a date',
          {...later, dispatch_date: undefined},
          422,
          /^dispatch_date: SCHEDULED dispatch needs it$/,
        ],
        ['IMMEDIATE with a date', {...later, dispatch_type: 'IMMEDIATE'}, 422, /^dispatch_date: applies to SCHEDULED/],
        ['a date with a zone', {...later, dispatch_date: '2026-12-01T13:00:00Z'}, 422, /^dispatch_date: /],
        ['a date that no calendar has', {...later, dispatch_date: '20260230T130000'}, 422, /no calendar has/],
        ['an hour that no clock has', {...later, dispatch_date: '20261201T250000'}, 422, /no calendar has/],
        [
          'the present',
          {...later, dispatch_date: '20261201T120000'},
          422,
          /^dispatch_date: 20261201T120000 \(UTC\) is past$/,
        ],
      ],
      async (_, body, status, message, query?: string) => {
        const on = await pushStage()
        const answer = await on.ask(`POST /push/v1/notifications${query ?? '?application_id=app-1'}`, body)
        expect(answer.status).toBe(status)
        expect(answer.json.message).toMatch(message)
        expect(await on.store.read(({push}) => push.requests.length)).toBe(2)
      },
    ))
})

describe('modify a requested notification', () => {
  test('replaces content and time, with 204 and no body', async () => {
    const on = await pushStage()
    const answer = await modify(on, scheduled, {...later, title: '새 제목'})
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await request(on, scheduled)).toEqual({
      request_uuid: scheduled,
      application_id: 'app-1',
      title: '새 제목',
      body: 'Lunch is ready',
      dispatch_type: 'SCHEDULED',
      destination: ['ANDROID'],
      dispatch_at: '2026-12-01T13:00:00Z',
      status: 'SCHEDULED',
    })
    on.pass(60)
    expect(await records(on, `?request_id=${scheduled}`)).toHaveLength(6)
  })

  test('into an immediate one sends it', async () => {
    const on = await pushStage()
    expect((await modify(on, scheduled, now)).status).toBe(204)
    expect(await request(on, scheduled)).toMatchObject({status: 'SENT', sent_at: '2026-12-01T12:00:00Z'})
    expect(await records(on, `?request_id=${scheduled}`)).toHaveLength(6)
  })

  test('"acts only on requests not yet sent": 403 for one that is, also by its own time', async () => {
    const on = await pushStage()
    expect(await modify(on, sent)).toMatchObject({status: 403, json: {message: `request ${sent} is sent already`}})
    on.pass(24 * 60)
    const date = '20261203T000000'
    expect((await modify(on, scheduled, {...later, dispatch_date: date})).status).toBe(403)
  })

  test('refuses an unknown, a cancelled and another application’s request with 422', async () => {
    const on = await pushStage()
    expect((await modify(on, 'unknown')).json.message).toBe('application app-1 has no request unknown')
    expect((await modify(on, scheduled, later, 'app-2')).status).toBe(422)
    await cancel(on, [scheduled])
    expect(await modify(on, scheduled)).toMatchObject({
      status: 422,
      json: {message: `request ${scheduled} is cancelled`},
    })
  })

  test('refuses an unreadable change with 422, for 400 is not documented', () =>
    everyCase(
      [
        ['no JSON', '{', /^body: /],
        ['a missing field', {...later, body: undefined}, /^body: /],
        ['IMMEDIATE with a date', {...later, dispatch_type: 'IMMEDIATE'}, /^dispatch_date: /],
        ['iOS alone', {...later, destination: ['IOS']}, /^destination: /],
      ],
      async (_, body, message) => {
        const on = await pushStage()
        const answer = await modify(on, scheduled, body)
        expect(answer.status).toBe(422)
        expect(answer.json.message).toMatch(message)
        expect(await request(on, scheduled)).toMatchObject({title: '점검 안내'})
      },
    ))
})

describe('cancel requested notifications', () => {
  test('several at once, with 204; none of them is sent', async () => {
    const on = await pushStage()
    const other = await broadcast(on, later)
    const answer = await cancel(on, [scheduled, other])
    expect([answer.status, answer.text]).toEqual([204, ''])
    on.pass(3 * 24 * 60)
    for (const uuid of [scheduled, other]) {
      expect(await records(on, `?request_id=${uuid}`)).toEqual([])
      expect(await request(on, uuid)).toMatchObject({status: 'CANCELLED'})
    }
  })

  test('one that cannot be cancelled refuses all of them', () =>
    everyCase(
      [
        ['one that is sent', [scheduled, sent], 403],
        ['an unknown one', [scheduled, 'unknown'], 422],
        ['an empty list', [], 422],
      ],
      async (_, uuids, status) => {
        const on = await pushStage()
        expect((await cancel(on, uuids)).status).toBe(status)
        expect(await request(on, scheduled)).toMatchObject({status: 'SCHEDULED'})
      },
    ))

  test('refuses a cancelled one, another application’s, and an unreadable one with 422', async () => {
    const on = await pushStage()
    expect((await cancel(on, [scheduled], 'app-2')).status).toBe(422)
    expect((await cancel(on, [scheduled])).status).toBe(204)
    expect((await cancel(on, [scheduled])).status).toBe(422)
    expect((await on.ask('POST /push/v1/notifications/cancel?application_id=app-1', '{')).status).toBe(422)
    expect((await on.ask('POST /push/v1/notifications/cancel', {request_uuids: [sent]})).status).toBe(422)
  })
})
