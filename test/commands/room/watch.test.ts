import {setImmediate} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {type Transport, WireError} from '../../../src/api/http/wire/transport.js'
import type {Runtime} from '../../../src/cli/runtime/runtime.js'
import {enterSandboxRoom, leaveSandboxRoom} from '../../../src/sandbox/demo/scenarios.js'
import type {WorldStore} from '../../../src/sandbox/world/store.js'
import {cli, demoStore, noon, type Ran} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {jsonLines} from '../../support/logText.js'
import {Screen} from '../../support/screen.js'
import {page, refusal, sandboxOf} from '../answers.js'

const at = '2026-12-01T12:00:00Z'
const look = '/media/v1/rooms'

/** Before each poll except the first: a change of the world, or an answer in place of the sandbox's. */
type Step = (store: WorldStore) => Promise<unknown>

interface Scene {
  readonly words: readonly string[]
  /** The request that each look begins with. */
  readonly begins?: string
  readonly steps: readonly Step[]
  readonly env?: Readonly<Record<string, string>>
  readonly onWait?: (ms: number) => Promise<unknown>
  readonly columns?: number
  readonly every?: Runtime['every']
  readonly setMs?: () => number
}

/** Watches while the steps happen, one before each look, and is interrupted after the look that follows the last. */
async function watched({words, begins = look, steps, env = {}, columns, ...clock}: Scene): Promise<Ran> {
  const store = await demoStore()
  const sandbox = sandboxOf(store)
  const controller = new AbortController()
  let looks = -1
  const transport: Transport = async (request) => {
    if (looks > 100) throw new Error('it does not end')
    if (request.url.pathname === begins) {
      looks += 1
      if (looks > steps.length) {
        controller.abort()
        return sandbox(request)
      }
      const answer = await steps[looks - 1]?.(store)
      if (isAnswer(answer)) return answer
    }
    return sandbox(request)
  }
  return cli(['room', 'watch', ...words], {
    store,
    transport,
    signal: controller.signal,
    env,
    ...clock,
    ...(columns === undefined ? {} : {columns}),
  })
}

test('a room can be watched by its name', async () => {
  const {stdout} = await watched({
    words: ['Daily standup', '--by-name', '--initial', '-o', 'ndjson'],
    begins: `${look}/r-standup`,
    steps: [],
  })
  expect(stdout).toContain('"room_id":"r-standup"')
})

test('on a terminal the name of a room is beside its id, once in a line', async () => {
  const leaves = (store: WorldStore) => leaveSandboxRoom(store, 'r-standup', 'ben', noon)
  const {stdout} = await watched({words: ['--initial', '--where', 'id=r-standup'], steps: [leaves], columns: 120})
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(line.match(/Daily standup|r-standup "[^"]+"/giu), line).toHaveLength(1)
  expect(lines.at(-1)).toMatch(/ {2}r-standup "[^"]+" {2}ben left$/u)
})

test('on a terminal the watch names the deployment', async () => {
  const {stderr} = await watched({words: ['r-standup'], begins: `${look}/r-standup`, steps: [], columns: 80})
  expect(stderr).toContain('watching room r-standup on sandbox (built in) every 5s\n')
})

/**
 * The sandbox as a service that takes a moment for each answer, since the waits of a test take none. `instead`: the answer
 * in its place to a request, by its number.
 */
async function slowly(line: string, instead: (seen: number) => unknown = () => undefined): Promise<Ran> {
  const sandbox = sandboxOf(await demoStore())
  let seen = 0
  return cli(line, {
    transport: async (request) => {
      await setImmediate()
      seen += 1
      const other = instead(seen)
      if (other === undefined) return sandbox(request)
      const ended = new Promise((_, fail) => {
        request.signal?.addEventListener('abort', () => fail(new WireError('aborted', 'maybe', 'given up')))
      })
      return (await Promise.race([other, ended])) as Awaited<ReturnType<Transport>>
    },
  })
}

function isAnswer(value: unknown): value is Awaited<ReturnType<Transport>> {
  return typeof value === 'object' && value !== null && 'discard' in value
}

const enters =
  (room: string, user: string): Step =>
  (store) =>
    enterSandboxRoom(store, room, user, noon)
const leaves =
  (room: string, user: string): Step =>
  (store) =>
    leaveSandboxRoom(store, room, user, noon)
const nothing: Step = async () => undefined
const down: Step = async () => page(503)
const one = (room: string) => ({begins: `${look}/${room}`})
const changes = (change: (room: {name: string; is_joinable: boolean}) => void): Step => {
  return (store) => store.change((world) => void world.rooms.filter((room) => room.room_id === 'r-standup').map(change))
}

describe('a named room', () => {
  test('is read by itself, and each event is one line with its time', async () => {
    const ran = await watched({
      words: ['r-townhall'],
      ...one('r-townhall'),
      steps: [enters('r-townhall', 'ann'), enters('r-townhall', 'ben'), nothing, leaves('r-townhall', 'ann')],
    })
    expect(ran).toMatchObject({exit: 130, stderr: 'watching room r-townhall on sandbox (built in) every 5s\n'})
    expect(ran.stdout.trimEnd().split('\n')).toEqual([
      `${at}  r-townhall  RESERVED → MEETING`,
      `${at}  r-townhall  ann joined`,
      `${at}  r-townhall  ben joined`,
      `${at}  r-townhall  ann left`,
      `${at}  r-townhall  host: ann → ben`,
    ])
    expect(new Set(ran.sent.map(({method, path}) => `${method} ${path}`))).toEqual(new Set([`GET ${look}/r-townhall`]))
  })

  test('is told as it is with --initial, under wire names as ndjson', async () => {
    const ran = await watched({
      words: ['r-standup', '--initial', '-o', 'ndjson'],
      ...one('r-standup'),
      steps: [leaves('r-standup', 'ben')],
    })
    const events = jsonLines(ran.stdout)
    const room = {room_id: 'r-standup', name: 'Daily standup'}
    const run = {service: expect.stringMatching(/^[\da-f]{16}$/u), run: '2026-12-01T12:00:00.000Z'}
    expect(events).toEqual([
      {
        at,
        after: at,
        event: 'room-seen',
        ...room,
        room_status: 'MEETING',
        host: 'ann',
        present: ['ann', 'ben', '김민준'],
        ...run,
      },
      {at, after: at, event: 'looked', ...run},
      {at, after: at, event: 'left', ...room, user_id: 'ben', run: run.run},
      {at, after: at, event: 'looked', ...run},
    ])
  })

  test('that does not exist is an error, and a warning beside one that does', async () => {
    const alone = await cli('room watch r-nowhere')
    expect(alone).toMatchObject({exit: 6, stdout: ''})
    expect(alone.stderr).toContain('error: room r-nowhere does not exist')
    expect(alone.stderr).toContain('try: use --where id=r-nowhere to wait for it, or: roomctl room list\n')
    const both = await watched({words: ['r-standup', 'r-nowhere'], ...one('r-standup'), steps: []})
    expect(both.stderr).toContain('warning: room r-nowhere does not exist; still watching for changes\n')
    expect(both.exit).toBe(130)
  })

  test('that goes is told, and ends the watch with the last of them', async () => {
    const ran = await watched({
      words: ['r-standup'],
      ...one('r-standup'),
      steps: [async () => refusal('CE002', 'no such room')],
    })
    expect(ran).toMatchObject({exit: 0, stdout: `${at}  r-standup  disappeared (was MEETING)\n`})
  })
})

describe('all rooms', () => {
  test('are watched by the list, and only those in a meeting or with a changed row are read', async () => {
    const ran = await watched({words: [], steps: [nothing, enters('r-first', 'zoe'), nothing]})
    expect(ran.stdout.trimEnd().split('\n')).toEqual([
      `${at}  r-first  RESERVED → MEETING`,
      `${at}  r-first  zoe joined`,
      `${at}  r-first  host is zoe`,
    ])
    const lists = ran.sent.flatMap(({path}, index) => (path === look ? [index] : []))
    const read = lists.map((from, i) => (lists[i + 1] ?? ran.sent.length) - from - 1)
    // Of 13 rooms two are ENDED and six in a meeting; the seventh has just started.
    expect(read.slice(0, 4)).toEqual([11, 6, 7, 7])
    expect(ran.stderr).toBe('reading 11 rooms, one call each\nwatching 13 rooms on sandbox (built in) every 5s\n')
  })

  test('can be narrowed, and a room once chosen stays', async () => {
    const ran = await watched({
      words: ['--where', 'name~^test- and status=MEETING'],
      steps: [leaves('r-test-2', 'bot-1'), enters('r-first', 'zoe'), enters('r-test-2', 'bot-1')],
    })
    expect(ran.stderr).toBe('watching 2 rooms on sandbox (built in) every 5s\n')
    expect(ran.stdout.trimEnd().split('\n')).toEqual([
      `${at}  r-test-2  bot-1 left`,
      `${at}  r-test-2  MEETING → IDLE`,
      `${at}  r-test-2  IDLE → MEETING`,
      `${at}  r-test-2  bot-1 joined`,
    ])
  })

  test('are read for --where and --until only where their rows leave it open', async () => {
    const {sent} = await watched({
      words: ['--where', 'status=ENDED and (name~Sprint or present>5)', '--until', 'status=ENDED and max=1'],
      steps: [nothing],
    })
    const read = sent.map(({path}) => path.slice(look.length)).filter((id) => id !== '')
    // The other ENDED room may fill at any look; the chosen one is known from its row.
    expect([...new Set(read)]).toEqual(['/r-kickoff'])
  })

  test('that are created and deleted appear and go', async () => {
    const gone: Step = (store) =>
      store.change((world) => {
        world.rooms = world.rooms.filter((room) => room.room_id !== 'r-retro')
      })
    const ran = await watched({words: ['-o', 'ndjson'], steps: [gone]})
    expect(ran.stdout).toContain(
      `{"at":"${at}","event":"room-went","after":"${at}","room_id":"r-retro","name":"Sprint retro","room_status":"ENDED","run":"2026-12-01T12:00:00.000Z"}\n`,
    )
  })
})

/** In every meeting all users but the host leave, or enter. */
const stir: Step = (store) =>
  store.change((world) => {
    const people = world.rooms.filter((room) => room.room_status === 'MEETING').flatMap(({attendees}) => attendees)
    for (const one of people) if (!one.is_host) one.is_present = !one.is_present
  })

test('the events of a look come in the order of their times, behind the outage in which they happened', async () => {
  // The list is read at each look, but only two meetings: a change in a meeting may have happened earlier.
  const stirThen =
    (step: Step): Step =>
    async (store) => {
      await stir(store)
      return step(store)
    }
  const ran = await watched({
    words: ['-o', 'ndjson', '--budget', '3/s', '--interval', '1s', '--retries', '0'],
    onWait: async () => undefined,
    steps: [
      nothing,
      nothing,
      nothing,
      stirThen(enters('r-first', 'zoe')),
      nothing,
      nothing,
      nothing,
      stirThen(down),
      nothing,
    ],
  })
  const lines: {at: string; after: string; event: string; room_id: string}[] = jsonLines(ran.stdout)
  const times = lines.map(({at}) => at)
  expect(times).toEqual(times.toSorted())

  const begins = lines.findIndex(({event}) => event === 'state-changed')
  const look = lines.filter(({at}) => at === lines[begins]?.at)
  expect(new Set(look.map(({after}) => after)).size).toBeGreaterThan(1)
  expect(look.map(({after}) => after)).toEqual(look.map(({after}) => after).toSorted())
  const began = look.filter(({room_id: room}) => room === 'r-first')
  expect(began.map(({event}) => event)).toEqual(['state-changed', 'joined', 'host-changed'])

  const gap = lines.findIndex(({event}) => event === 'gap')
  const [outage, ...behind] = lines.slice(gap)
  expect(behind.length).toBeGreaterThan(1)
  expect(new Set(behind.map(({at}) => at))).toEqual(new Set([outage?.at]))
  expect(behind.at(-1)?.event).toBe('looked')
})

test('of a room that is chosen while people are in it the watch says that they are, not that they have joined', async () => {
  const ran = await watched({
    words: ['--where', 'present>3 or name=Later', '-o', 'ndjson'],
    steps: [
      enters('r-standup', 'eve'),
      changes((room) => {
        room.name = 'Later'
      }),
    ],
  })
  const told = ran.stdout
    .split('\n')
    .filter((line) => line.includes('r-standup'))
    .map((line) => JSON.parse(line))
  expect(told[0]).toMatchObject({event: 'room-appeared', present: ['ann', 'ben', '김민준', 'eve']})
  expect(told.map(({event}) => event)).toEqual(['room-appeared', 'room-changed'])
})

describe('--until', () => {
  test('waits for a room that is still to come, where it is chosen by its id', async () => {
    const created: Step = (store) =>
      store.change((world) => {
        world.rooms = world.rooms.map((room) => (room.room_id === 'r-standup' ? {...room, room_id: 'r-later'} : room))
      })
    const ran = await watched({
      words: ['--where', 'id=r-later', '--until', 'status=MEETING'],
      steps: [nothing, created, nothing, nothing],
    })
    expect(ran).toMatchObject({exit: 0, stderr: 'watching 0 rooms on sandbox (built in) every 5s\n'})
    expect(ran.stdout).toContain(`${at}  r-later  appeared: Daily standup, MEETING, host ann\n`)
  })

  test('ends the watch with 0 once it holds, at once where it does already', async () => {
    const ran = await cli('room watch r-standup --until status=MEETING')
    expect(ran).toMatchObject({exit: 0, stdout: ''})
    expect(ran.sent).toHaveLength(1)
    const later = await watched({
      words: ['r-townhall', '--until', 'status=MEETING and present>1'],
      ...one('r-townhall'),
      steps: [enters('r-townhall', 'ann'), enters('r-townhall', 'ben'), nothing, nothing],
    })
    expect(later.exit).toBe(0)
    expect(later.stdout).toContain('ben joined')
    expect(later.sent).toHaveLength(3)
  })

  test('ends it with 12 when --timeout runs out first, and says which room does not fit', async () => {
    const ran = await slowly('room watch r-standup r-review --until status=MEETING --timeout 100ms')
    expect(ran.exit).toBe(12)
    expect(ran.stderr).toContain('error: --timeout expired before --until was true\n  why: r-review is IDLE\n')
    expect((await slowly('room watch r-standup --timeout 100ms')).exit).toBe(0)
  })

  test('ends it with 12 at once where an ENDED room can no longer make it true, and not where time or deletion can', async () => {
    await everyCase(['status=MEETING', 'present>0', 'not status=ENDED', 'name=other'], async (until) => {
      const ran = await cli(['room', 'watch', 'r-retro', '--until', until])
      expect(ran).toMatchObject({exit: 12, stdout: ''})
      expect(ran.sent).toHaveLength(1)
      expect(ran.stderr).toContain(
        'error: --until can no longer be true\n  why: room r-retro is ENDED, which is final\n',
      )
    })
    const ends = await watched({
      words: ['r-standup', '--until', 'status=IDLE'],
      ...one('r-standup'),
      steps: [
        (store) =>
          store.change((world) => {
            for (const room of world.rooms) if (room.room_id === 'r-standup') room.room_status = 'ENDED'
          }),
        nothing,
      ],
    })
    expect(ends.exit).toBe(12)
    expect(ends.stdout).toContain('MEETING → ENDED')
    for (const words of ['r-retro --until age>9000h', '--where status=ENDED --until status=MEETING']) {
      expect((await slowly(`room watch ${words} --timeout 100ms`)).stderr).toContain('--timeout expired')
    }
    // No document says that an IDLE room cannot be MEETING again.
    expect((await slowly('room watch r-review --until status=MEETING --timeout 100ms')).stderr).toContain('expired')
  })

  test('never holds for no room, nor for one that went', async () => {
    const none = await slowly('room watch --where name=nobody --until status=ENDED --timeout 100ms -o ndjson')
    expect(none.exit).toBe(12)
    expect(JSON.parse(none.stderr.split('\n').at(-2) ?? '').error).toMatchObject({code: 'waited', exit_code: 12})
    const gone = await watched({
      words: ['r-standup', '--until', 'status=ENDED'],
      ...one('r-standup'),
      steps: [async () => refusal('CE002', 'no such room')],
    })
    expect(gone.exit).toBe(6)
    expect(gone.stderr).toContain('error: room r-standup disappeared before --until was true')
  })
})

describe('an outage', () => {
  test('is reported once when it begins and once when it is over, and no event is lost or shown twice', async () => {
    const ran = await watched({
      words: ['r-standup', '--retries', '0'],
      ...one('r-standup'),
      steps: [
        down,
        async (store) => {
          await leaveSandboxRoom(store, 'r-standup', 'ben', noon)
          return page(502)
        },
        async () => page(404),
        nothing,
        nothing,
      ],
    })
    expect(ran.stdout).toMatch(
      /^\S+Z {2}all rooms {2}not seen since \S+Z: cannot read room r-standup: .*404.*\n\S+Z {2}r-standup {2}ben left\n$/u,
    )
    const [, lost = '', back = '', ...more] = ran.stderr.trimEnd().split('\n')
    expect(lost).toMatch(
      /^2026-12-01T12:00:00Z {2}cannot reach the service: cannot read room r-standup: .*503.* \(still watching\)$/u,
    )
    expect(back).toMatch(/ {2}the service is reachable again after 0s$/u)
    expect(more).toEqual([])
  })

  test('is one line of a terminal: below the events while it lasts, and then its gap', async () => {
    const ran = await watched({
      words: ['r-standup', '--retries', '0'],
      ...one('r-standup'),
      steps: [down, down, leaves('r-standup', 'ben'), nothing],
      columns: 80,
      env: {TERM: 'xterm'},
    })
    expect(ran.stdout).toContain('cannot reach the service: ')
    const screen = new Screen(80, 24)
    await screen.output.write(ran.stdout)
    const lines = await screen.lines()
    expect(lines.filter((line) => /all rooms|cannot reach|reachable/u.test(line))).toEqual([
      expect.stringMatching(/ {2}all rooms {2}not seen since 2026-12-01 \d\d:\d\d:\d\d [+-]\d\d:\d\d/u),
    ])
    expect(lines.at(-1)).toMatch(/ben left$/u)
    expect(ran.stderr).not.toMatch(/reach/u)
  })

  test('is an event with both its ends, before what happened in it', async () => {
    const ran = await watched({
      words: ['r-standup', '-o', 'ndjson', '--retries', '0'],
      ...one('r-standup'),
      steps: [nothing, down, down, leaves('r-standup', 'ben'), leaves('r-standup', 'ann')],
      onWait: async () => undefined,
    })
    const events = jsonLines(ran.stdout)
    const [, gap, ben, ann] = events
    expect(events.map(({event}) => event)).toEqual(['looked', 'gap', 'left', 'left', 'host-changed', 'looked'])
    expect(gap).toMatchObject({room_id: null, name: null, why: expect.stringContaining('503')})
    // Seen at 12:00:05 and, after pauses of 5, 5 and 10 s, a tenth more at most, again.
    expect(gap.after).toBe('2026-12-01T12:00:05Z')
    expect(gap.at).toMatch(/^2026-12-01T12:00:2[5-8]Z$/)
    expect([ben.after, ben.at]).toEqual([gap.after, gap.at])
    expect(Date.parse(ann.at) - Date.parse(ann.after)).toBeLessThanOrEqual(7000)
    expect(Date.parse(ann.after)).toBeGreaterThanOrEqual(Date.parse(ben.at) - 1000)
  })

  test('never writes a time that is before the one of an earlier line', async () => {
    const ran = await watched({
      words: ['r-standup', '--retries', '0'],
      ...one('r-standup'),
      steps: [leaves('r-standup', 'ben'), down, leaves('r-standup', 'ann'), down, enters('r-standup', 'zoe')],
      onWait: async () => undefined,
    })
    const times = (text: string, form: RegExp) =>
      text.split('\n').flatMap((line) => (form.test(line) ? (line.split(' ')[0] ?? '') : []))
    const gaps = times(ran.stdout, /not seen since/u)
    const backs = times(ran.stderr, /reachable again/u)
    expect(gaps).toHaveLength(2)
    // The line on stderr is written after the events of the look that ended the outage.
    expect(backs).toEqual(gaps)
    expect(times(ran.stdout, /Z/u)).toEqual(times(ran.stdout, /Z/u).toSorted())
  })

  test('in which the watch ends is told, and it ends with 9, also under --until', async () => {
    await everyCase(['', '--until status=ENDED', '--where status=MEETING'], async (words) => {
      const isList = words.startsWith('--where')
      // The rooms of a list are read first, which takes a busy machine its time.
      const line = `room watch ${isList ? '--timeout 1s' : 'r-standup --timeout 100ms'} ${words} --retries 0 -o ndjson`
      const ran = await slowly(line, (seen) => (seen > (isList ? 12 : 2) ? page(503) : undefined))
      expect(ran.exit).toBe(9)
      const [, gap] = ran.stdout.split('\n').map((one) => (one === '' ? undefined : JSON.parse(one)))
      expect(gap).toMatchObject({event: 'gap', at: expect.any(String), after: expect.any(String), room_id: null})
      expect(JSON.parse(ran.stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
        code: 'unseen',
        exit_code: 9,
      })
    })
  })

  test('of one room of several is told of that room alone', async () => {
    let isDown = false
    const store = await demoStore()
    const sandbox = sandboxOf(store)
    const controller = new AbortController()
    let looks = 0
    const ran = await cli(['room', 'watch', 'r-standup', 'r-townhall', '-o', 'ndjson', '--retries', '0'], {
      signal: controller.signal,
      onWait: async (ms) => {
        // Shorter waits are those of the budget.
        if (ms < 1000) return
        looks += 1
        isDown = looks < 3
        if (looks > 4) controller.abort()
      },
      transport: async (request) =>
        isDown && request.url.pathname.endsWith('/r-standup') ? page(503) : sandbox(request),
    })
    const events = jsonLines(ran.stdout)
    expect(events).toMatchObject([
      {event: 'looked'},
      {event: 'gap', room_id: 'r-standup', after: at},
      {event: 'looked'},
    ])
  })

  test('before the first answer ends the watch with 10 when its time runs out', async () => {
    await everyCase(['', ' --until status=ENDED'], async (words) => {
      const ran = await slowly(`room watch r-standup --timeout 100ms${words}`, () => new Promise(() => undefined))
      expect([ran.exit, ran.stdout]).toEqual([10, ''])
    })
  })

  test('ends a watch that has not started', async () => {
    const ran = await cli('room watch --retries 0', {transport: async () => page(503)})
    expect(ran).toMatchObject({exit: 9, stdout: ''})
  })

  test.each([
    [401, 4],
    [403, 5],
    [400, 8],
  ])('is not what HTTP %i is: the watch ends with %i', async (status, exit) => {
    const ran = await watched({words: ['r-standup'], ...one('r-standup'), steps: [nothing, async () => page(status)]})
    expect(ran).toMatchObject({exit, stdout: ''})
  })
})

describe('time in which the watch did not look', () => {
  /** The recording of a pause that takes too long, or in which the clock is set; and the resulting attendance. */
  async function paused(sleptMs: number, setMs: number) {
    let set = 0
    let waits = 0
    const ran = await watched({
      words: ['r-standup', '--initial', '-o', 'ndjson'],
      ...one('r-standup'),
      steps: [nothing, nothing, nothing, nothing],
      onWait: async () => {
        waits += 1
        if (waits === 2) set = setMs
        return waits === 2 ? sleptMs : 0
      },
      setMs: () => set,
    })
    const events = jsonLines(ran.stdout)
    const {stdout} = await cli('room attendance - -o json --user ben', {stdin: ran.stdout})
    return {
      events,
      gap: events.find(({event}) => event === 'gap'),
      row: stdout === '' ? undefined : JSON.parse(stdout)[0],
    }
  }

  test('is a gap, and no certain presence: the process slept', async () => {
    const {gap, row} = await paused(25_000, 0)
    expect(gap).toMatchObject({room_id: null, why: expect.stringMatching(/^the watch did not run for 3[01]s$/u)})
    expect(row.unseen_minutes).toBeGreaterThan(0.49)
    expect(row.minutes_least).toBeLessThan(0.31)
  })

  test('is a gap if the clock was set forward, or the machine slept', async () => {
    const {gap, row} = await paused(0, 3_600_000)
    expect(gap.why).toBe('the machine slept, or its clock was set forward, by 1h')
    expect(row.unseen_minutes).toBeGreaterThan(60)
    expect(row.minutes_least).toBeLessThan(0.35)
  })

  test('ends the run if the clock was set back; no event ends before it begins', async () => {
    const {events, gap} = await paused(0, -3_600_000)
    expect(gap).toMatchObject({repeated: true, why: 'the clock was set back by 1h'})
    for (const {at, after} of events) expect(at >= after).toBe(true)
    const behind = events.slice(events.indexOf(gap) + 1)
    expect(behind[0]).toMatchObject({event: 'room-seen', present: ['ann', 'ben', '김민준']})
    expect(new Set(behind.map(({run}) => run)).has(gap.run)).toBe(false)
  })

  test('is not reported after a short pause, nor after a step of the clock within a second', async () => {
    expect((await paused(5000, 0)).gap).toBeUndefined()
    expect((await paused(0, 900)).gap).toBeUndefined()
  })
})

describe('--budget', () => {
  const pathsOf = ({sent}: Ran) => sent.map(({path}) => path.slice(look.length))

  test('lets a look make a number of calls: the list, rooms whose row changed, then meetings in turn', async () => {
    const waits: number[] = []
    const ran = await watched({
      words: ['--budget', '3/s', '--interval', '1s'],
      steps: [nothing, nothing, nothing, enters('r-first', 'zoe'), nothing],
      onWait: async (ms) => void waits.push(ms),
    })
    const looks = pathsOf(ran)
      .join(' ')
      .split(/(?:^ ?| {2})(?=\/)/u)
      .filter((one) => one !== '')
    const meetings = looks.slice(1, 4).flatMap((one) => one.split(' '))
    // Six rooms are in a meeting: three looks of two.
    expect([looks[0]?.split(' ').length, meetings.length, new Set(meetings).size]).toEqual([11, 6, 6])
    expect(looks[4]?.split(' ')).toEqual(['/r-first', expect.stringMatching(/^\/r-/)])
    expect(ran.stdout).toContain('zoe joined')
    expect(Math.max(...waits)).toBeLessThanOrEqual(1100)
  })

  test('reads named rooms in turn if there is no time for all at each look', async () => {
    const rooms = ['r-standup', 'r-townhall', 'r-review']
    const read: string[] = []
    const controller = new AbortController()
    const sandbox = sandboxOf(await demoStore())
    const {stderr} = await cli(['room', 'watch', ...rooms, '--budget', '1/s', '--interval', '1s'], {
      signal: controller.signal,
      env: {ROOMCTL_CONCURRENCY: '1'},
      onWait: async () => undefined,
      transport: async (request) => {
        read.push(request.url.pathname.slice(look.length + 1))
        if (read.length === 9) controller.abort()
        return sandbox(request)
      },
    })
    expect(stderr).toContain('watching 3 rooms')
    expect(read).toEqual([...rooms, ...rooms, ...rooms])
  })

  /** How many calls a watch makes in any second, the first look and the repetitions of every third call included. */
  async function mostInASecond(words: string): Promise<number> {
    const begun: number[] = []
    let now = 0
    const controller = new AbortController()
    const sandbox = sandboxOf(await demoStore())
    await cli(`room watch ${words}`, {
      env: {ROOMCTL_CONCURRENCY: '1'},
      signal: controller.signal,
      onWait: async (ms) => {
        now += ms
      },
      transport: async (request) => {
        begun.push(now)
        if (begun.length > 90) controller.abort()
        return begun.length % 3 === 0 ? page(503) : sandbox(request)
      },
    })
    expect(begun.length).toBeGreaterThan(90)
    return Math.max(...begun.map((at) => begun.filter((other) => other >= at && other < at + 1000).length))
  }

  test('keeps the distance between calls and their repetitions, 20 in a second where it is not given', async () => {
    expect(await mostInASecond('--budget 10/s --interval 1s')).toBeLessThanOrEqual(10)
    const most = await mostInASecond('--interval 1s')
    expect(most).toBeLessThanOrEqual(20)
    expect(most).toBeGreaterThan(10)
  })

  test('says how long the first look takes where that is more than 5 seconds', async () => {
    const first = async (budget: string) =>
      (await watched({words: ['--budget', budget], steps: []})).stderr.split('\n')[0]
    expect(await first('2/s')).toBe('reading 11 rooms in about 6 s; a larger --budget is faster')
    expect(await first('20/s')).toBe('reading 11 rooms, one call each')
  })

  test('dates an event by the reading of its own room, not by the look', async () => {
    let waited = 0
    const timers = new Map<() => void, number>()
    const ran = await watched({
      words: ['--initial', '-o', 'ndjson', '--budget', '1/s', '--interval', '1s'],
      steps: [],
      onWait: async (ms) => {
        waited += ms
        for (const [call, every] of timers) if (every <= ms) call()
      },
      every: (ms, call) => {
        timers.set(call, ms)
        return () => timers.delete(call)
      },
    })
    const seconds = (text: string) => (Date.parse(text) - noon.getTime()) / 1000
    const seen = ran.stdout
      .split('\n')
      .flatMap((line) => (line.includes('room-seen') ? [JSON.parse(line)] : []))
      .map((event) => [seconds(event.after), seconds(event.at)] as const)
    expect(seen).toHaveLength(13)
    expect(waited).toBeGreaterThan(10_000)
    // Eleven rooms a second after another; a line waits for others of its second.
    expect(seen.map(([, at]) => at)).toEqual(seen.map(([, at]) => at).toSorted((one, other) => one - other))
    expect(new Set(seen.map(([, at]) => at)).size).toBeGreaterThanOrEqual(10)
  })

  test('says to programs at least every 60 seconds, and at its end, until when the rooms are as the events say', async () => {
    const timers = new Map<() => void, {readonly every: number; dueAt: number}>()
    let now = 0
    const ran = await watched({
      words: ['r-standup', '-o', 'ndjson'],
      ...one('r-standup'),
      steps: Array.from({length: 60}, () => nothing),
      onWait: async (ms) => {
        now += ms
        for (const [call, timer] of timers) {
          if (now < timer.dueAt) continue
          timer.dueAt = now + timer.every
          call()
        }
      },
      every: (ms, call) => {
        timers.set(call, {every: ms, dueAt: now + ms})
        return () => timers.delete(call)
      },
    })
    const lines = jsonLines(ran.stdout)
    expect(new Set(lines.map(({event}) => event))).toEqual(new Set(['looked']))
    const times = lines.map(({at: time}) => Date.parse(time))
    expect(now).toBeGreaterThan(290_000)
    expect((times.at(-1) ?? 0) - noon.getTime()).toBeGreaterThan(now - 10_000)
    const pauses = times.map((time, index) => time - (times[index - 1] ?? noon.getTime()))
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000)
  })

  test('takes calls in a time', async () => {
    await everyCase(['10', '0/s', '10/d', '5000/s', '-1/s'], async (words) => {
      expect(await cli(`room watch --budget ${words}`)).toMatchObject({exit: 2, sent: []})
    })
  })
})

describe('an invalid watch is refused before anything is sent', () => {
  test.each([
    ['-o json', 'room watch does not support -o json'],
    ['-q', 'room watch does not support -o ids'],
    ['--columns name', 'this command does not take --columns'],
    ['--interval 100ms', '--interval takes 1s to 1h, not 100ms'],
    ['--timeout 100d', '--timeout of a watch takes 1ms to 24d, not 100d'],
    ['r-standup --where status=IDLE', 'ROOM and --where cannot be given together'],
    ['--until statsu=IDLE', 'statsu'],
  ])('%s', async (words, message) => {
    const ran = await cli(`room watch ${words}`)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(message)
  })
})
