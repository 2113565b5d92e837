import {expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'

test('makes somebody host', async () => {
  const store = await demoStore()
  const ran = await cli('room delegate r-standup ben', {store})
  expect(ran).toMatchObject({exit: 0, stderr: '', asked: [], stdout: 'made ben host of room r-standup as ann (host)\n'})
  expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
    ['GET', '/media/v1/rooms/r-standup', undefined],
    ['POST', '/media/v1/rooms/r-standup/delegate', {requester_id: 'ann', user_id: 'ben'}],
  ])
  expect((await cli('room show r-standup --columns host', {store})).stdout).toBe('  Host  ben\n')
})

test('gives the result to programs', async () => {
  expect(JSON.parse((await cli('room delegate r-standup ben -o json')).stdout)).toEqual({
    room_id: 'r-standup',
    requester_id: 'ann',
    host: 'ben',
  })
  expect((await cli('room delegate r-standup ben -q')).stdout).toBe('r-standup\n')
  expect((await cli('room delegate r-standup ben -o csv')).stdout).toBe(
    'room_id,requester_id,host\nr-standup,ann,ben\n',
  )
})

test('refusals come with what would help', async () => {
  const absent = await cli('room delegate r-standup eve')
  expect(absent).toMatchObject({exit: 8, stdout: ''})
  expect(absent.stderr).toContain('try: roomctl attendee list r-standup --present\n')
  expect(await cli('room delegate r-standup zoe')).toMatchObject({exit: 6, stdout: ''})
  const idle = await cli('room delegate r-review ben')
  expect(idle).toMatchObject({exit: 7, stdout: ''})
  expect(idle.stderr).toContain('it is IDLE')
})
