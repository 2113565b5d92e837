import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {terminal} from '../answers.js'

test('is room block as well', async () => {
  const ran = await cli('room block r-standup ben --yes -o json')
  expect(JSON.parse(ran.stdout)).toEqual({room_id: 'r-standup', requester_id: 'ann', blocked: ['ben']})
  expect((await cli('room block r-standup ben --yes -q')).stdout).toBe('r-standup\n')
})

test('expels several with one request', async () => {
  const ran = await cli('attendee block r-standup ben - --yes', {stdin: '김민준\nben\n'})
  expect(ran.sent.at(-1)?.body).toEqual({requester_id: 'ann', attendees: ['ben', '김민준']})
  expect(ran.stdout).toBe('blocked ben, 김민준 in room r-standup as ann (host)\n')
})

describe('--all-except', () => {
  test('is everybody present but the host and those', async () => {
    const ran = await cli('attendee block r-standup --all-except ben --yes')
    expect(ran.exit).toBe(0)
    expect(ran.sent.map(({method, path}) => `${method} ${path}`)).toEqual([
      'GET /media/v1/rooms/r-standup/attendees',
      'GET /media/v1/rooms/r-standup',
      'POST /media/v1/rooms/r-standup/block',
    ])
    expect(ran.sent.at(-1)?.body).toEqual({requester_id: 'ann', attendees: ['김민준']})
  })

  test('asks for the count when they are several', async () => {
    const ran = await cli('attendee block r-test-1 --all-except nobody', terminal(80, '2'))
    expect(ran.asked[0]).toMatch(/^Block bot-1, bot-2 in room r-test-1 .*\nType "2" to confirm:$/)
    expect(ran.sent.at(-1)?.body).toEqual({requester_id: 'ben', attendees: ['bot-1', 'bot-2']})
  })

  test('with no user left sends nothing', async () => {
    const ran = await cli('attendee block r-standup --all-except ben --all-except 김민준 --yes')
    expect(ran).toMatchObject({exit: 7, stdout: ''})
    expect(ran.stderr).toContain('error: nobody else is present in room r-standup; nothing was sent\n')
    expect(ran.sent.map(({method}) => method)).toEqual(['GET'])
  })

  test('and users cannot be named together', async () => {
    expect(await cli('attendee block r-standup ben --all-except eve --yes')).toMatchObject({exit: 2, sent: []})
  })
})

test('no user on stdin is a usage error, without a question', async () => {
  const ran = await cli('attendee block r-standup - --yes', {stdin: '\n'})
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toContain('error: stdin contains no user; nothing was sent\n')
})

test('the question names what would refuse it', async () => {
  const ran = await cli('attendee block r-standup eve', terminal(200, false))
  expect(ran.asked[0]).toMatch(/\? It would be refused: not present in the room: eve \(BR001\)\.$/u)
})
