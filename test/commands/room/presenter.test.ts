import {expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'
import {readSandboxStatus} from '../../support/sandboxStatus.js'

test('sets the presenter', async () => {
  const store = await demoStore()
  const ran = await cli('room presenter r-standup 김민준', {store})
  expect(ran).toMatchObject({
    exit: 0,
    stderr: '',
    asked: [],
    stdout: 'made 김민준 presenter of room r-standup as ann (host)\n',
  })
  expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
    ['GET', '/media/v1/rooms/r-standup', undefined],
    ['POST', '/media/v1/rooms/r-standup/update-presenter', {requester_id: 'ann', user_id: '김민준'}],
  ])
  const {rooms} = await readSandboxStatus(store)
  expect(rooms.find((room) => room.room_id === 'r-standup')?.metadata).toBe('{"presenter":{"userId":"김민준"}}')
})
