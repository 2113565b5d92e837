import {appendFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {enterSandboxRoom, leaveSandboxRoom} from '../../../src/sandbox/demo/scenarios.js'
import {cli, demoStore, noon} from '../../support/cli.js'
import {freshFolder} from '../../support/folder.js'
import {Screen} from '../../support/screen.js'
import {sandboxOf} from '../answers.js'

const folder = freshFolder()
let files = 0

function fileOf(...lines: readonly (object | string)[]): string {
  files += 1
  const file = path.join(folder, `events-${files}.ndjson`)
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('')
  writeFileSync(file, text)
  return file
}

const time = (seconds: number) => new Date(noon.getTime() + seconds * 1000).toISOString().replace('.000', '')
const seen = (at: number, present: string[], more: object = {}) => ({
  at: time(at),
  event: 'room-seen',
  after: time(at - 1),
  room_id: 'r-1',
  name: 'Standup',
  room_status: 'MEETING',
  host: null,
  present,
  service: 'one',
  run: time(at - 1),
  ...more,
})
const left = (user_id: string, at: number) => ({
  at: time(at),
  event: 'left',
  after: time(at - 5),
  room_id: 'r-1',
  name: null,
  user_id,
})
const joined = (user_id: string, at: number) => ({...left(user_id, at), event: 'joined'})

test('what room watch records is read: who was there, from when to when, and how surely', async () => {
  const store = await demoStore()
  const sandbox = sandboxOf(store)
  const controller = new AbortController()
  let looks = 0
  const ran = await cli('room watch r-townhall r-standup --initial -o ndjson', {
    signal: controller.signal,
    onWait: async (ms) => {
      if (ms < 1000) return
      looks += 1
      if (looks === 2) await enterSandboxRoom(store, 'r-townhall', 'ann', noon)
      if (looks === 14) await leaveSandboxRoom(store, 'r-townhall', 'ann', noon)
      if (looks === 16) controller.abort()
    },
    transport: sandbox,
  })
  const file = fileOf(ran.stdout)
  const json = await cli(`room attendance ${file} -o json --room r-townhall`)
  expect(json).toMatchObject({exit: 0, stderr: ''})
  const [row, ...others] = JSON.parse(json.stdout)
  expect(others).toEqual([])
  expect(row).toMatchObject({room_id: 'r-townhall', user_id: 'ann', sessions: 1, unseen_minutes: 0})
  // Twelve pauses of five seconds, and up to a tenth more.
  expect(row.minutes_least).toBeGreaterThan(0.9)
  expect(row.minutes_most).toBeLessThan(1.3)
  expect(row.minutes_most).toBeGreaterThan(row.minutes_least)
  const table = await cli(`room attendance ${file}`)
  expect(table.stdout).toMatch(/^ROOM +USER +SESSIONS +FIRST +LAST +LEAST +MOST +UNSEEN\n/u)
  expect(table.stdout).toMatch(/r-standup +ben +1 .* \? +0\.00\n/u)
})

describe('recordings', () => {
  const first = [seen(0, ['ann']), left('ann', 60)]
  const second = [seen(100, ['ben']), left('ben', 160)]

  test('come in order, whatever the order of the files, and from stdin', async () => {
    const [one, two] = [fileOf(...first, seen(200, [])), fileOf(...second)]
    const {stdout} = await cli(`room attendance ${one} ${two} -o csv`)
    expect(stdout.trimEnd().split('\n')).toEqual([
      'room_id,user_id,sessions,first_seen,last_seen,minutes_least,minutes_most,unseen_minutes',
      'r-1,ann,1,2026-12-01T12:00:00Z,2026-12-01T12:00:55Z,0.91,,0',
      'r-1,ben,1,2026-12-01T12:01:40Z,2026-12-01T12:02:35Z,0.91,1.75,0.75',
    ])
    expect((await cli(`room attendance ${two} ${one} -o csv`)).stdout).toBe(stdout)
    expect((await cli(`room attendance ${one} ${two} ${one} -o csv`)).stdout).toBe(stdout)
    const stdin = [...first, ...second, seen(200, [])].map((line) => `${JSON.stringify(line)}\n`).join('')
    expect((await cli('room attendance - -o csv', {stdin})).stdout).toBe(stdout)
    expect((await cli(`room attendance ${one} ${two} -q`)).stdout).toBe('ann\nben\n')
  })

  test('of watches at the same time are kept apart: what one of them missed, another may have seen', async () => {
    const seenOf = (run: string, at: number, room_id: string, user: string) => seen(at, [user], {room_id, run})
    const looked = (run: string) => ({event: 'looked', after: time(600), at: time(600), service: 'one', run})
    const gap = {event: 'gap', after: time(60), at: time(120), room_id: null, name: null, why: 'HTTP 503'}
    const one = fileOf(seenOf('a', 0, 'r-1', 'ann'), gap, looked('a'))
    const other = fileOf(seenOf('b', 10, 'r-2', 'ben'), looked('b'))
    const unseen = JSON.parse((await cli(['room', 'attendance', one, other, '-o', 'json'])).stdout)
    expect(unseen).toMatchObject([
      {user_id: 'ann', unseen_minutes: 1, minutes_least: 9},
      {user_id: 'ben', unseen_minutes: 0, minutes_least: 9.83},
    ])
  })

  test('may be many', async () => {
    const warnings: Error[] = []
    const hear = (warning: Error) => warnings.push(warning)
    process.on('warning', hear)
    const files = Array.from({length: 12}, (_, one) => fileOf(seen(one, ['ann'])))
    const ran = await cli(['room', 'attendance', ...files, '-q'])
    process.off('warning', hear)
    expect(ran).toMatchObject({exit: 0, stdout: 'ann\n', stderr: ''})
    expect(warnings).toEqual([])
  })

  test('may have lines that a kill cut: they are skipped with one note', async () => {
    const whole = await cli(`room attendance ${fileOf(...first, ...second)} -o json`)
    const cut = JSON.stringify(left('eve', 70)).slice(0, 40)
    for (const file of [
      fileOf(...first, cut, ...second),
      fileOf(...first, `${cut}\n`, ...second),
      fileOf(...first, '{"at', ...second, cut),
    ]) {
      const ran = await cli(`room attendance ${file} -o json`)
      expect(ran).toMatchObject({exit: 0, stdout: whole.stdout})
      expect(ran.stderr).toMatch(/^note: \d lines? cut by a kill skipped, the first at .*events-\d+\.ndjson line 3\n$/u)
    }
  })

  test.each([
    ['a file without events', [], 'events-N.ndjson has no events'],
    ['a file with a cut line alone', ['{"at":"20'], 'events-N.ndjson has no events'],
    [
      'a line that is no event',
      [seen(0, []), 'hello\n', left('ann', 60)],
      'events-N.ndjson line 2 is not an event of room watch',
    ],
    [
      'a line that is cut where no run begins',
      [seen(0, []), '{"at":\n', left('ann', 60)],
      'line 2 is not an event of room watch',
    ],
    ['another JSON', [{room_id: 'r-1'}], 'line 1 is not an event of room watch'],
    [
      'a time that is none',
      [{...left('ann', 60), at: 'noon'}, left('ann', 60)],
      'line 1 is not an event of room watch',
    ],
    [
      'a time that is before the one since which',
      [seen(0, []), {...left('ann', 60), after: time(61)}],
      'line 2 has a time `at` before its time `after`',
    ],
    [
      'somebody present who is no user',
      [{...seen(0, []), present: [1]}, seen(1, [])],
      'line 1 is not an event of room watch',
    ],
    [
      'another service',
      [seen(0, []), seen(60, [], {service: 'two'})],
      'line 2 is of another service than the lines before it',
    ],
  ])('end with 14 for %s', async (_, lines, message) => {
    const ran = await cli(`room attendance ${fileOf(...lines)}`)
    expect(ran).toMatchObject({exit: 14, stdout: ''})
    expect(ran.stderr.replace(/events-\d+/gu, 'events-N')).toContain(message)
    if (!/another service|before its/u.test(message))
      expect(ran.stderr).toContain('  try: record events: roomctl room watch --initial -o ndjson > FILE\n')
  })

  test('end with 14 for a room in place of a file', async () => {
    expect(await cli('room attendance r-full')).toMatchObject({
      exit: 14,
      stderr:
        'error: cannot read r-full\n  why: no such file\n' +
        '  try: record events: roomctl room watch --initial -o ndjson > FILE\n',
    })
  })

  test('end with 14 for a line without an end', async () => {
    const ran = await cli(`room attendance ${fileOf(seen(0, []), '{'.repeat(9 * 1024 * 1024))}`)
    expect(ran).toMatchObject({exit: 14, stdout: ''})
    expect(ran.stderr).toMatch(/events-\d+\.ndjson line 2 is not an event of room watch\n/u)
  })

  test('end with 14 for bytes that are not UTF-8, and for a line of many beginnings in no time', async () => {
    const file = fileOf(seen(0, []), seen(1, []))
    appendFileSync(file, Buffer.from([0x7b, 0xff, 0x0a]))
    expect((await cli(`room attendance ${file}`)).stderr).toMatch(/events-\d+\.ndjson line 3 is not UTF-8 text\n/u)
    const nested = await cli(`room attendance ${fileOf(seen(0, []), '{"a":'.repeat(200_000), seen(1, []))}`)
    expect(nested.exit).toBe(0)
    expect(nested.stderr).toMatch(/^note: 1 line cut by a kill skipped/u)
  })

  test('end with 14 for a file that is not there and for a folder', async () => {
    for (const name of [path.join(folder, 'none'), folder]) {
      expect(await cli(`room attendance ${name}`)).toMatchObject({exit: 14, stdout: ''})
    }
  })

  test('whose times run backwards within a run count the repeated times as unseen, with a warning', async () => {
    const lines = [seen(60, ['ann']), joined('ben', 90), left('ben', 80), left('ann', 120), seen(130, [])]
    const ran = await cli(`room attendance ${fileOf(...lines)} -o json`)
    expect(ran.stderr).toMatch(/^warning: the clock was set back at .*line 3: repeated times count as unseen\n$/u)
    // An hour that the clock shows twice may have been two hours.
    const backwards = {event: 'gap', after: time(7200), at: time(3600), room_id: null, name: null, why: 'HTTP 503'}
    const old = [seen(0, ['ann']), {event: 'looked', after: time(7200), at: time(7200), run: time(-1)}, backwards]
    const {stdout} = await cli(`room attendance ${fileOf(...old, seen(7210, [], {run: 'later'}))} -o json`)
    expect(JSON.parse(stdout)).toMatchObject([{minutes_least: 60, minutes_most: null, unseen_minutes: 120.17}])
  })

  test('glued together in any order within a file have the result of the right order, or 14 on stdin', async () => {
    const run = (at: number, present: string[]) => [seen(at, present), ...present.map((user) => left(user, at + 60))]
    const parts = [run(0, ['ann']), run(100, ['ben', 'ann']), run(300, [])]
    const ofParts = async (...order: number[]) =>
      (await cli(`room attendance ${fileOf(...order.flatMap((part) => parts[part] ?? []))} -o csv`)).stdout
    const inOrder = await ofParts(0, 1, 2)
    for (const order of [
      [2, 1, 0],
      [1, 0, 2],
      [2, 0, 1],
    ])
      expect((await ofParts(...order)).split('\n').toSorted()).toEqual(inOrder.split('\n').toSorted())
    const stdin = [1, 0, 2]
      .flatMap((part) => parts[part] ?? [])
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
    const piped = await cli('room attendance -', {stdin})
    expect(piped).toMatchObject({exit: 14, stdout: ''})
    expect(piped.stderr).toContain('error: stdin line 4 is earlier than the line before it\n')
  })

  test('of one service that overlap only narrow the bounds: sessions are not counted twice', async () => {
    const recorder = (run: string, late: number) => [
      seen(late, [], {run}),
      {...joined('ann', 100 + late), after: time(90 + late), run},
      {...left('ann', 200 + late), after: time(190 + late), run},
      {event: 'looked', after: time(300), at: time(300), service: 'one', run},
    ]
    const [one, other] = [fileOf(...recorder('a', 0)), fileOf(...recorder('b', 4))]
    const rows = async (...files: string[]) =>
      JSON.parse((await cli(['room', 'attendance', ...files, '-o', 'json'])).stdout)
    expect(await rows(one)).toMatchObject([{sessions: 1, minutes_least: 1.5, minutes_most: 1.84}])
    const both = [{sessions: 1, minutes_least: 1.56, minutes_most: 1.77, unseen_minutes: 0}]
    expect(await rows(one, other)).toMatchObject(both)
    expect(await rows(other, one)).toMatchObject(both)
    const lines = recorder('a', 0)
    const copies = [fileOf(...lines), fileOf(...lines, ...lines)]
    for (const copy of copies) expect(await rows(one, copy)).toEqual(await rows(one))
    expect(await rows(copies[1] ?? '')).toEqual(await rows(one))
  })

  test('of one run without a file between them do not count what that file would say', async () => {
    const looked = (second: number) => ({event: 'looked', after: time(second - 5), at: time(second), run: 'a'})
    const files = [
      fileOf(seen(0, ['ann'], {run: 'a'}), looked(60), looked(120)),
      fileOf(looked(180), {...left('ann', 200), after: time(195), run: 'a'}, looked(260), looked(320)),
      fileOf(looked(380), looked(440)),
    ]
    const leastOf = async (...some: readonly (string | undefined)[]) => {
      const {stdout} = await cli(['room', 'attendance', ...some.map(String), '-o', 'json'])
      return JSON.parse(stdout)[0].minutes_least
    }
    expect(await leastOf(...files)).toBe(3.25)
    expect(await leastOf(files[0], files[2])).toBe(1.91)
    // A watch that looks every 5 minutes writes no more often.
    const slow = [0, 300, 600, 900].map((second) => looked(second))
    expect(await leastOf(fileOf(seen(0, ['ann'], {run: 'a'}), ...slow.slice(1, 3)), fileOf(...slow.slice(3)))).toBe(
      14.91,
    )
  })
})

describe('the timeline', () => {
  const minutes = 60
  const file = fileOf(
    seen(0, ['ann', '김민준']),
    joined('ben', 10 * minutes),
    left('ben', 20 * minutes),
    {event: 'gap', after: time(20 * minutes), at: time(30 * minutes), room_id: null, name: null, why: 'HTTP 503'},
    left('김민준', 30 * minutes),
    {event: 'looked', after: time(40 * minutes), at: time(40 * minutes)},
    left('ann', 40 * minutes),
  )
  const on = (columns: number, env: Readonly<Record<string, string>>, words = '') =>
    cli(`room attendance ${file} --tz UTC ${words}`, {columns, rows: 24, env: {TERM: 'xterm-256color', ...env}})

  test('shows on a terminal who was there certainly and possibly, a row for each, at 80 x 24', async () => {
    const {stdout} = await on(80, {FORCE_COLOR: '1'})
    const screen = new Screen(80, 24)
    await screen.output.write(stdout)
    const lines = await screen.lines()
    expect(lines).toEqual([
      'r-1',
      'USER    2026-12-01 11:59:59 +00:00       2026-12-01 12:40:00 +00:00     MINUTES',
      'ann     ██████████████████████████████░░░░░░░░░░░░░░███████████████     29.91–?',
      '김민준  ██████████████████████████████░░░░░░░░░░░░░░░                   20.00–?',
      'ben                   ░██████████████░                               9.91–10.09',
      '',
      '█ certain  ░ possible',
    ])
    expect(stdout).toContain('\u001b[32m█')
    expect(stdout).toContain('\u001b[33m░')
  })

  test('is words for who cannot see it: a screen reader, without colour, off a terminal, and where columns are asked for', async () => {
    const heading = /^ROOM +USER +SESSIONS /u
    expect((await on(80, {NO_COLOR: '1'})).stdout).toMatch(/^ROOM +USER /u)
    expect((await on(80, {ACCESSIBLE: '1', FORCE_COLOR: '1'})).stdout).toMatch(/^ROOM: r-1\nUSER: ann\n/u)
    expect((await cli(`room attendance ${file}`)).stdout).toMatch(heading)
    expect((await on(80, {FORCE_COLOR: '1'}, '--columns user,least')).stdout).toContain('LEAST')
    expect((await on(36, {FORCE_COLOR: '1'})).stdout).not.toContain('█')
  })
})

test('--since, --until, --room, --user and --threshold choose', async () => {
  const file = fileOf(seen(0, ['ann', 'ben']), left('ben', 30), left('ann', 120))
  const users = async (words: string) =>
    (await cli(`room attendance ${file} -q ${words}`)).stdout.split('\n').slice(0, -1)
  expect(await users('')).toEqual(['ann', 'ben'])
  expect(await users('--threshold 85%')).toEqual(['ann'])
  expect(await users('--user ben --user eve')).toEqual(['ben'])
  expect(await users('--room r-2')).toEqual([])
  expect(await users(`--since ${time(60)}`)).toEqual(['ann'])
  const {stdout} = await cli(`room attendance ${file} -o json --since ${time(60)} --until ${time(90)}`)
  expect(JSON.parse(stdout)).toMatchObject([
    {minutes_least: 0.5, minutes_most: 0.5, first_seen: time(60), last_seen: time(90)},
  ])
  for (const words of ['--threshold 85', '--threshold 0%', '--threshold 101%', '--since noon']) {
    expect(await cli(`room attendance ${file} ${words}`)).toMatchObject({exit: 2, stdout: ''})
  }
  const bare = await cli('room attendance')
  expect(bare).toMatchObject({exit: 2, stdout: ''})
  expect(bare.stderr).toContain(
    '  why: the service keeps no history of who was in a room; a watch records it from now on\n',
  )
  expect(bare.stderr).toContain('  try: roomctl room watch --initial -o ndjson >> events.ndjson')
})
