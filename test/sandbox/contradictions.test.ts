import {describe, expect, test} from 'vitest'
import {routeFlags} from '../../src/cli/session/routes.js'
import {create, roomIn, stage} from './stage.js'

const refused = {json: {status: 'FAIL'}}
const done = {json: {status: 'SUCCESS'}}

describe('the sandbox takes the other reading', () => {
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
})

describe('an operation at another route', () => {
  test('of rooms, PATCH without the second prefix among them', async () => {
    const routes = await routeFlags(['room.update=PATCH /v1/rooms/{roomId}', 'room.end=PUT /v2/end/{roomId}'])
    const on = stage({choices: {routes: Object.fromEntries(routes)}})
    const room = await roomIn(on, 'MEETING')
    const update = {requester_id: 'ann', name: 'Retro'}
    expect((await on.send('PATCH', `/media/media/v1/rooms/${room}`, update)).http).toBe(404)
    expect(await on.send('PATCH', `/media/v1/rooms/${room}`, update)).toMatchObject(done)
    expect((await on.send('POST', `/media/v1/rooms/${room}/end`, {requester_id: 'ann'})).http).toBe(404)
    expect(await on.send('PUT', `/media/v2/end/${room}`, {requester_id: 'ann'})).toMatchObject(done)
  })

  test('of assets, whose container may have several segments', async () => {
    const routes = await routeFlags(['asset.create=PUT /c/{container}/', 'asset.describe=POST /d/{container}'])
    const on = stage({choices: {routes: Object.fromEntries(routes)}})
    const made = {type: 'BasicContainer', name: 'games', description: 'x'}
    expect((await on.send('POST', '/asset/games/', made)).http).toBe(405)
    expect((await on.send('PUT', '/asset/c/games/', made)).http).toBe(201)
    expect((await on.send('PUT', '/asset/c/games/puzzle/', {...made, name: 'puzzle'})).http).toBe(201)
    expect((await on.send('POST', '/asset/d/games/puzzle', {description: 'new'})).http).toBe(204)
    expect((await on.send('GET', '/asset/games/puzzle/?type=meta')).json.description).toBe('new')
  })
})
