import {describe, expect, test} from 'vitest'
import {parseRoutes} from '../../src/sandbox/parseOptions.js'
import {create, roomIn, stage} from './stage.js'

const refused = {json: {status: 'FAIL'}}
const done = {json: {status: 'SUCCESS'}}

describe('the sandbox takes the other reading', () => {
  test('of a create request: three fields are not required', async () => {
    const minimal = {name: 'Standup', created_by: 'ann'}
    expect(await stage().send('POST', '/media/v1/rooms', minimal)).toMatchObject(refused)
    const on = stage({choices: {minimalCreate: true}})
    const made = await on.send('POST', '/media/v1/rooms', minimal)
    expect(made).toMatchObject(done)
    const detail = await on.send('GET', `/media/v1/rooms/${made.json.data.room_id}`)
    expect(detail.json.data).toMatchObject({
      host_selection_type: 'FIRST_ENTER_USER',
      is_elect_host: true,
      is_joinable: true,
    })
  })

  test('of a list: the state is called meeting_status', async () => {
    const on = stage({choices: {meetingStatus: true}})
    const room = await create(on)
    const [row] = (await on.send('GET', '/media/v1/rooms')).json.data
    expect(row).toMatchObject({room_id: room, meeting_status: 'RESERVED'})
    expect(row).not.toHaveProperty('room_status')
    expect((await on.send('GET', `/media/v1/rooms/${room}`)).json.data.room_status).toBe('RESERVED')
  })

  test.each([
    ['requester_id', 'user_id'],
    ['user_id', 'requester_id'],
  ] as const)('of an update: the requester is %s', async (field, other) => {
    const on = stage({choices: {updateRequester: field}})
    const room = `/media/media/v1/rooms/${await create(on)}`
    expect(await on.send('PATCH', room, {[other]: 'ann', name: 'Retro'})).toMatchObject(refused)
    expect(await on.send('PATCH', room, {[field]: 'ann', name: 'Retro'})).toMatchObject(done)
  })

  test('of an update: only the host changes is_joinable', async () => {
    const change = {requester_id: 'ann', is_joinable: false}
    const body = {host_selection_type: 'FIRST_ENTER_USER'}
    for (const [joinableBy, answer] of [
      ['creator', done],
      ['host', refused],
    ] as const) {
      const on = stage({choices: {joinableBy}})
      const room = await create(on, body)
      expect(await on.send('PATCH', `/media/media/v1/rooms/${room}`, change)).toMatchObject(answer)
    }
  })

  test('of an update: is_joinable can change in MEETING, as one rule has it', async () => {
    for (const [joinableMet, answer] of [
      ['refuse', refused],
      ['allow', done],
    ] as const) {
      const on = stage({choices: {joinableMet}})
      const room = await create(on)
      await on.enter(room, 'ann')
      const change = {requester_id: 'ann', is_joinable: false}
      expect(await on.send('PATCH', `/media/media/v1/rooms/${room}`, change)).toMatchObject(answer)
      const times = {requester_id: 'ann', reserved_end_time: '2026-12-02T09:00:00Z'}
      expect(await on.send('PATCH', `/media/media/v1/rooms/${room}`, times)).toMatchObject(refused)
    }
  })

  test('of a broadcast: the older variant has no destination ALL', async () => {
    const path = '/push/v1/notifications?application_id=app-1'
    const body = {title: 'Hello', body: 'All', dispatch_type: 'IMMEDIATE', destination: ['ALL']}
    expect(await stage().send('POST', path, body)).toMatchObject({http: 200})
    const older = stage({choices: {pushAll: 'refuse'}})
    expect(await older.send('POST', path, body)).toMatchObject({http: 422})
    expect(await older.send('POST', path, {...body, destination: ['ANDROID']})).toMatchObject({http: 200})
  })

  test('of an update: the maximum must be greater than the number of attendees', async () => {
    for (const [equalMax, answer] of [
      ['allow', done],
      ['refuse', refused],
    ] as const) {
      const on = stage({choices: {equalMax}})
      const room = `/media/media/v1/rooms/${await create(on)}`
      expect(await on.send('PATCH', room, {requester_id: 'ann', max_attendee_count: 2})).toMatchObject(answer)
      expect(await on.send('PATCH', room, {requester_id: 'ann', max_attendee_count: 3})).toMatchObject(done)
    }
  })

  test('of what OPTIONS and HEAD carry', async () => {
    const headers = async (methodHeaders: 'both' | 'table' | 'notes') => {
      const on = stage({choices: {methodHeaders}})
      await on.send('POST', '/asset/games/', {type: 'BasicContainer', name: 'games', description: 'x'})
      const [options, head] = [await on.send('OPTIONS', '/asset/games/'), await on.send('HEAD', '/asset/games/')]
      return [options, head].map((one) => ['allow', 'link'].filter((name) => name in one.headers).join())
    }
    expect(await headers('both')).toEqual(['allow,link', 'allow,link'])
    expect(await headers('table')).toEqual(['allow', 'link'])
    expect(await headers('notes')).toEqual(['link', 'allow'])
  })

  test('of uploads: they need not say their version of tus', async () => {
    const headers = {
      authorization: 'Bearer sandbox-application-token',
      original_file_name: 'a.png',
      'upload-length': '0',
      platform: 'ios',
      description: 'x',
    }
    const files = async (choices: object) => {
      const on = stage({choices})
      await on.send('POST', '/asset/games/', {type: 'BasicContainer', name: 'games', description: 'x'})
      const {http} = await on.send('POST', '/asset/games', undefined, headers)
      const {resources} = (await on.send('GET', '/asset/games/')).json
      return [http, resources.commonResources.length]
    }
    expect(await files({})).toEqual([412, 0])
    expect((await files({lenientTus: true}))[0]).toBe(201)
  })
})

describe('an operation at another route', () => {
  test('of rooms, PATCH without the second prefix among them', async () => {
    const on = stage({
      choices: {routes: parseRoutes(['room.update=PATCH /v1/rooms/{roomId}', 'room.end=PUT /v2/end/{roomId}'])},
    })
    const room = await roomIn(on, 'MEETING')
    const update = {requester_id: 'ann', name: 'Retro'}
    expect((await on.send('PATCH', `/media/media/v1/rooms/${room}`, update)).http).toBe(404)
    expect(await on.send('PATCH', `/media/v1/rooms/${room}`, update)).toMatchObject(done)
    expect((await on.send('POST', `/media/v1/rooms/${room}/end`, {requester_id: 'ann'})).http).toBe(404)
    expect(await on.send('PUT', `/media/v2/end/${room}`, {requester_id: 'ann'})).toMatchObject(done)
  })

  test('of assets, whose container may have several segments', async () => {
    const on = stage({
      choices: {routes: parseRoutes(['asset.create=PUT /c/{container}/', 'asset.describe=POST /d/{container}'])},
    })
    const made = {type: 'BasicContainer', name: 'games', description: 'x'}
    expect((await on.send('POST', '/asset/games/', made)).http).toBe(405)
    expect((await on.send('PUT', '/asset/c/games/', made)).http).toBe(201)
    expect((await on.send('PUT', '/asset/c/games/puzzle/', {...made, name: 'puzzle'})).http).toBe(201)
    expect((await on.send('POST', '/asset/d/games/puzzle', {description: 'new'})).http).toBe(204)
    expect((await on.send('GET', '/asset/games/puzzle/?type=meta')).json.description).toBe('new')
  })

  test('is refused where no request could be told from another', () => {
    expect(() => parseRoutes(['room.end=POST /v1/rooms/{roomId}/delegate'])).toThrow('would have the same route')
  })
})
