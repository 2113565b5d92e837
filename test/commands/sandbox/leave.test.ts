import {expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'

test('the host leaves, and the earliest to have entered is host then', async () => {
  const home = freshHome()
  await cli('sandbox seed', {home})
  const ran = await cli('sandbox leave r-standup ann', {home})
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'room r-standup: ann left; ben is the host now\n'})
})

test('the last to leave makes the room IDLE', async () => {
  const home = freshHome()
  await cli('sandbox seed', {home})
  const ran = await cli('sandbox leave r-test-2 bot-1 -o json', {home})
  expect(JSON.parse(ran.stdout)).toMatchObject({room_status: 'IDLE', present_count: 0})
})

test('a user who is not there cannot leave', async () => {
  const home = freshHome()
  await cli('sandbox seed', {home})
  expect(await cli('sandbox leave r-standup zoe', {home})).toMatchObject({exit: 7, stdout: ''})
  expect(await cli('sandbox leave nope zoe', {home})).toMatchObject({exit: 6, stdout: ''})
})
