import {describe, expect, test} from 'vitest'
import type {Transport, WireResponse} from '../../../src/api/http/wire/transport.js'
import {everyCase} from '../../support/everyCase.js'
import {lost, page, reply, sandboxOf} from '../answers.js'
import {listingUnfinished} from './unfinished.js'
import {type Bench, bench, creates} from './uploads.js'

/** The sandbox, whose answers to requests of a method are taken by `instead`. */
function replacing(own: Bench, method: string, instead: (answer: WireResponse) => WireResponse): Transport {
  const sandbox = sandboxOf(own.store)
  return async (request) => {
    const answer = await sandbox(request)
    return request.method === method ? instead(answer) : answer
  }
}

function drop(): never {
  throw lost('reset', 'maybe')
}

const sync = (own: Bench, ...more: string[]) => [
  ...['asset', 'sync', 'games/puzzle', `${own.home}/work`, '--platform', 'ios', '--description', 'd', ...more],
]

describe('an upload whose creation is not answered', () => {
  test('is sent once, ends as unknown, and names the command that shows whether it was made', async () => {
    const own = await bench()
    const transport = replacing(own, 'POST', drop)
    const ran = await own.upload([own.file('a.bundle', 10)], ['-o', 'json'], {transport})
    expect(creates(ran.sent)).toHaveLength(1)
    expect(JSON.parse(ran.stderr.slice(ran.stderr.indexOf('{'))).error).toMatchObject({
      outcome: 'unknown',
      try: expect.stringContaining('roomctl asset list games/puzzle'),
    })
    const {stdout} = await own.cli(['history', '-o', 'json'])
    expect(JSON.parse(stdout)).toMatchObject([{operation: 'asset.upload', outcome: 'unknown'}])
  })

  test('is done, and not sent again, where the container lists it with the same bytes', async () => {
    for (const command of ['resume', 'upload', 'sync']) {
      const own = await bench()
      const file = own.file('empty.bundle', 0)
      await own.upload([file], [], {transport: replacing(own, 'POST', drop)})
      const lines = {resume: ['asset', 'resume'], sync: sync(own)}
      const ran = await (command === 'upload' ? own.upload([file]) : own.cli(Reflect.get(lines, command)))
      expect({command, exit: ran.exit, creates: creates(ran.sent)}).toEqual({command, exit: 0, creates: []})
      expect(ran.stderr).toContain('nothing uploaded in 0ms, 1 unchanged')
    }
  })

  test('is created again where the container lists another of its name, with a warning if HEAD does not tell', async () => {
    for (const head of [200, 405]) {
      for (const command of ['resume', 'sync', 'upload']) {
        const own = await bench()
        await own.upload([own.file('a.bundle', 11)], ['--state-dir', `${own.home}/other`])
        const file = own.file('a.bundle', 10)
        await own.upload([file], [], {transport: replacing(own, 'POST', drop)})
        const transport = replacing(own, 'HEAD', (answer) => (head === 200 ? answer : page(head)))
        const lines = {resume: ['asset', 'resume'], sync: sync(own)}
        const ran = await (command === 'upload'
          ? own.upload([file], [], {transport})
          : own.cli(Reflect.get(lines, command), {transport}))
        expect({command, exit: ran.exit, creates: creates(ran.sent).length}).toEqual({command, exit: 0, creates: 1})
        expect(/may be it, whole or in part/u.test(ran.stderr), ran.stderr).toBe(head === 405)
      }
    }
  })

  test('is resumed where the service lists it though it has no bytes yet', async () => {
    for (const shown of [undefined, {dataUrl: null}, {}]) {
      const own = await bench()
      const file = own.file('a.bundle', 10)
      await own.upload([file], [], {transport: replacing(own, 'POST', drop)})
      const ran = await own.upload([file], ['-o', 'json'], {transport: listingUnfinished(own, shown)})
      expect({exit: ran.exit, creates: creates(ran.sent)}, ran.stderr).toEqual({exit: 0, creates: []})
      expect(JSON.parse(ran.stdout)).toMatchObject([{outcome: 'done', sha256: file.sha256, resumed_from: 0}])
    }
  })

  test('is not called another one if the listed bytes cannot be read', async () => {
    const own = await bench()
    await own.upload([own.file('a.bundle', 11)], ['--state-dir', `${own.home}/other`])
    const file = own.file('a.bundle', 10)
    await own.upload([file], [], {transport: replacing(own, 'POST', drop)})
    const sandbox = sandboxOf(own.store)
    const transport: Transport = async (request) =>
      request.url.pathname.startsWith('/asset-data/') ? reply('', {status: 503}) : sandbox(request)
    const {exit, stderr, sent} = await own.upload([file], [], {transport})
    expect({exit, creates: creates(sent)}).toEqual({exit: 9, creates: []})
    expect(stderr).toContain('answered HTTP 503 for the bytes')
    expect(stderr).not.toMatch(/asset forget|--fresh/u)
    expect((await own.upload([file])).exit).toBe(0)
  })

  test('is sent again where the container lists nothing of its name', async () => {
    const own = await bench()
    const file = own.file('a.bundle', 10)
    await own.upload([file], [], {transport: replacing(own, 'POST', drop)})
    const again = await own.upload([file], ['-o', 'json'])
    expect(JSON.parse(again.stdout)).toMatchObject([{outcome: 'done', sha256: file.sha256}])
  })
})

/** Treatments of the creation of an empty file, which completes it, by a service or a proxy. */
const faults: readonly [string, {makes: boolean; answers: () => WireResponse; outcome: 'none' | 'unknown'}][] = [
  ['reset before', {makes: false, answers: () => fail(lost('refused', 'no')), outcome: 'none'}],
  ['reset after', {makes: true, answers: drop, outcome: 'unknown'}],
  ...[403, 408, 500, 502, 503, 504].flatMap((status) =>
    [true, false].map((makes): (typeof faults)[number] => [
      `${status}, ${makes ? 'made' : 'not made'}`,
      {makes, answers: () => page(status), outcome: 'unknown'},
    ]),
  ),
  ...[true, false].map((makes): (typeof faults)[number] => [
    `503 with Retry-After, ${makes ? 'made' : 'not made'}`,
    {makes, answers: () => page(503, {'retry-after': '1'}), outcome: 'unknown'},
  ]),
  ['429', {makes: false, answers: () => page(429), outcome: 'none'}],
  ['a refusal', {makes: false, answers: () => reply('{}', {status: 403}), outcome: 'none'}],
  ['425 in JSON', {makes: true, answers: () => reply('{}', {status: 425}), outcome: 'unknown'}],
  ...[200, 202, 204].map((status): (typeof faults)[number] => [
    `${status}, empty`,
    {makes: true, answers: () => reply('', {status}), outcome: 'unknown'},
  ]),
  ['a page', {makes: true, answers: () => page(200), outcome: 'unknown'}],
]

function fail(error: Error): never {
  throw error
}

test('for every outcome of a creation, error and journal agree, and only a refused one is repeated', () =>
  everyCase(faults, async (name, {makes, answers, outcome}) => {
    const own = await bench()
    const sandbox = sandboxOf(own.store)
    const transport: Transport = async (request) => {
      if (request.method !== 'POST') return sandbox(request)
      if (makes) await sandbox(request)
      return answers()
    }
    const ran = await own.upload([own.file('empty.bundle', 0)], ['-o', 'json', '--retries', '1'], {transport})
    const [entry] = JSON.parse((await own.cli(['history', '-o', 'json'])).stdout)
    const {error} = JSON.parse(ran.stderr.slice(ran.stderr.indexOf('{"error')))
    const isRepeated = ['reset before', '429'].includes(name)
    expect({
      isDone: ran.exit === 0,
      said: error.outcome,
      journal: entry.outcome,
      posts: creates(ran.sent).length,
    }).toEqual({
      isDone: false,
      said: outcome,
      journal: outcome === 'none' ? 'failed' : 'unknown',
      posts: isRepeated ? 2 : 1,
    })
  }))

test('a creation amid which the run is interrupted is unknown to the journal', async () => {
  const own = await bench()
  const controller = new AbortController()
  const transport = replacing(own, 'POST', () => {
    controller.abort()
    throw lost('aborted', 'maybe')
  })
  const {exit} = await own.upload([own.file('empty.bundle', 0)], [], {transport, signal: controller.signal})
  expect(exit).toBe(130)
  const {stdout} = await own.cli(['history', '-o', 'json'])
  expect(JSON.parse(stdout)).toMatchObject([{operation: 'asset.upload', outcome: 'unknown'}])
})

test('without a token a run fails as asset list does, and advises nothing that would send files twice', async () => {
  const own = await bench()
  const file = own.file('a.txt', 10)
  const env = {ROOMCTL_PROFILE: 'ci', ROOMCTL_ASSET_URL: 'https://assets.example.com'}
  const words = ['--profile', 'ci']
  const listed = await own.cli(['asset', 'list', 'games/puzzle', ...words], {env})
  expect(listed.exit).toBe(3)
  for (const ran of [await own.upload([file], words, {env}), await own.cli(sync(own, ...words), {env})])
    expect(ran).toMatchObject({exit: 3, stderr: listed.stderr, stdout: '', sent: []})
})

test.each([
  ['refuses', () => reply('', {status: 403})],
  ['fails', () => reply('', {status: 500})],
  ['answers with a page', () => page(200)],
  ['answers with half of its JSON', () => reply('{"resources":', {status: 200})],
])('a container that cannot be listed stops a run when it %s, and --fresh is not advised', async (_, instead) => {
  const own = await bench()
  const file = own.file('a.bundle', 10)
  await own.upload([file])
  const where = {transport: replacing(own, 'GET', instead)}
  const upload = (...more: string[]) => own.upload([file], ['--verify', 'none', ...more], where)
  const synced = (...more: string[]) => own.cli(sync(own, '--verify', 'none', ...more), where)
  for (const run of [upload, synced]) {
    const {exit, stdout, stderr, sent} = await run()
    expect({isRefused: exit !== 0, stdout, creates: creates(sent)}).toEqual({
      isRefused: true,
      stdout: '',
      creates: [],
    })
    expect(stderr).toContain('; nothing was sent')
    expect(stderr).not.toContain('--fresh')
    expect(await run('--fresh')).toMatchObject({exit: 0})
  }
})
