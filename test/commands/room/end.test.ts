import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'

test('ends a room as its host and says as whom', async () => {
  const ran = await cli('room end r-standup --yes')
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'ended room r-standup as ann (host)\n'})
  expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
    ['GET', '/media/v1/rooms/r-standup', undefined],
    ['POST', '/media/v1/rooms/r-standup/end', {requester_id: 'ann'}],
  ])
})
