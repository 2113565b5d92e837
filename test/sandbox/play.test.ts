import {describe, expect, test} from 'vitest'
import {
  configureSandbox,
  enterSandboxRoom,
  leaveSandboxRoom,
  resetSandbox,
  seedSandbox,
} from '../../src/sandbox/demo/scenarios.js'
import {readSandboxStatus} from '../support/sandboxStatus.js'
import {create, detail, noon, roomIn, stage} from './stage.js'

describe('enter', () => {
  test('reports the changes', async () => {
    const on = stage()
    const room = await create(on, {host_selection_type: 'FIRST_ENTER_USER'})

    expect(await enterSandboxRoom(on.store, room, 'ben', noon)).toEqual({
      room_id: room,
      user_id: 'ben',
      room_status: 'MEETING',
      host: 'ben',
      present_count: 1,
      notes: ['ben entered', 'ben is the host', 'RESERVED → MEETING'],
    })
  })

  test('while is_joinable is false only the host may enter', async () => {
    const on = stage()
    const room = await create(on, {is_joinable: false})

    await expect(enterSandboxRoom(on.store, room, 'ben', noon)).rejects.toThrow(/not joinable: only its host/)
    expect(await enterSandboxRoom(on.store, room, 'ann', noon)).toMatchObject({room_status: 'MEETING'})
  })

  test('while is_joinable is false no user may enter, under the other reading', async () => {
    const on = stage({choices: {joinableFalse: 'nobody'}})
    const room = await create(on, {is_joinable: false})

    await expect(enterSandboxRoom(on.store, room, 'ann', noon)).rejects.toThrow(/not joinable: nobody/)
  })
})

describe('leave', () => {
  test('a creator who comes back into a meeting without a host is host again', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING', {is_elect_host: false})

    expect(await leaveSandboxRoom(on.store, room, 'ann', noon)).toMatchObject({host: null})
    expect(await enterSandboxRoom(on.store, room, 'ann', noon)).toMatchObject({host: 'ann'})
  })
})

describe('the demonstration rooms', () => {
  const seeded = async () => {
    const on = stage()
    await seedSandbox(on.store, noon)
    return on
  }

  test('are about a dozen, in all four states, and each fits the contract', async () => {
    const on = await seeded()
    const {json} = await on.send('GET', '/media/v1/rooms')
    const states = json.data.map((room: {room_status: string}) => room.room_status)

    expect(json.data.length).toBeGreaterThanOrEqual(12)
    expect(new Set(states)).toEqual(new Set(['RESERVED', 'MEETING', 'IDLE', 'ENDED']))
    for (const {room_id} of json.data) {
      const room = await detail(on, room_id)
      expect('start_time' in room, room_id).toBe(room.room_status !== 'RESERVED')
      expect('end_time' in room, room_id).toBe(room.room_status === 'ENDED')
      expect(room.attendee_count.present_count > 0, room_id).toBe(room.room_status === 'MEETING')
      expect(room.attendee_count.present_count).toBeLessThanOrEqual(room.max_attendee_count)
    }
  })

  test('hold what the examples of the help rely on', async () => {
    const {store, ...on} = await seeded()
    const {rooms} = await readSandboxStatus(store)
    const room = (id: string) => rooms.find((entry) => entry.room_id === id)

    expect(room('r-standup')).toMatchObject({
      room_status: 'MEETING',
      host: 'ann',
      present: ['ann', 'ben', '김민준'],
      blocked: ['dora'],
    })
    expect(room('r-townhall')).toMatchObject({room_status: 'RESERVED', host: 'ann', present: []})
    expect(room('r-review')).toMatchObject({room_status: 'IDLE', host: 'ann', present: []})
    expect(room('r-retro')).toMatchObject({room_status: 'ENDED'})
    expect(room('r-support')).toMatchObject({room_status: 'MEETING', host: 'carl', recording: 'GRID'})
    expect(room('r-first')).toMatchObject({room_status: 'RESERVED', host: null})
    expect((await on.send('POST', '/media/v1/rooms/r-retro/recordings')).json.data).toHaveLength(2)
    expect((await on.send('POST', '/media/v1/rooms/r-private/attendees/eve/token')).json.error_code).toBe('T001')
    expect((await on.send('POST', '/media/v1/rooms/r-full/attendees/ann/token')).json.error_code).toBe('CE001')
    const townhall = (await on.send('GET', '/media/v1/rooms/r-townhall')).json.data
    expect(townhall.reserved_start_time).toBe('2026-12-02T12:00:00Z')
    const standup = (await on.send('GET', '/media/v1/rooms/r-standup/attendees')).json.data
    expect(standup).toContainEqual({
      user_id: 'eve',
      is_host: false,
      is_present: false,
      is_reserved: false,
      is_invited: true,
    })
  })

  test('come back as they were when seeded again, and other rooms stay', async () => {
    const on = await seeded()
    const own = await create(on)
    await on.send('POST', '/media/v1/rooms/r-standup/end', {requester_id: 'ann'})
    await seedSandbox(on.store, noon)

    expect((await detail(on, 'r-standup')).room_status).toBe('MEETING')
    expect((await detail(on, own)).room_status).toBe('RESERVED')
    const {json} = await on.send('GET', '/media/v1/rooms')
    expect(json.data[0].room_id).toBe(own)
  })
})

describe('the demonstration pushes', () => {
  test('come back as they were when seeded again, and others stay', async () => {
    const on = stage()
    await seedSandbox(on.store, noon)
    const before = await on.store.read(({push}) => structuredClone(push))
    const body = {package_name: 'a.b', fcm_server_key: 'k'}
    for (const id of ['app-1', 'app-2']) await on.send('POST', `/push/v1/config/android?application_id=${id}`, body)
    await on.send('POST', '/push/v1/tokens', {user_id: 'eve', push_type: 'ANDROID', push_token: 'new'})
    await on.send('POST', '/push/v1/tokens', {user_id: 'zoe', push_type: 'ANDROID', push_token: 'z'})
    const cancelled = {request_uuids: ['0f8fad5b-d9cb-469f-a165-70867728950e']}
    const {http} = await on.send('POST', '/push/v1/notifications/cancel?application_id=app-1', cancelled)
    expect(http).toBe(204)
    await seedSandbox(on.store, noon)

    const after = await on.store.read(({push}) => push)
    expect(after.users.slice(0, 6)).toEqual(before.users)
    expect(after.users.slice(6).map((one) => one.user_id)).toEqual(['zoe'])
    expect(after.requests).toEqual(before.requests)
    expect(after.transactions).toEqual(before.transactions)
    expect(after.applications).toEqual([...before.applications, expect.objectContaining({application_id: 'app-2'})])
  })

  test('are the same in every sandbox, and look like the real thing', async () => {
    const [one, other] = [stage(), stage()]
    for (const {store} of [one, other]) await seedSandbox(store, noon)
    const push = await one.store.read((world) => world.push)
    expect(await other.store.read((world) => world.push)).toEqual(push)
    expect(push.applications[0]?.android?.fcm_server_key).toMatch(/^AAAA[\w-]{7}:[\w-]{140}$/)
    expect(new Set(push.users.flatMap(({tokens}) => tokens.map((one) => one.push_token))).size).toBe(7)
  })
})

describe('configure and reset', () => {
  test('a reset forgets rooms, choices and configuration', async () => {
    const on = stage()
    await seedSandbox(on.store, noon)
    await configureSandbox(on.store, {deleteIdle: 'refuse'})
    await on.send('POST', '/media/v1/applications/app-1/config', {})
    await on.send('POST', '/media/v1/rooms/r-standup/send-data', {from: 'ann', data: 'x'})
    await on.send('POST', '/media/v1/rooms/r-standup/attendees', {attendees: ['zoe']})
    await resetSandbox(on.store)

    expect(await readSandboxStatus(on.store)).toMatchObject({
      push: {users: [], requests: [], applications: [], transactions: {}},
      rooms: [],
      configuration: null,
      choices: {deleteIdle: 'allow'},
    })
  })
})
