import {expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'

test('lets a user in again, who gets a token then', async () => {
  const store = await demoStore()
  expect((await cli('attendee token r-standup dora', {store})).exit).toBe(5)
  const ran = await cli('attendee restore r-standup dora', {store})
  expect(ran).toMatchObject({exit: 0, stderr: '', asked: [], stdout: 'restored dora in room r-standup as ann (host)\n'})
  expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
    ['GET', '/media/v1/rooms/r-standup', undefined],
    ['POST', '/media/v1/rooms/r-standup/restore', {requester_id: 'ann', attendees: ['dora']}],
  ])
  expect((await cli('attendee token r-standup dora', {store})).exit).toBe(0)
})

test('is room restore as well, and takes users from stdin', async () => {
  const ran = await cli('room restore r-standup - -o json', {stdin: 'dora\n'})
  expect(JSON.parse(ran.stdout)).toEqual({room_id: 'r-standup', requester_id: 'ann', restored: ['dora']})
  expect((await cli('room restore r-standup dora -q')).stdout).toBe('r-standup\n')
})

test('no user is a usage error that says why none is offered', async () => {
  const ran = await cli('attendee restore r-standup')
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toContain('the service does not list blocked users')
  expect(await cli('attendee restore r-standup -', {stdin: ''})).toMatchObject({exit: 2, sent: []})
})
