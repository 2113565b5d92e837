import {describe, expect, test} from 'vitest'
import type {Transport, WireResponse} from '../../../src/api/http/wire/transport.js'
import {lost, page, reply, sandboxOf} from '../answers.js'
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
  test('is sent once, ends as unknown, and names the command that tells', async () => {
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

  test('is not sent again by any command while the container lists its name, but with --fresh', async () => {
    const own = await bench()
    const file = own.file('empty.bundle', 0)
    await own.upload([file], [], {transport: replacing(own, 'POST', drop)})
    for (const line of [['asset', 'resume'], sync(own)]) {
      const {exit, stderr, sent} = await own.cli(line)
      expect({line, exit, creates: creates(sent)}).toEqual({line, exit: 7, creates: []})
      expect(stderr).toMatch(/try: roomctl asset show games\/puzzle\/\S+; if it is another file: .*--fresh/u)
    }
    const again = await own.upload([file], ['--fresh'])
    expect({exit: again.exit, creates: creates(again.sent).length}).toEqual({exit: 0, creates: 1})
  })

  test('is sent again where the container lists nothing of its name', async () => {
    const own = await bench()
    const file = own.file('a.bundle', 10)
    await own.upload([file], [], {transport: replacing(own, 'POST', drop)})
    const again = await own.upload([file], ['-o', 'json'])
    expect(JSON.parse(again.stdout)).toMatchObject([{outcome: 'done', sha256: file.sha256}])
  })
})

describe('a container that cannot be listed', () => {
  test.each([
    ['refuses', () => reply('', {status: 403})],
    ['fails', () => reply('', {status: 500})],
    ['answers with a page', () => page(200)],
    ['answers with half of its JSON', () => reply('{"resources":', {status: 200})],
  ])('stops a run that would send a file again when it %s; --fresh sends it', async (_, instead) => {
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
      expect(stderr).toContain('--fresh')
      expect(await run('--fresh')).toMatchObject({exit: 0})
    }
  })
})
