import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {readSandboxStatus} from '../support/sandboxStatus.js'
import {create, detail, refusal, roomIn, type Stage, stage} from './stage.js'

const app = '/media/v1/applications/app-1'

describe('send data', () => {
  const send = (on: Stage, room: string, body: object) => on.send('POST', `/media/v1/rooms/${room}/send-data`, body)

  test('answers with an id, to some or to the whole room', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    const one = await send(on, room, {from: 'ann', to: ['ben'], data: '{"vote":1}'})
    const all = await send(on, room, {from: 'ben', to: [], data: '안녕 👋'})

    expect(one.http).toBe(201)
    expect(one.json).toEqual({status: 'SUCCESS', data: {id: expect.stringMatching(/^m-[0-9a-z]{8}$/)}})
    expect(all.json.data.id).not.toBe(one.json.data.id)
  })

  test('needs data, a known sender and known recipients', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')

    expect((await send(on, room, {from: 'ann'})).json).toEqual(refusal('CE001', /^data: /))
    expect((await send(on, room, {from: 'zoe', data: 'x'})).json.error_code).toBe('CE002')
    expect((await send(on, room, {from: 'ann', to: ['ben', 'zoe'], data: 'x'})).json).toEqual(refusal('CE001', /zoe$/))
    expect((await send(on, 'r-0', {from: 'ann', data: 'x'})).json.error_code).toBe('CE002')
  })
})

describe('update by the platform admin', () => {
  const patch = (on: Stage, room: string, body: object) => on.send('PATCH', `${app}/rooms/${room}`, body)

  test('needs no requester and changes the six fields', async () => {
    const on = stage()
    const room = await create(on)
    const body = {
      name: 'Renamed',
      description: 'by the platform',
      reserved_start_time: '2026-12-02T09:00:00Z',
      reserved_end_time: '2026-12-02T10:00:00Z',
      is_public: false,
      is_joinable: false,
    }

    expect((await patch(on, room, body)).json).toEqual({status: 'SUCCESS'})
    expect(await detail(on, room)).toMatchObject(body)
  })

  test('knows no maximum and no requester, and keeps to the state table', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')

    expect((await patch(on, room, {max_attendee_count: 50})).json).toEqual(refusal('CE001', /max_attendee_count/))
    expect((await patch(on, room, {requester_id: 'ann'})).json).toEqual(refusal('CE001', /requester_id/))
    expect((await patch(on, room, {is_joinable: false})).json.error_code).toBe('U001')
    expect((await patch(on, 'r-0', {name: 'x'})).json.error_code).toBe('CE002')
  })
})

describe('the application configuration', () => {
  const values = {config_max_attendee_count: 5, config_is_download_record: true}

  test('is created once, updated afterwards, and kept with the download permission', async () => {
    const on = stage()
    expect((await on.send('PATCH', `${app}/config`, values)).json).toEqual(refusal('CE002', /create it first/))

    const created = await on.send('POST', `${app}/config`, values)
    expect([created.http, created.json]).toEqual([201, {status: 'SUCCESS'}])
    expect((await on.send('POST', `${app}/config`, values)).json).toEqual(refusal('CE001', /already/))

    expect((await on.send('PATCH', `${app}/config`, {config_is_elect_host: false})).json).toEqual({status: 'SUCCESS'})
    expect((await readSandboxStatus(on.store)).configuration).toEqual({
      application_id: 'app-1',
      values: {config_max_attendee_count: 5, config_is_download_record: true, config_is_elect_host: false},
    })
    expect((await on.send('PATCH', '/media/v1/applications/other/config', values)).json.error_code).toBe('CE002')
    expect((await on.send('PATCH', `${app}/config`, {config_max_attendee_count: -1})).json.error_code).toBe('CE001')
  })

  test('refuses an unsuitable body with CE001', () =>
    everyCase(
      [
        [{config_max_attendee_count: 0}],
        [{config_host_selection_type: 'ANYBODY'}],
        [{config_is_elect_host: 'yes'}],
        [{max_attendee_count: 4}],
      ],
      async (body) => {
        const on = stage()

        expect((await on.send('POST', `${app}/config`, body)).json).toEqual(refusal('CE001', /max|host/))
        expect((await readSandboxStatus(on.store)).configuration).toBeNull()
      },
    ))
})
