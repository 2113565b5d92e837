import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Transport, WireRequest} from '../../src/api/http/wire/transport.js'
import {cli, demoStore, freshHome} from '../support/cli.js'
import {lost, refusal, sandboxOf} from './answers.js'

const changesOf = (sent: readonly {readonly method: string; readonly path: string}[]) =>
  sent.filter(({method}) => method !== 'GET').map(({path}) => path)

const end = (id: string) => `/media/v1/rooms/${id}/end`

describe('Ctrl-C in the middle', () => {
  /** Pressed during this request. */
  async function interruptedAt(
    method: string,
    path: string,
    answer: (sandbox: Transport) => Transport = (sandbox) => sandbox,
  ): Promise<{transport: Transport; signal: AbortSignal}> {
    const sandbox = sandboxOf(await demoStore())
    const controller = new AbortController()
    const transport: Transport = async (request) => {
      if (request.method !== method || request.url.pathname !== path) return sandbox(request)
      controller.abort()
      if (request.signal?.aborted) throw lost('aborted', 'maybe')
      return answer(sandbox)(request)
    }
    return {transport, signal: controller.signal}
  }

  const line = 'room end r-standup r-support r-test-1 --yes --concurrency 1'
  const untried = (id: string) => ({
    room_id: id,
    outcome: 'not-tried',
    requester_id: null,
    reason: 'not started: interrupted',
  })

  test('stops sending changes, says so and exits 130', async () => {
    const ran = await cli(`${line} -o json`, await interruptedAt('GET', '/media/v1/rooms/r-support'))
    expect(ran.exit).toBe(130)
    expect(JSON.parse(ran.stdout)).toEqual([
      {room_id: 'r-standup', outcome: 'done', requester_id: 'ann'},
      untried('r-support'),
      untried('r-test-1'),
    ])
    expect(changesOf(ran.sent)).toEqual([end('r-standup')])
  })

  test('lets the running change finish', async () => {
    const ran = await cli(`${line} -o json`, await interruptedAt('POST', end('r-support')))
    expect(ran.exit).toBe(130)
    expect(JSON.parse(ran.stdout)).toEqual([
      {room_id: 'r-standup', outcome: 'done', requester_id: 'ann'},
      {room_id: 'r-support', outcome: 'done', requester_id: 'carl'},
      untried('r-test-1'),
    ])
  })

  test('tells a person at once that it was received, and how many were not tried', async () => {
    const ran = await cli(line, await interruptedAt('POST', end('r-support')))
    expect(ran.stderr).toBe(
      'finishing 1 request, skipping the rest; Ctrl-C again to stop now\n' +
        '2 ended, 1 not started in 0.0 s\nto resume, run the same command again\n',
    )
  })

  test('leaves a screen that ends with failures, the number not started, and how to resume', async () => {
    const words = [...'room end r-review r-standup r-support r-test-1 r-test-2 --yes --concurrency 1'.split(' ')]
    const here = {columns: 80, rows: 24, env: {NO_COLOR: '1'}, home: freshHome()}
    const ran = await cli(words, {...(await interruptedAt('POST', end('r-support'))), ...here})
    expect(ran.exit).toBe(130)
    expect(ran.stdout.split('\n').map((line) => line.split(/ +/u).slice(0, 2).join(' '))).toEqual([
      'ID OUTCOME',
      'r-standup done',
      'r-support done',
      'r-review failed',
      ...Array(ran.stdout.split('\n').length - 4).fill(expect.stringMatching(/^(?! r-)/u)),
    ])
    expect(ran.stdout).not.toContain('r-test-1')
    expect(ran.stderr.split('\n').slice(-6)).toEqual([
      '2 not started: interrupted',
      '2 ended, 1 failed (ER001), 2 not started in 0.0 s',
      '  service: room r-review is IDLE; this needs MEETING',
      '  try: roomctl room delete r-review',
      'to resume, run the same command again',
      '',
    ])
  })

  test('sends nothing a second time', async () => {
    const busy = () => async () => refusal('CE101')
    const ran = await cli(`${line} -o json`, await interruptedAt('POST', end('r-support'), busy))
    expect(ran.exit).toBe(130)
    expect(JSON.parse(ran.stdout)).toMatchObject([{outcome: 'done'}, {outcome: 'failed', error: {code: 'CE101'}}, {}])
    expect(changesOf(ran.sent)).toEqual([end('r-standup'), end('r-support')])
  })

  test('still finds out the outcome of a change whose answer is lost', async () => {
    const applied = (sandbox: Transport) => async (request: WireRequest) => {
      await sandbox(request)
      throw lost('reset', 'maybe')
    }
    const ran = await cli(`${line} -o json`, await interruptedAt('POST', end('r-support'), applied))
    expect(JSON.parse(ran.stdout)).toMatchObject([{outcome: 'done'}, {outcome: 'done'}, {outcome: 'not-tried'}])
  })

  test('before anything sends nothing', async () => {
    const ran = await cli('room end r-standup r-support --yes -o json', {signal: AbortSignal.abort()})
    expect(ran.exit).toBe(130)
    expect(JSON.parse(ran.stdout).map(({outcome}: {outcome: string}) => outcome)).toEqual(['not-tried', 'not-tried'])
    expect(ran.sent).toEqual([])
  })

  test('of a single change reports an unknown outcome, and the command that shows it', async () => {
    const ran = await cli('room end r-standup --yes', await interruptedAt('POST', end('r-standup')))
    expect(ran).toMatchObject({exit: 130, stdout: ''})
    expect(ran.stderr).toContain('error: room r-standup may have been ended: interrupted\n')
    expect(ran.stderr).toContain('roomctl room show r-standup')
  })
})

describe('the second Ctrl-C', () => {
  const said = async (line: string) => {
    const leaving = new AbortController()
    let arrived = 0
    const transport: Transport = async ({method}) => {
      if (method !== 'GET') arrived += 1
      if (arrived === 3) leaving.abort()
      throw lost('reset', 'maybe')
    }
    return (await cli(line, {transport, leaving: leaving.signal})).stderr.split('\n')[0] ?? ''
  }
  const bulk = 'room end r-1 r-2 r-3 --as ann --yes --concurrency 3'
  const changes = '3 changes may have been made: end room r-1, end room r-2, end room r-3'

  test('names in one line possible changes, and where to look', async () => {
    expect(await said(bulk)).toBe(`error: interrupted; ${changes}; see: roomctl history --outcome unknown`)
  })

  test('does so as the error object under a machine format', async () => {
    const {error} = JSON.parse(await said(`${bulk} -o json`))
    expect(error).toMatchObject({code: 'interrupted', message: `interrupted; ${changes}`, outcome: 'unknown'})
    expect(error).toMatchObject({try: 'roomctl history --outcome unknown', exit_code: 130})
  })

  test('names a raw request, too, and the journal has it', async () => {
    const [home, leaving] = [freshHome(), new AbortController()]
    const transport: Transport = async () => {
      leaving.abort()
      throw lost('reset', 'maybe')
    }
    const ran = await cli('api room POST /v1/x', {home, transport, leaving: leaving.signal})
    expect(ran.stderr).toMatch(/^error: interrupted; 1 change may have been made: call POST \/v1\/x; see: /u)
    const [line = ''] = readFileSync(join(home, '.local/state/roomctl/journal.ndjson'), 'utf8').split('\n')
    expect(JSON.parse(line)).toMatchObject({operation: 'api', outcome: 'unknown', code: 'interrupted'})
  })
})
