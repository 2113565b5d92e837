import {statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'

test('puts rooms in all four states into the sandbox of -p sandbox, privately', async () => {
  const home = freshHome()
  const ran = await cli('sandbox seed', {home})
  expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
  expect(ran.stdout).toBe('seeded 13 rooms; see them with roomctl room list -p sandbox\n')
  const status = JSON.parse((await cli('sandbox status -o json', {home})).stdout)
  const states = status.rooms.map((room: {room_status: string}) => room.room_status)
  expect([...new Set(states)].sort()).toEqual(['ENDED', 'IDLE', 'MEETING', 'RESERVED'])
  const folder = join(home, '.local/share/roomctl/sandbox')
  expect(statSync(folder).mode & 0o077).toBe(0)
})

test('says the ids', async () => {
  const home = freshHome()
  const ids = (await cli('sandbox seed -q', {home})).stdout.trimEnd().split('\n')
  expect(ids).toHaveLength(13)
  expect(JSON.parse((await cli('sandbox seed -o json --query rooms', {home})).stdout)).toEqual(ids)
})

test('lets rooms of the same ids start over and others stay', async () => {
  const data = freshHome()
  const status = async () => JSON.parse((await cli(['sandbox', 'status', '--data', data, '-o', 'json'])).stdout).rooms
  await cli(['sandbox', 'seed', '--data', data])
  await cli(['sandbox', 'leave', 'r-standup', 'ann', '--data', data])
  await cli(['sandbox', 'seed', '--data', data])
  const rooms = await status()
  expect(rooms).toHaveLength(13)
  expect(rooms.find((room: {room_id: string}) => room.room_id === 'r-standup').host).toBe('ann')
})
