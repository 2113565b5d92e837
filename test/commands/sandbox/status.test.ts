import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {createSandbox} from '../../../src/sandbox/service.js'
import {fileStore} from '../../../src/sandbox/store.js'
import {cli, freshHome, noon} from '../../support/cli.js'
import {terminal} from '../answers.js'

test('shows what a service does not tell', async () => {
  const data = freshHome()
  await cli(['sandbox', 'seed', '--data', data])
  const ran = await cli(['sandbox', 'status', '--data', data])
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(ran.stdout).toMatch(/^sandbox with 13 rooms\n/)
  expect(ran.stdout).toContain('deleteEnded allow')
  expect(ran.stdout).toContain('{"presenter":{"userId":"ben"}}')
  expect(ran.stdout).toContain('nothing was sent')
  const room = JSON.parse((await cli(['sandbox', 'status', '--data', data, '-o', 'json'])).stdout).rooms.at(-1)
  expect((await cli(['sandbox', 'status', '--data', data, '-q'])).stdout.trimEnd().split('\n')).toHaveLength(13)
  expect(room).toMatchObject({room_id: 'r-standup', host: 'ann', present: ['ann', 'ben', '김민준'], blocked: ['dora']})
})

test('shows containers and files, and how far an unfinished upload came', async () => {
  const data = freshHome()
  await cli(['sandbox', 'seed', '--data', data])
  const sandbox = createSandbox({store: fileStore(data), now: () => noon, files: join(data, 'files')})
  const common = {authorization: 'Bearer sandbox-application-token', 'Tus-Resumable': '1.0.0'}
  const created = await sandbox({
    method: 'POST',
    url: new URL('http://sandbox.localhost/asset/games/archive'),
    headers: {...common, Original_File_Name: 'a.bundle', 'Upload-Length': '10', Platform: 'ios', Description: 'a'},
  })
  await sandbox({
    method: 'PATCH',
    url: new URL(created.headers.location ?? ''),
    headers: {...common, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream'},
    body: 'half.',
  })

  const ran = await cli(['sandbox', 'status', '--data', data])
  expect(ran.stdout).toContain('games/puzzle')
  expect(ran.stdout).toContain('level1.bundle')
  const {containers, resources, uploads} = JSON.parse(
    (await cli(['sandbox', 'status', '--data', data, '-o', 'json'])).stdout,
  )
  expect(containers.map((one: {path: string; resource_count: number}) => [one.path, one.resource_count])).toEqual([
    ['games', 0],
    ['games/puzzle', 3],
    ['games/archive', 0],
  ])
  expect(resources[1]).toEqual({
    uuid: 'a-level1',
    container: 'games/puzzle',
    name: 'level1.bundle',
    platform: 'ios',
    bytes: 3000,
    asset_file_uuid: 'a-catalog',
  })
  expect(uploads).toEqual([
    {uuid: expect.any(String), container: 'games/archive', name: 'a.bundle', offset: 5, bytes: 10},
  ])
})

test('of an empty sandbox is no failure', async () => {
  const data = freshHome()
  const ran = await cli(['sandbox', 'status', '--data', data], terminal(80))
  expect(ran).toMatchObject({exit: 0})
  expect(ran.stdout).toMatch(/^sandbox with 0 rooms\n/)
})

test('of a damaged one says how to begin anew, and repeats nothing of it', async () => {
  const data = freshHome()
  await cli(['sandbox', 'seed', '--data', data])
  for (const file of readdirSync(data)) {
    if (file.endsWith('.json')) writeFileSync(join(data, file), '{"tokenSecret":"s3cr3t')
  }
  const ran = await cli(['sandbox', 'status', '--data', data])
  expect(ran.exit).not.toBe(0)
  expect(ran.exit).not.toBe(1)
  expect(ran.stdout).toBe('')
  expect(ran.stderr).not.toContain('s3cr3t')
  expect(ran.stderr).toContain('sandbox reset')
  expect((await cli(['sandbox', 'reset', '--data', data])).exit).toBe(0)
  expect((await cli(['sandbox', 'status', '--data', data])).exit).toBe(0)
})
