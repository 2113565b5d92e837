import {createHmac} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import {Failure} from '../../src/failure.js'
import {enterSandboxRoom} from '../../src/sandbox/demo/scenarios.js'
import {attendee, create, detail, refusal, roomIn, type Stage, stage} from './stage.js'

const block = (on: Stage, room: string, requester: string, ...users: string[]) =>
  on.send('POST', `/media/v1/rooms/${room}/block`, {requester_id: requester, attendees: users})
const restore = (on: Stage, room: string, requester: string, ...users: string[]) =>
  on.send('POST', `/media/v1/rooms/${room}/restore`, {requester_id: requester, attendees: users})
const tokenFor = (on: Stage, room: string, user: string, body?: object) =>
  on.send('POST', `/media/v1/rooms/${room}/attendees/${user}/token`, body)

describe('room §6, add attendees', () => {
  const add = (on: Stage, room: string, ...users: string[]) =>
    on.send('POST', `/media/v1/rooms/${room}/attendees`, {attendees: users})

  test('rule 1: no requester is named, and the added are invited', async () => {
    const on = stage()
    const room = await create(on)

    expect((await add(on, room, 'carl', 'dora')).json).toEqual({status: 'SUCCESS'})
    expect(await attendee(on, room, 'carl')).toEqual({
      user_id: 'carl',
      is_host: false,
      is_present: false,
      is_reserved: false,
      is_invited: true,
    })
  })

  test('rule 2: no user is listed twice', async () => {
    const on = stage()
    const room = await create(on)
    await add(on, room, 'ben', 'carl', 'carl')
    await add(on, room, 'carl')

    expect(await attendee(on, room, 'ben')).toMatchObject({is_reserved: true, is_invited: false})
    expect((await detail(on, room)).attendees).toHaveLength(3)
  })

  test('rule 3: a request over the maximum is AA001, and none of its users is added', async () => {
    const on = stage()
    const room = await create(on, {max_attendee_count: 3})

    const {http, json} = await add(on, room, 'carl', 'dora')
    expect(http).toBe(400)
    expect(json).toEqual(refusal('AA001', /4 attendees; max_attendee_count is 3/))
    expect((await detail(on, room)).attendees).toHaveLength(2)
    expect((await add(on, room, 'carl')).json.status).toBe('SUCCESS')
    expect((await add(on, room, 'ben', 'carl')).json.status).toBe('SUCCESS')
  })

  test('a visitor who is invited keeps the place and becomes invited', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    await on.enter(room, 'zoe')
    await add(on, room, 'zoe')

    expect(await attendee(on, room, 'zoe')).toMatchObject({is_present: true, is_invited: true, is_reserved: false})
  })
})

describe('room §7, room access token', () => {
  test('is a JWT signed with HS256 that says who, where, under which name and for how long', async () => {
    const on = stage()
    const room = await create(on)
    const {http, json} = await tokenFor(on, room, 'ben', {user_name: '벤'})

    const [head = '', claims = '', signature] = json.data.token.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    const issued = Date.parse('2026-12-01T12:00:00Z') / 1000
    expect(http).toBe(201)
    expect(read(head)).toEqual({alg: 'HS256', typ: 'JWT'})
    expect(read(claims)).toEqual({
      sub: 'ben',
      room,
      name: '벤',
      iat: issued,
      exp: issued + 3600,
      iss: 'roomctl-sandbox',
    })
    const secret = await on.store.read((world) => world.tokenSecret)
    expect(signature).toBe(createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url'))
  })

  test('the name of one request stays in the record for the next', async () => {
    const on = stage()
    const room = await create(on)
    await tokenFor(on, room, 'ben', {user_name: 'Benjamin'})
    const {token} = (await tokenFor(on, room, 'ben')).json.data

    expect(Buffer.from(token.split('.')[1], 'base64url').toString()).toContain('"name":"Benjamin"')
  })

  test('a user id with signs that a path must encode arrives whole', async () => {
    const on = stage()
    const room = await create(on)
    await tokenFor(on, room, encodeURIComponent('김/민 준?#%'))

    expect(await attendee(on, room, '김/민 준?#%')).toMatchObject({
      is_present: false,
      is_reserved: false,
      is_invited: false,
    })
  })

  test('rule 3: refused when capacity is exceeded, except to those who are in the room', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING', {max_attendee_count: 2})

    expect((await tokenFor(on, room, 'carl')).json).toEqual(refusal('CE001', /full/))
    expect((await tokenFor(on, room, 'ben')).json.status).toBe('SUCCESS')
    await on.leave(room, 'ben')
    expect((await tokenFor(on, room, 'carl')).json.status).toBe('SUCCESS')
  })
})

describe('room §8, block', () => {
  test('rule 1: the creator or the host may block, no other user', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING', {attendees: ['ann', 'ben', 'carl', 'dora', 'eve']})
    await on.enter(room, 'carl', 'dora', 'eve')
    await on.send('POST', `/media/v1/rooms/${room}/delegate`, {requester_id: 'ann', user_id: 'ben'})

    expect((await block(on, room, 'carl', 'dora')).json.error_code).toBe('CE003')
    expect((await block(on, room, 'zoe', 'dora')).json.error_code).toBe('CE002')
    expect((await block(on, room, 'ben', 'dora')).json).toEqual({status: 'SUCCESS'})
    expect((await block(on, room, 'ann', 'eve')).json).toEqual({status: 'SUCCESS'})
  })

  test.each([
    ['absent', 'carl'],
    ['unknown', 'zoe'],
  ])('rule 4: an %s user cannot be blocked, and then no user of the request is', async (_, user) => {
    const on = stage()
    const room = await roomIn(on, 'MEETING', {attendees: ['ann', 'ben', 'carl']})

    const {http, json} = await block(on, room, 'ann', 'ben', user)
    expect(http).toBe(409)
    expect(json).toEqual(refusal('BR001', new RegExp(user)))
    expect(await attendee(on, room, 'ben')).toMatchObject({is_present: true})
  })

  test('rule 5: the blocked are out at once and cannot enter', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING')
    await block(on, room, 'ann', 'ben')

    expect(await attendee(on, room, 'ben')).toMatchObject({is_present: false})
    await expect(enterSandboxRoom(on.store, room, 'ben', new Date())).rejects.toMatchObject({facts: {code: 'T001'}})
    await on.send('POST', `/media/v1/rooms/${room}/attendees`, {attendees: ['ben']})
    await expect(enterSandboxRoom(on.store, room, 'ben', new Date())).rejects.toBeInstanceOf(Failure)
  })

  test('when the creator expels the last ones from a room without its host present, it becomes IDLE', async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING', {is_elect_host: false})
    await on.leave(room, 'ann')
    await block(on, room, 'ann', 'ben')

    expect((await detail(on, room)).room_status).toBe('IDLE')
  })
})

describe('room §9, restore', () => {
  const withBlocked = async () => {
    const on = stage()
    const room = await roomIn(on, 'MEETING', {attendees: ['ann', 'ben', 'carl']})
    await on.enter(room, 'carl')
    await block(on, room, 'ann', 'ben')
    return {on, room}
  }

  test('rule 1: host only, not the creator who is not host', async () => {
    const {on, room} = await withBlocked()
    await on.send('POST', `/media/v1/rooms/${room}/delegate`, {requester_id: 'ann', user_id: 'carl'})

    expect((await restore(on, room, 'ann', 'ben')).json.error_code).toBe('CE003')
    expect((await restore(on, room, 'zoe', 'ben')).json.error_code).toBe('CE002')
    expect((await restore(on, room, 'carl', 'ben')).json).toEqual({status: 'SUCCESS'})
  })

  test('rule 3: every listed user must be blocked, else no user is restored', async () => {
    const {on, room} = await withBlocked()

    expect((await restore(on, room, 'ann', 'ben', 'carl', 'zoe')).json).toEqual(refusal('CE001', /carl, zoe$/))
    expect((await tokenFor(on, room, 'ben')).json.error_code).toBe('T001')
  })

  test('rule 4: the restored obtain tokens and enter again', async () => {
    const {on, room} = await withBlocked()
    await restore(on, room, 'ann', 'ben')

    expect((await tokenFor(on, room, 'ben')).json.status).toBe('SUCCESS')
    await on.enter(room, 'ben')
    expect(await attendee(on, room, 'ben')).toMatchObject({is_present: true})
  })
})
