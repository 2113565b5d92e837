import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {WireRequest, WireResponse} from '../../../src/api/http/wire/transport.js'
import {everyCase} from '../../support/everyCase.js'
import {always, reply, sandboxOf} from '../answers.js'
import {cutOff, known, ledgerText} from './cutOff.js'
import {bench, creates, patches, watched} from './uploads.js'

/** The sandbox, which refuses to begin uploads of files of these names. */
function refusing(own: Awaited<ReturnType<typeof bench>>, names: Readonly<Record<string, number>>) {
  const sandbox = sandboxOf(own.store)
  return async (request: WireRequest): Promise<WireResponse> => {
    const status = request.method === 'POST' ? names[request.headers.Original_File_Name ?? ''] : undefined
    return status === undefined ? sandbox(request) : reply('', {status})
  }
}

describe('of several files', () => {
  test('one that fails leaves the others done, its reason once, in its row, and exit 11', async () => {
    const own = await bench()
    const files = ['a', 'b', 'c'].map((name) => own.file(`${name}.bundle`, 10))
    const where = {transport: refusing(own, {'b.bundle': 403})}
    const {exit, stdout, stderr} = await own.upload(files, ['-o', 'json'], where)
    expect(exit).toBe(11)
    const rows = JSON.parse(stdout)
    expect(rows.map(({outcome}: {outcome: string}) => outcome)).toEqual(['done', 'failed', 'done'])
    expect(rows[1]).toMatchObject({uuid: null, bytes: null, error: {http_status: 403, exit_code: 5}})
    const [summary, rest] = stderr.trimEnd().split('\n').slice(-2)
    expect(summary).toBe('uploaded 2 files, 20 B in 0ms, 1 failed (forbidden)')
    expect(rest).toBe('to resume the rest, run the same command again')
    const table = await own.upload(files, ['--fresh'], where)
    expect(table.stderr).not.toContain('error:')
    expect(table.stderr).toContain('to resume the rest, run the same command again without --fresh\n')
    expect(table.stdout).toMatch(/ failed .* the service answered HTTP 403/u)
    const again = await own.upload(files, [], where)
    expect(again.stderr).toContain('nothing uploaded in 0ms, 2 unchanged, 1 failed')
    expect(again.stdout).toMatch(/b\.bundle .* failed .* the service answered HTTP 403/u)
  })

  test('none is started where the listing before them refuses the token', async () => {
    const own = await bench()
    const files = ['a', 'b'].map((name) => own.file(`${name}.bundle`, 10))
    const {exit, stdout, sent} = await own.upload(files, ['-o', 'json'], {
      transport: always(() => reply('', {status: 401})),
    })
    expect({exit, stdout, creates: creates(sent)}).toEqual({exit: 4, stdout: '', creates: []})
  })
})

test.each([
  ['the token', 'sandbox-application-token', 'the service puts the token into the addresses of uploads'],
  ['a query', 'version-1', 'the addresses of uploads are outside their container or have a query'],
])('an address that holds %s is used and not kept', async (_, token, why) => {
  const own = await bench()
  const sandbox = sandboxOf(own.store)
  const leaking = async (request: WireRequest): Promise<WireResponse> => {
    const url = new URL(request.url)
    url.searchParams.delete('t')
    const answer = await sandbox({...request, url})
    const {location} = answer.headers
    return location ? {...answer, headers: {...answer.headers, location: `${location}?t=${token}`}} : answer
  }
  const file = own.file('a.bundle', 10)
  const {exit, stdout, stderr, sent} = await own.upload([file], ['-o', 'json'], {transport: leaking})
  expect(exit).toBe(0)
  expect(patches(sent)[0]?.path).toContain(`?t=${token}`)
  expect(JSON.parse(stdout)[0]).toMatchObject({outcome: 'done', sha256: file.sha256})
  expect(stderr).toContain(`${why}, so they are not kept`)
  const ledger = readFileSync(join(own.home, '.local/state/roomctl/uploads/uploads.jsonl'), 'utf8')
  expect(ledger).toContain('a.bundle')
  for (const text of [ledger, stdout, stderr]) expect(text).not.toContain(token)
})

test('an upload whose uuid holds the token is done, and in no ledger, journal or lock', async () => {
  const own = await bench()
  const sandbox = sandboxOf(own.store)
  const token = 'sandbox-application-token'
  let uuid = ''
  const leaking = async (request: WireRequest): Promise<WireResponse> => {
    const answer = await sandbox({...request, url: new URL(request.url.href.replace(token, uuid))})
    const {location} = answer.headers
    if (!location) return answer
    uuid = location.split('/').at(-1) ?? ''
    return {...answer, headers: {...answer.headers, location: location.replace(uuid, token)}}
  }
  const where = {transport: leaking}
  const file = own.file('a.bundle', 10)
  const uploaded = await own.upload([file], ['-o', 'json', '--verify', 'none'], where)
  expect(uploaded.exit).toBe(0)
  expect(uploaded.stderr).toContain('the service puts the token into the addresses of uploads, so they are not kept')
  const [change] = JSON.parse((await own.cli(['history', '-o', 'json'])).stdout)
  expect(change.targets).toEqual({container: 'games/puzzle', name: 'a.bundle', platform: 'ios'})
  const synced = await own.cli(
    ['asset', 'sync', 'games', join(own.home, 'work'), '--platform', 'ios', '--verify', 'none'],
    where,
  )
  expect(synced.exit).toBe(0)
  const kept = ['uploads/uploads.jsonl', 'journal.ndjson'].map((name) =>
    readFileSync(join(own.home, '.local/state/roomctl', name), 'utf8'),
  )
  const {stdout: history} = await own.cli(['history', '-o', 'json'])
  for (const text of [...kept, history, uploaded.stdout, uploaded.stderr, synced.stdout, synced.stderr]) {
    expect(text).not.toContain(token)
  }
  expect(JSON.parse((await own.cli(['asset', 'uploads', '--all', '-o', 'json'])).stdout)).toEqual([])
})

test('a creation that the service refuses leaves nothing to resume, and a finished upload finished', async () => {
  const own = await bench()
  const file = own.file('a.bundle', 10)
  const where = {transport: refusing(own, {'a.bundle': 403})}
  const uploads = async () => JSON.parse((await own.cli(['asset', 'uploads', '--all', '-o', 'json'])).stdout)
  expect((await own.upload([file], [], where)).exit).toBe(5)
  expect(await uploads()).toEqual([])
  expect((await own.upload([file], [])).exit).toBe(0)
  const done = await uploads()
  expect(done).toMatchObject([{state: 'done'}])
  expect((await own.upload([file], ['--fresh'], where)).exit).toBe(5)
  expect(await uploads()).toEqual(done)
})

test('a single file that fails ends with its own exit, as one error', async () => {
  const own = await bench()
  const where = {transport: refusing(own, {'a.bundle': 413})}
  const {exit, stdout, stderr} = await own.upload([own.file('a.bundle', 10)], ['-o', 'json'], where)
  expect({exit, stdout}).toEqual({exit: 8, stdout: ''})
  expect(JSON.parse(stderr).error).toMatchObject({http_status: 413, exit_code: 8})
})

test('a single file whose upload is cut says what the service keeps of it', async () => {
  const own = await bench()
  const sandbox = sandboxOf(own.store)
  let chunks = 0
  const transport = async (request: WireRequest) => {
    if (request.method === 'PATCH') chunks += 1
    return chunks > 2 ? reply('', {status: 503}) : sandbox(request)
  }
  const more = ['--chunk-size', '64KiB', '--retries', '0']
  const ran = await own.upload([own.file('a.bundle', 256 * 1024)], more, {transport})
  expect(ran).toMatchObject({exit: 9, stdout: ''})
  expect(ran.stderr).toMatch(/\n {2}why: .*; kept 50 % of 256\.0 KiB\n/u)
})

describe('an upload of an earlier run that the service refuses', () => {
  /** The second run of an upload that was cut: requests to the address of the first are answered with these statuses. */
  async function secondRun(statuses: Readonly<Record<string, number>>) {
    const own = await bench()
    const file = own.file('a.bundle', 256 * 1024)
    await cutOff(own, [file], 2, ['--retries', '0'])
    const [before] = await known(own)
    const uuid = /"url":"[^"]*\/([^"/]+)"/u.exec(ledgerText(own))?.[1] ?? ''
    const sandbox = sandboxOf(own.store)
    const transport = async (request: WireRequest) => {
      const {method, url} = request
      const status = statuses[url.pathname.endsWith(`/${uuid}`) ? method : `${method} ${url.pathname}`]
      return status === undefined ? sandbox(request) : reply('{"message":"no"}', {status})
    }
    return {id: before?.id, ran: await own.upload([file], ['--chunk-size', '64KiB'], {transport})}
  }

  test('starts over with a warning if it may be gone, and the container can be read', () =>
    everyCase([{HEAD: 404, PATCH: 404}, {HEAD: 410}, {HEAD: 403}, {HEAD: 405, PATCH: 404}], async (statuses) => {
      const {ran} = await secondRun(statuses)
      expect(ran.exit).toBe(0)
      expect(ran.stderr).toMatch(/^warning: \S+a\.bundle starts over: the service no longer knows the upload$/mu)
    }))

  test('ends with the command that lets it start over, or with what the refusal says of the token', () =>
    everyCase(
      [
        {statuses: {HEAD: 400}, exit: 8, isForget: true},
        {statuses: {PATCH: 422}, exit: 8, isForget: true},
        {statuses: {HEAD: 405, PATCH: 403}, exit: 5, isForget: true},
        {statuses: {PATCH: 403}, exit: 5, isForget: false},
        {statuses: {HEAD: 403, 'POST /asset/games/puzzle': 403}, exit: 5, isForget: false},
      ],
      async ({statuses, exit, isForget}) => {
        const {id, ran} = await secondRun(statuses)
        expect([ran.exit, ran.stderr.includes(`roomctl asset forget ${id}`)]).toEqual([exit, isForget])
      },
    ))
})

test('a Location that cannot be used ends the run with one error and one empty upload', () =>
  everyCase(
    [
      {location: 'http://10.0.0.5:8080/asset/games/puzzle/u', code: 'foreign-location', advice: 'X-Forwarded-Host'},
      {location: '/files/u', code: 'foreign-location', advice: 'X-Forwarded-Proto'},
      {location: 'http://', code: 'broken-answer', advice: 'roomctl asset list games/puzzle'},
      {location: '', code: 'broken-answer', advice: 'roomctl asset list games/puzzle'},
    ],
    async ({location, code, advice}) => {
      const own = await bench()
      const sandbox = sandboxOf(own.store)
      const transport = async (request: WireRequest) => {
        const answer = await sandbox(request)
        return answer.headers.location ? {...answer, headers: {...answer.headers, location}} : answer
      }
      const files = ['a', 'b', 'c'].map((name) => own.file(`${name}.bundle`, 10))
      const {stdout, stderr, sent} = await own.upload(files, ['-o', 'json'], {transport})
      const rows: {outcome: string}[] = JSON.parse(stdout)
      expect([creates(sent).length, ...rows.map(({outcome}) => outcome)]).toEqual([
        1,
        'failed',
        'not-tried',
        'not-tried',
      ])
      expect(rows[0]).toMatchObject({error: {code, try: expect.stringContaining(advice)}})
      expect(stderr).not.toContain('asset.url')
    },
  ))

test('a file that the service keeps under another name has failed, and its row has its uuid', async () => {
  const own = await bench()
  const sandbox = sandboxOf(own.store)
  const transport = (request: WireRequest) => {
    const {Original_File_Name: name, ...others} = request.headers
    return sandbox(
      name === 'b.bundle' ? {...request, headers: {...others, Original_File_Name: 'other.bundle'}} : request,
    )
  }
  const files = ['a', 'b'].map((name) => own.file(`${name}.bundle`, 10))
  const {exit, stdout} = await own.upload(files, ['-o', 'json'], {transport})
  expect(exit).toBe(11)
  expect(JSON.parse(stdout)[1]).toMatchObject({
    uuid: expect.stringMatching(/./u),
    outcome: 'failed',
    error: {code: 'stored-otherwise', outcome: 'applied'},
  })
  expect((await own.upload(files, ['-q'], {transport})).stdout.trim().split('\n')).toHaveLength(1)
})

describe('Ctrl-C', () => {
  /** Interrupts a run of two files when the third chunk of the first one has arrived. */
  async function interrupted() {
    const own = await bench()
    const files = [own.file('a.bundle', 256 * 1024), own.file('b.bundle', 10)]
    const controller = new AbortController()
    let chunks = 0
    const transport = watched(own.store, ({method}) => {
      if (method === 'PATCH' && ++chunks === 3) controller.abort()
    })
    const more = ['--chunk-size', '64KiB', '--concurrency', '1', '-o', 'json']
    return await own.upload(files, more, {transport, signal: controller.signal})
  }

  test('ends with 130, lists finished files, and the line that resumes', async () => {
    const ran = await interrupted()
    expect(ran.exit).toBe(130)
    expect(JSON.parse(ran.stdout)).toMatchObject([{outcome: 'skipped'}, {outcome: 'not-tried'}])
    expect(ran.stderr).toContain('kept 50 % of 256.0 KiB in 0ms, 2 not finished\n')
    expect(ran.stderr).toContain('to resume the rest, run the same command again\n')
  })
})
