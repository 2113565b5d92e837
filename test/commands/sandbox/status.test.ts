import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {seedSandbox} from '../../../src/sandbox/demo/scenarios.js'
import {createSandbox} from '../../../src/sandbox/sandbox.js'
import {fileStore} from '../../../src/sandbox/world/store.js'
import {shellWord} from '../../../src/text/text.js'
import {cli, freshHome, noon} from '../../support/cli.js'
import {terminal} from '../answers.js'

test('shows what a service does not tell', async () => {
  const data = freshHome()
  await cli(['sandbox', 'seed', '--data', data])
  const ran = await cli(['sandbox', 'status', '--data', data])
  expect(ran).toMatchObject({exit: 0, stderr: 'hidden columns: recording\n'})
  expect(ran.stdout).toMatch(/^sandbox with 13 rooms\n/)
  expect(ran.stdout).toMatch(/^ {2}Readings +default$/mu)
  expect(ran.stdout).toContain('{"presenter":{"userId":"ben"}}')
  expect(ran.stdout).toContain('nothing was sent')
  const room = JSON.parse((await cli(['sandbox', 'status', '--data', data, '-o', 'json'])).stdout).rooms.at(-1)
  expect((await cli(['sandbox', 'status', '--data', data, '-q'])).stdout.trimEnd().split('\n')).toHaveLength(13)
  expect(room).toMatchObject({room_id: 'r-standup', host: 'ann', present: ['ann', 'ben', '김민준'], blocked: ['dora']})
})

test('names the readings and the faults that were chosen as the flags take them', async () => {
  const data = freshHome()
  const chosen = ['delete-ended=refuse', 'equal-max=refuse']
  const documents = chosen.flatMap((reading) => ['--document', reading])
  const faults = [
    '--fail',
    '503:10%',
    '--latency',
    '200ms',
    '--cut-after',
    '1048576',
    '--stall',
    '--max-chunk',
    '65536',
  ]
  const flags = [...documents, ...faults, '--route', 'push.cancel=DELETE /v2/requests']
  await cli(['sandbox', 'reset', '--data', data, '--document', 'push-all=allow', ...flags])
  const {stdout} = await cli(['sandbox', 'status', '--data', data])
  expect(stdout).toContain(`  Readings            ${flags.map(shellWord).join(' ')}\n`)
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
  expect(ran.stdout).toContain('catalog.json, level1.bundle, logo.png')
  expect(ran.stdout).toMatch(/^ {2}Unfinished uploads +a\.bundle 5\/10$/mu)
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

test('shows devices, push requests and credentials, their secrets masked in every form', async () => {
  const data = freshHome()
  await cli(['sandbox', 'seed', '--data', data])
  const {push} = JSON.parse((await cli(['sandbox', 'status', '--data', data, '-o', 'json'])).stdout)
  expect(push.users.map((one: {user_id: string}) => one.user_id)).toEqual([
    'ann',
    'ben',
    'carl',
    'dora',
    'eve',
    '김민준',
  ])
  expect(push.users[4].tokens).toEqual([
    {push_type: 'ANDROID', push_token: expect.stringMatching(/^.{4}\*\*\* \(\d+ characters\)$/), is_gone: true},
  ])
  expect(push.requests).toMatchObject([
    {request_uuid: '7c9e6679-7425-40de-944b-e07fc1f90ae7', status: 'SENT', sent_at: '2026-11-30T12:00:00Z'},
    {
      request_uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
      application_id: 'app-1',
      status: 'SCHEDULED',
      dispatch_type: 'SCHEDULED',
      dispatch_at: '2026-12-02T12:00:00Z',
      sent_at: null,
    },
  ])
  expect(push.applications).toEqual([
    {
      application_id: 'app-1',
      package_name: 'com.example.rooms',
      fcm_server_key: 'AAAA*** (152 characters)',
      ios_apns_type: 'TOKEN',
      bundle_id: 'com.example.rooms',
      team_id: 'TEAM123456',
      key_id: 'KEY1234567',
      certificate_expiry_date: null,
    },
  ])
  expect(push.transactions).toEqual({SUCCESS: 5, FAILED: 1})

  const world = await fileStore(data).read((kept) => kept)
  const secrets = [
    ...world.push.users.flatMap(({tokens}) => tokens.map((one) => one.push_token)),
    ...world.push.applications.flatMap(({android}) => android?.fcm_server_key ?? []),
  ]
  expect(secrets).toHaveLength(8)
  for (const format of ['table', 'json', 'yaml', 'csv']) {
    const {stdout} = await cli(['sandbox', 'status', '--data', data, '-o', format])
    expect(stdout).toContain(format === 'json' || format === 'yaml' ? 'AAAA***' : 'SUCCESS')
    for (const secret of secrets) expect(stdout).not.toContain(secret)
  }
})

test('a push request whose time has come is sent by then', async () => {
  const data = freshHome()
  const store = fileStore(data)
  await seedSandbox(store, new Date(noon.getTime() - 2 * 24 * 60 * 60_000))
  const {push} = JSON.parse((await cli(['sandbox', 'status', '--data', data, '-o', 'json'])).stdout)
  expect(push.requests.at(-1)).toMatchObject({status: 'SENT', sent_at: '2026-11-30T12:00:00Z'})
  expect(push.transactions).toEqual({SUCCESS: 10, FAILED: 2})
  const table = (await cli(['sandbox', 'status', '--data', data])).stdout
  expect(table).toContain('SUCCESS 10, FAILED 2')
  expect(table).toContain('점검 안내 (SENT)')
})

test('of an empty sandbox is no failure', async () => {
  const data = freshHome()
  const ran = await cli(['sandbox', 'status', '--data', data], terminal(80))
  expect(ran).toMatchObject({exit: 0})
  expect(ran.stdout).toMatch(/^sandbox with 0 rooms\n/)
  expect(ran.stdout).toMatch(/^ {2}Push devices +none$/mu)
})

test('of a damaged one says how to start over, and repeats nothing of it', async () => {
  const data = freshHome()
  await cli(['sandbox', 'seed', '--data', data])
  for (const file of readdirSync(data)) {
    if (file.endsWith('.json')) writeFileSync(join(data, file), '{"tokenSecret":"s3cr3t')
  }
  const ran = await cli(['sandbox', 'status', '--data', data])
  expect(ran).toMatchObject({exit: 14, stdout: ''})
  expect(ran.stderr).toContain('why: it is truncated at line 1, column 23')
  expect(ran.stderr).not.toContain('s3cr3t')
  expect(ran.stderr).toContain('sandbox reset')
  expect((await cli(['sandbox', 'reset', '--data', data])).exit).toBe(0)
  expect((await cli(['sandbox', 'status', '--data', data])).exit).toBe(0)
})
