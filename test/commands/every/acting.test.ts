import {describe, expect, test} from 'vitest'
import {memoryStore} from '../../../scripts/memoryStore.js'
import type {Transport} from '../../../src/api/http/wire/transport.js'
import {cli} from '../../support/cli.js'
import {answered, changeOf, changes} from '../../support/operations.js'
import {success} from '../answers.js'
import {live} from '../live.js'

const lookingUp = changes.filter(({looksUp}) => looksUp).map((change) => [change.operation, change] as const)

/** A service whose rooms are all like this one, and which accepts every change. */
function roomIs(detail: object): Transport {
  return async ({method, url}) =>
    method === 'GET' ? success({room_id: url.pathname.split('/').at(-1), created_by: 'cleo', ...detail}) : success()
}

describe.each(lookingUp)('the requester of %s', (_, change) => {
  const {method} = change
  const [, room] = /\/rooms\/([^/]+)/u.exec(change.path) ?? []
  const withYes = answered(change)

  test('the one that --as names, without a read', async () => {
    const ran = await cli([...withYes, '--as', 'zoe'], {transport: roomIs({})})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.sent.map((sent) => sent.method)).toEqual([method])
    expect(ran.sent[0]?.body).toMatchObject({requester_id: 'zoe'})
    expect(ran.stdout).toMatch(/ as zoe\n$/)
  })

  test('the creator with --as creator', async () => {
    const ran = await cli([...withYes, '--as', 'creator'], {transport: roomIs({})})
    expect(ran.exit).toBe(0)
    expect(ran.sent[1]?.body).toMatchObject({requester_id: 'cleo'})
    expect(ran.stdout).toMatch(/ as cleo \(creator\)\n$/)
  })

  test('the requester of the environment, and the flag before it', async () => {
    const env = {ROOMCTL_REQUESTER: 'eva'}
    const byEnv = await cli(withYes, {env, transport: roomIs({})})
    expect(byEnv.sent.map((sent) => sent.body)).toEqual([expect.objectContaining({requester_id: 'eva'})])
    const byFlag = await cli([...withYes, '--as', 'zoe'], {env, transport: roomIs({})})
    expect(byFlag.sent[0]?.body).toMatchObject({requester_id: 'zoe'})
  })

  test('the host again where --as host overrides a requester', async () => {
    const ran = await cli([...withYes, '--as', 'host'], {env: {ROOMCTL_REQUESTER: 'eva'}})
    expect(ran.sent[1]?.body).toMatchObject(change.body ?? {})
  })

  test('the creator of a RESERVED room under CREATOR, who will be host', async () => {
    const detail = {room_status: 'RESERVED', host_selection_type: 'CREATOR', attendees: [{user_id: 'cleo'}]}
    const ran = await cli(withYes, {transport: roomIs(detail)})
    expect(ran.exit).toBe(0)
    expect(ran.sent[1]?.body).toMatchObject({requester_id: 'cleo'})
    expect(ran.stdout).toMatch(/ as cleo \(host\)\n$/)
  })

  test('none if the first to enter becomes host and no user has entered: the ways out are named', async () => {
    if (change.operation === 'attendee.block') return
    const detail = {room_status: 'RESERVED', host_selection_type: 'FIRST_ENTER_USER', attendees: [{user_id: 'cleo'}]}
    const ran = await cli(withYes, {transport: roomIs(detail)})
    expect(ran).toMatchObject({exit: 7, stdout: ''})
    expect(ran.stderr).toBe(
      `error: room ${room} has no host to act as\n` +
        '  why: the first to enter becomes host (FIRST_ENTER_USER), and nobody has entered yet\n' +
        '  try: name the requester with --as, or wait until somebody is host\n',
    )
    expect(ran.sent.map((sent) => sent.method)).toEqual(['GET'])
  })

  test('none if the host has left and no other is chosen', async () => {
    if (change.operation === 'attendee.block') return
    const detail = {room_status: 'MEETING', is_elect_host: false, attendees: [{user_id: 'ben', is_present: true}]}
    const ran = await cli([...withYes, '-o', 'json'], {transport: roomIs(detail)})
    expect(ran).toMatchObject({exit: 7, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'no-host',
      why: 'the host has left, and no other is chosen (is_elect_host is false)',
      outcome: 'none',
      exit_code: 7,
    })
  })

  test('none if the creator is asked for and not known', async () => {
    const ran = await cli([...withYes, '--as', 'creator'], {transport: roomIs({created_by: null})})
    expect(ran).toMatchObject({exit: 7, stdout: ''})
    expect(ran.stderr).toContain(`cannot determine the creator of room ${room}`)
    expect(ran.stderr).toContain('try: name the requester with --as\n')
  })

  test('a room that does not exist ends with 6 before the change', async () => {
    const ran = await cli(withYes, {store: memoryStore()})
    expect(ran).toMatchObject({exit: 6, stdout: ''})
    expect(new Set(ran.sent.map((sent) => sent.method))).toEqual(new Set(['GET']))
  })
})

test('a block is done by the creator if the room has no host', async () => {
  const attendees = [{user_id: 'ben', is_present: true}]
  const ran = await cli(answered(changeOf('attendee.block')), {
    transport: roomIs({room_status: 'MEETING', is_elect_host: false, attendees}),
  })
  expect(ran.exit).toBe(0)
  expect(ran.sent[1]?.body).toEqual({requester_id: 'cleo', attendees: ['ben']})
  expect(ran.stdout).toBe('blocked ben in room r-standup as cleo (creator)\n')
})

describe('the requester of a profile', () => {
  test('is used without a read, and is shown', async () => {
    const service = await live({requester: 'ann'})
    const ran = await service.cli('room end r-standup --yes')
    expect(ran).toMatchObject({exit: 0, stdout: 'ended room r-standup as ann\n'})
    expect(service.arrived).toEqual(['POST /media/v1/rooms/r-standup/end'])
  })

  test('may be a role', async () => {
    const service = await live({requester: 'creator'})
    const ran = await service.cli('room end r-standup --yes')
    expect(ran.stdout).toBe('ended room r-standup as ann (creator)\n')
  })

  test('is the creator of a new room and the sender of data', async () => {
    const service = await live({requester: 'ann'})
    const created = await service.cli('room create Standup -o json')
    expect(JSON.parse(created.stdout)).toMatchObject({created_by: 'ann'})
    expect((await service.cli('room send r-standup hello')).stdout).toContain(' from ann (')
  })

  test('is no creator and no sender when it is a role', async () => {
    const service = await live({requester: 'host'})
    for (const line of ['room create Standup', 'room send r-standup hello']) {
      expect((await service.cli(line)).exit).toBe(2)
    }
    expect(service.arrived).toEqual([])
  })
})

test('an update sends its requester under the other name where the profile says so', async () => {
  const service = await live({updateRequesterField: 'user_id'})
  const planned = await service.cli('room update r-standup --max 40 --dry-run -o json')
  expect(JSON.parse(planned.stdout)[0].body).toEqual({user_id: 'ann', max_attendee_count: 40})
  expect((await service.cli('room update r-standup --max 40')).exit).toBe(0)
})
