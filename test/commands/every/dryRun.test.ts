import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Transport} from '../../../src/api/http/wire/transport.js'
import {cli, demoStore, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {named, remarks} from '../../support/operations.js'
import {always, lost, page, refusal} from '../answers.js'
import {live} from '../live.js'

/** What stands before the request where a credential is registered. */
const before: Readonly<Record<string, RegExp>> = {
  'push.iosKey': /^KEY7654321 would be registered in app-2\nnothing would be replaced\n$/u,
  'push.iosCertificate':
    /^the certificate for com\.example\.rooms would be registered in app-2\nnothing would be replaced\n$/u,
  'push.android': /^package com\.example\.rooms would be registered in app-2\nnothing would be replaced\n$/u,
}

describe('--dry-run of every change', () => {
  test('shows the request and sends no change', () =>
    everyCase(named, async (operation, change) => {
      const {line, method, path, body} = {...change, ...change.shown}
      const home = freshHome()
      const ran = await cli([...line, '--dry-run'], {home})
      expect(ran).toMatchObject({exit: 0, asked: []})
      expect(remarks(change, ran)).toBe('')
      expect(ran.sent.filter((request) => request.method !== 'GET')).toEqual([])
      const [, what = '', request = ''] = /^(.*?)(would send: .*)$/su.exec(ran.stdout) ?? []
      const [first, ...lines] = request.split('\n')
      expect(what).toMatch(before[operation] ?? /^(?:(?:would be accepted|the service decides): .+\n)?$/u)
      expect(first).toBe(`would send: ${method} http://sandbox.localhost${path}`)
      expect(lines).toContain(`  ${JSON.stringify(body)}`)
      expect(ran.stdout).not.toMatch(/^ *(?:authorization|accept|accept-encoding|content-type|content-length): /mu)
      expect(ran.stdout).not.toContain('sandbox-application-token')
      expect(existsSync(join(home, '.local/state/roomctl'))).toBe(false)
    }))

  test('says the same as JSON', () =>
    everyCase(named, async (operation, change) => {
      const {line, method, path, body} = {...change, ...change.shown}
      const ran = await cli([...line, '--dry-run', '-o', 'json'])
      expect(ran.exit).toBe(0)
      expect(remarks(change, ran)).toBe('')
      const [plan, ...others] = JSON.parse(ran.stdout)
      expect(others).toEqual([])
      expect(plan).toMatchObject({dry_run: true, operation, method, url: `http://sandbox.localhost${path}`, body})
      expect(plan.headers.authorization).toBe('Bearer ***')
    }))

  test('needs no confirmation, not even on a protected profile', () =>
    everyCase(named, async (_, change) => {
      const service = await live({protected: true})
      const ran = await service.cli([...change.line, '--dry-run'])
      expect(ran).toMatchObject({exit: 0, asked: []})
      expect(remarks(change, ran)).toBe('')
      expect(service.arrived.filter((request) => !request.startsWith('GET '))).toEqual([])
    }))

  test('is allowed on a read-only profile, for it sends no change', async () => {
    const service = await live({readOnly: true})
    expect((await service.cli('room end r-standup --dry-run')).exit).toBe(0)
  })
})

describe('--dry-run says what would be refused', () => {
  test.each([
    ['room end r-review', 'would be refused: the room is IDLE; it is allowed in MEETING (ER001)'],
    ['room delete r-standup', 'would be refused: the room is MEETING; it is allowed in RESERVED (D001)'],
    [
      'room delete r-retro',
      'the service decides: the room is ENDED: one text allows it, the unified-version text allows only RESERVED (not documented)',
    ],
    ['room end r-standup --as ben', 'would be refused: ben is not the host of the room (CE003)'],
    ['room end r-standup --as zoe', 'would be refused: zoe is not on the attendee list of the room (CE002)'],
    ['room end r-standup', 'would be accepted: the room is MEETING'],
    [
      'room update r-retro --name X',
      'would be refused: the room is ENDED; it is allowed in RESERVED and MEETING and IDLE (U001)',
    ],
    [
      'room update r-standup --start 2026-12-02T09:00Z --no-joinable',
      'would be refused: reserved_start_time, is_joinable cannot change in a room that is MEETING (probably U001)' +
        '; also, the reservation would end at 2026-12-01T12:20:00Z, not after its start at 2026-12-02T09:00:00.000Z (CE001, not documented)',
    ],
    ['room delegate r-standup ann', 'would be refused: ann is the host already (CE001)'],
    ['room delegate r-standup eve', 'would be refused: eve is not present in the room (CE001)'],
    ['room delegate r-standup zoe', 'would be refused: zoe is not on the attendee list of the room (CE002)'],
    ['attendee block r-standup ann', 'would be refused: ann is the host and cannot be blocked (probably CE003)'],
    ['attendee block r-standup ben eve', 'would be refused: not present in the room: eve (BR001)'],
    ['attendee block r-review ben', 'would be refused: the room is IDLE; it is allowed in MEETING (BR001)'],
    ['attendee restore r-retro ben', 'would be refused: the room is ENDED; it is allowed in MEETING and IDLE (BA001)'],
    [
      'attendee add r-retro zoe',
      'would be refused: the room is ENDED; it is allowed in RESERVED and MEETING and IDLE (AA002)',
    ],
    ['attendee add r-full zoe yuna', 'would be refused: the room would have 5 attendees, and its maximum is 3 (AA001)'],
    ['attendee add nope zoe', 'the service decides: cannot read room nope: room nope does not exist (CE002)'],
    ['attendee add r-full zoe', 'would be refused: the room would have 4 attendees, and its maximum is 3 (AA001)'],
    [
      'attendee token r-private zoe',
      'would be refused: the room is private, and zoe is not on its attendee list (T001)',
    ],
    [
      'attendee token r-retro ann',
      'would be refused: the room is ENDED; it is allowed in RESERVED and MEETING and IDLE (T002)',
    ],
    [
      'record start r-review',
      'would be refused: the room is IDLE; it is allowed in MEETING (probably FAILED_PRECONDITION)',
    ],
    [
      'room send r-standup hello --from ann',
      'the service decides: the room is MEETING: no state is named for it (not documented)',
    ],
    [
      'room presenter r-standup ben',
      'the service decides: the room is MEETING: no state is named for it (not documented)',
    ],
    [
      'record stop r-standup',
      'the service decides: the room is MEETING, and the service does not show whether a recording is running',
    ],
  ])('%s', async (line, verdict) => {
    const ran = await cli(`${line} --dry-run`)
    expect(ran.exit).toBe(0)
    expect(ran.stdout.split('\n')[0]).toBe(verdict)
  })

  test('of several rooms is the table of the question with the answers, refusals last, and one request', async () => {
    const ran = await cli('room end r-review r-standup nope r-first --dry-run')
    expect(ran).toMatchObject({exit: 0, stderr: '4 rooms on sandbox (built in): 1 yes, 1 unknown, 2 no (ER001)\n'})
    expect(ran.stdout).toBe(`\
ID         NAME              STATUS    PRESENT     AGE  ANSWER
r-standup  Daily standup     MEETING         3     24m  yes
nope       (not found)       -               -       -  unknown
r-review   Design review     IDLE            0      4h  no (ER001)
r-first    Open office hour  RESERVED        0  in 30m  no (ER001)

sample request:
  POST http://sandbox.localhost/media/v1/rooms/r-standup/end
  {"requester_id":"ann"}
`)
  })

  test('of several rooms cuts a name that would fill the screen', async () => {
    const store = await demoStore()
    await store.change(({rooms}) => {
      for (const room of rooms) room.name = 'N'.repeat(200_000)
    })
    const {stdout} = await cli('room end r-standup r-party --dry-run', {store})
    expect(stdout).toContain(`${'N'.repeat(300)}…`)
    expect(stdout.length).toBeLessThan(1200)
  })

  test('of several rooms shows whole requests and reasons with --debug', async () => {
    const ran = await cli('room end r-standup nope r-first r-review --dry-run --debug')
    expect(ran.exit).toBe(0)
    expect(ran.stdout.split('\n').filter((line) => /^(?:would|the service decides)/u.test(line))).toEqual([
      'would be accepted: the room is MEETING',
      'would send: POST http://sandbox.localhost/media/v1/rooms/r-standup/end',
      'the service decides: cannot read room nope: room nope does not exist (CE002)',
      'would send nothing for room.end',
      'would be refused: the room is RESERVED; it is allowed in MEETING (ER001)',
      'would send nothing for room.end',
      'would be refused: the room is IDLE; it is allowed in MEETING (ER001)',
      'would send: POST http://sandbox.localhost/media/v1/rooms/r-review/end',
    ])
  })

  test('of several rooms shows the chosen columns of its table alone, in the order of one of them', async () => {
    const line = 'room end r-review nope r-standup --dry-run'
    const sum = '3 rooms on sandbox (built in): 1 unknown, 1 yes, 1 no (ER001)\n'
    expect(await cli(`${line} --columns id,answer --no-header`)).toMatchObject({
      stdout: 'nope       unknown\nr-standup  yes\nr-review   no (ER001)\n',
      stderr: sum,
    })
    const sorted = await cli(`${line} --columns answer,id --sort=-answer`)
    expect(sorted.stdout.match(/\S+$/gmu)).toEqual(['ID', 'r-standup', 'nope', 'r-review'])
    expect(await cli(`${line} --columns method`)).toMatchObject({exit: 2, stdout: ''})
    expect((await cli(`${line} -o csv --columns method,url`)).stdout.split('\n')[0]).toBe('method,url')
  })

  test('of several rooms names the deployment on a terminal, and shows every row', async () => {
    const ids = Array.from({length: 60}, (_, at) => `r-${at}`)
    const ran = await cli(['room', 'end', ...ids, '--dry-run', '--max', '5'], {
      columns: 80,
      rows: 24,
      env: {NO_COLOR: '1'},
    })
    expect(ran.exit).toBe(0)
    expect(ran.stdout.match(/^r-\d+ +\(not found\) .* unknown$/gmu)).toHaveLength(60)
    expect(ran.stderr.split('\n')).toContain('60 rooms on sandbox (built in): 60 unknown')
  })

  test('without a request shows no sample', async () => {
    const {stdout} = await cli('room end r-first nope --dry-run')
    expect(stdout).not.toContain('sample')
  })

  test('of rooms gives the ids that would be changed with -q', async () => {
    expect(await cli('room end r-first --dry-run -q')).toMatchObject({stdout: '', stderr: ''})
    expect(await cli('room end r-standup r-first --dry-run -q')).toMatchObject({
      stdout: 'r-standup\n',
      stderr: '',
    })
  })

  test('of several rooms names those in which no user can act', async () => {
    expect((await cli('room delete r-first r-townhall --dry-run')).stdout).toMatch(/^r-first .* no \(no host\)$/mu)
  })

  test('of several pushes to cancel leaves the answer open', async () => {
    const {stdout, stderr} = await cli('push cancel u-1 u-2 --application-id app-1 --dry-run')
    expect(stdout.split('\n').slice(1, 3)).toEqual(['u-1   app-1        unknown', 'u-2   app-1        unknown'])
    expect(stdout.match(/^ {2}POST /gmu)).toHaveLength(1)
    expect(stderr).toBe('2 notifications on sandbox (built in): 2 unknown\n')
  })

  test('a room that cannot be read, whatever the reason, leaves the answer open', async () => {
    const reasons: [Transport, string][] = [
      [always(() => refusal('CE002', 'no such room')), 'no such room (CE002)'],
      [always(() => refusal('CE003', 'not yours')), 'not yours (CE003)'],
      [always(() => page(404)), 'HTTP 404'],
      [always(() => page(403)), 'HTTP 403'],
      [always(() => page(503)), 'HTTP 503'],
      [always(() => lost('refused', 'no')), 'the connection failed (refused)'],
    ]
    const lines: [string, number][] = [
      ['room end r-1', 1],
      ['room end r-1 --as ann', 1],
      ['room end r-1 r-2', 2],
      ['attendee add r-1 zoe', 1],
      ['attendee token r-1 zoe', 1],
    ]
    const cases = reasons.flatMap((reason) => lines.map((line) => [...reason, ...line] as const))
    await everyCase(cases, async (transport, why, line, rooms) => {
      const ran = await cli(`${line} --dry-run${rooms > 1 ? ' --debug' : ''}`, {transport, env: {ROOMCTL_RETRIES: '0'}})
      const verdicts = ran.stdout.split('\n').filter((text) => /^(would be|the service decides)/u.test(text))
      expect(ran.exit).toBe(0)
      expect(verdicts.map((text) => text.replace(/: cannot read room r-[12]: .*/u, ''))).toEqual(
        Array(rooms).fill('the service decides'),
      )
      expect(ran.stdout).toContain(why)
      if (rooms > 1) expect(ran.stdout.match(/^r-[12] +\(not (?:found|read)\) .* unknown$/gmu)).toHaveLength(rooms)
      expect(ran.sent.filter(({method}) => method !== 'GET')).toEqual([])
      expect(ran.stdout.includes('"requester_id":"ann"')).toBe(line.includes('--as'))
    })
  })

  test('a change that no user in the room can make is predicted, with the way out', async () => {
    const ran = await cli('room delete r-first --dry-run')
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout).toBe(
      'would be refused: the first to enter becomes host (FIRST_ENTER_USER), and nobody has entered yet\n' +
        'would send nothing for room.delete\n' +
        'name the requester with --as, or wait until somebody is host\n',
    )
  })
})
