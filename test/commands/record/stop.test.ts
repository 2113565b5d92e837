import {expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'

test('stops the recording, whose file is listed then', async () => {
  const store = await demoStore()
  const before = JSON.parse((await cli('record list r-support -o json', {store})).stdout)
  const ran = await cli('record stop r-support', {store})
  expect(ran).toMatchObject({
    exit: 0,
    stderr: '',
    asked: [],
    stdout: 'stopped recording room r-support as carl (host)\n',
  })
  expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
    ['GET', '/media/v1/rooms/r-support', undefined],
    ['POST', '/media/v1/rooms/r-support/stop-record', {requester_id: 'carl'}],
  ])
  const after = JSON.parse((await cli('record list r-support -o json', {store})).stdout)
  expect(after.length).toBeGreaterThanOrEqual(before.length)
  expect((await cli('record stop r-support', {store})).exit).toBe(7)
})

test('gives the result to programs', async () => {
  expect(JSON.parse((await cli('record stop r-support --as carl -o json')).stdout)).toEqual({
    room_id: 'r-support',
    requester_id: 'carl',
    recording: false,
  })
  expect((await cli('record stop r-support -q')).stdout).toBe('r-support\n')
})

test('where none runs it is refused', async () => {
  const ran = await cli('record stop r-standup')
  expect(ran).toMatchObject({exit: 7, stdout: ''})
  expect(ran.stderr).toContain('(RE001)')
  expect(ran.stderr).toContain('try: roomctl record list r-standup\n')
})

test('rooms that cannot be recording are left out of those that flags choose, and of the count that is asked for', async () => {
  const line = ['record', 'stop', '--where', 'name~e']
  const ran = await cli(line, {answers: ['5']})
  expect(ran.stderr).toContain('left out: 2 rooms that cannot be recording (1 RESERVED, 1 ENDED)\n')
  expect(ran.stderr).not.toMatch(/^r-.*RESERVED/mu)
  expect(ran.asked).toEqual([expect.stringContaining('5 rooms')])
})
