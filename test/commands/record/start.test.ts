import {expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'
import {readSandboxStatus} from '../../support/sandboxStatus.js'

test.each([
  ['', 'SPEAKER'],
  ['--layout speaker', 'SPEAKER'],
  ['--layout single-speaker', 'SINGLE_SPEAKER'],
  ['--layout grid', 'GRID'],
  ['--layout GRID', 'GRID'],
  ['--layout SINGLE_SPEAKER', 'SINGLE_SPEAKER'],
])('starts a recording with %s', async (flags, layout) => {
  const store = await demoStore()
  const ran = await cli(`record start r-standup ${flags}`, {store})
  expect(ran).toMatchObject({
    exit: 0,
    stderr: '',
    asked: [],
    stdout: `started recording room r-standup in layout ${layout} as ann (host)\n`,
  })
  expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
    ['GET', '/media/v1/rooms/r-standup', undefined],
    ['POST', '/media/v1/rooms/r-standup/record', {requester_id: 'ann', layout}],
  ])
  const {rooms} = await readSandboxStatus(store)
  expect(rooms.find((room) => room.room_id === 'r-standup')?.recording).toBe(layout)
})
