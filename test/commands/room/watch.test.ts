import {setImmediate} from 'node:timers/promises'
import {describe, expect, test, vi} from 'vitest'
import {type Transport, WireError} from '../../../src/api/http/wire/transport.js'
import {enterSandboxRoom, leaveSandboxRoom} from '../../../src/sandbox/demo/scenarios.js'
import type {WorldStore} from '../../../src/sandbox/world/store.js'
import {cli, demoStore, noon, type Ran} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {jsonLines} from '../../support/logText.js'
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
  readonly onWait?: (ms: number) => Promise<unknown>
  readonly columns?: number
  readonly setMs?: () => number
}

/** Watches while the steps happen, one before each look, and is interrupted after the look that follows the last. */
async function watched({words, begins = look, steps, columns, ...clock}: Scene): Promise<Ran> {
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
    ...clock,
    ...(columns === undefined ? {} : {columns}),
  })
}

test('on a terminal the name of a room is beside its id, once in a line', async () => {
  const leaves = (store: WorldStore) => leaveSandboxRoom(store, 'r-standup', 'ben', noon)
  const {stdout} = await watched({words: ['r-standup'], begins: `${look}/r-standup`, steps: [leaves], columns: 120})
  const lines = stdout.trimEnd().split('\n')
  for (const line of lines) expect(line.match(/Daily standup|r-standup "[^"]+"/giu), line).toHaveLength(1)
  expect(lines.at(-1)).toMatch(/ {2}r-standup "[^"]+" {2}ben left$/u)
})

test('on a terminal the watch names the deployment', async () => {
  const {stderr} = await watched({words: ['r-standup'], begins: `${look}/r-standup`, steps: [], columns: 80})
  expect(stderr).toContain('watching room r-standup on sandbox (built in) every 5s\n')
})

/**
 * Watches the sandbox; the time limit of the command runs out after this many requests. `instead`: the answer in its place to a request,
 * by its number.
 */
async function limited(line: string, last: number, instead: (seen: number) => unknown = () => undefined): Promise<Ran> {
  const sandbox = sandboxOf(await demoStore())
  const limit = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal)
  let seen = 0
  return cli(`${line} --timeout 1s`, {
    transport: async (request) => {
      await setImmediate()
      seen += 1
      if (seen > last) void setImmediate().then(() => limit.abort())
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

  test('has events under the names of the document as ndjson', async () => {
    const ran = await watched({
      words: ['r-standup', '-o', 'ndjson'],
      ...one('r-standup'),
      steps: [leaves('r-standup', 'ben')],
    })
    expect(jsonLines(ran.stdout)).toEqual([
      {at, after: at, event: 'left', room_id: 'r-standup', name: 'Daily standup', user_id: 'ben'},
    ])
  })

  test('that does not exist is an error, and a warning beside one that does', async () => {
    const alone = await cli('room watch r-nowhere')
    expect(alone).toMatchObject({exit: 6, stdout: ''})
    expect(alone.stderr).toContain('error: room r-nowhere does not exist')
    expect(alone.stderr).toContain('try: roomctl room list\n')
    const both = await watched({words: ['r-standup', 'r-nowhere'], ...one('r-standup'), steps: []})
    expect(both.stderr).toContain('warning: room r-nowhere does not exist; still watching for changes\n')
    expect(both.exit).toBe(130)
  })

  test('that disappears is reported, and the watch ends with the last one', async () => {
    const ran = await watched({
      words: ['r-standup'],
      ...one('r-standup'),
      steps: [async () => refusal('CE002', 'no such room')],
    })
    expect(ran).toMatchObject({exit: 0, stdout: `${at}  r-standup  disappeared (was MEETING)\n`})
  })
})

describe('all rooms', () => {
  test('are watched by the list, and only those in a meeting or in a new state are read', async () => {
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

  test('can be narrowed, and a room that matched once stays watched', async () => {
    const ran = await watched({
      words: ['--match', 'test-*', '--status', 'meeting'],
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

  test('that are created and deleted appear and disappear', async () => {
    const gone: Step = (store) =>
      store.change((world) => {
        world.rooms = world.rooms.filter((room) => room.room_id !== 'r-retro')
      })
    const ran = await watched({words: ['-o', 'ndjson'], steps: [gone]})
    expect(ran.stdout).toContain(
      `{"at":"${at}","event":"room-went","after":"${at}","room_id":"r-retro","name":"Sprint retro","room_status":"ENDED"}\n`,
    )
  })
})

test('users who are in a room when it is chosen are listed as present, not as joined', async () => {
  const ran = await watched({
    words: ['--match', 'Later', '-o', 'ndjson'],
    steps: [
      changes((room) => {
        room.name = 'Later'
      }),
      changes((room) => {
        room.is_joinable = false
      }),
    ],
  })
  const events = ran.stdout
    .split('\n')
    .filter((line) => line.includes('r-standup'))
    .map((line) => JSON.parse(line))
  expect(events[0]).toMatchObject({event: 'room-appeared', present: ['ann', 'ben', '김민준']})
  expect(events.map(({event}) => event)).toEqual(['room-appeared'])
})

describe('--until-status', () => {
  test('ends the watch with 0 once all rooms have the state, at once if they have it already', async () => {
    const ran = await cli('room watch r-standup --until-status meeting')
    expect(ran).toMatchObject({exit: 0, stdout: ''})
    expect(ran.sent).toHaveLength(1)
    const later = await watched({
      words: ['r-townhall', 'r-standup', '--until-status', 'MEETING'],
      ...one('r-townhall'),
      steps: [nothing, enters('r-townhall', 'ann'), nothing, nothing],
    })
    expect(later.exit).toBe(0)
    expect(later.stdout).toContain('RESERVED → MEETING')
    expect(later.sent).toHaveLength(6)
  })

  test('takes several states, of which any counts', async () => {
    expect((await cli('room watch r-standup r-retro --until-status MEETING --until-status ended')).exit).toBe(0)
  })

  test('ends it with 12 if --timeout runs out first, and says which room has another state', async () => {
    const ran = await limited('room watch r-standup r-review --until-status MEETING', 6)
    expect(ran.exit).toBe(12)
    expect(ran.stderr).toContain('error: --timeout expired before all rooms were MEETING\n  why: r-review is IDLE\n')
    expect((await limited('room watch r-standup', 6)).exit).toBe(0)
  })

  test('ends it with 12 at once if a named room is ENDED, which is final', async () => {
    const ran = await cli('room watch r-retro --until-status MEETING')
    expect(ran).toMatchObject({exit: 12, stdout: ''})
    expect(ran.sent).toHaveLength(1)
    expect(ran.stderr).toContain('error: room r-retro can no longer be MEETING\n  why: it is ENDED, which is final\n')
    const ends = await watched({
      words: ['r-standup', '--until-status', 'IDLE'],
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
  })

  test('never ends with 0 for no room, nor for one that disappeared', async () => {
    const none = await limited("room watch --match 'nobody*' --until-status ENDED -o ndjson", 4)
    expect(none.exit).toBe(12)
    expect(JSON.parse(none.stderr.split('\n').at(-2) ?? '').error).toMatchObject({code: 'waited', exit_code: 12})
    const gone = await watched({
      words: ['r-standup', '--until-status', 'ENDED'],
      ...one('r-standup'),
      steps: [async () => refusal('CE002', 'no such room')],
    })
    expect(gone.exit).toBe(6)
    expect(gone.stderr).toContain('error: room r-standup disappeared before the watch ended')
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

  test('is an event with both its ends, before what happened in it', async () => {
    const ran = await watched({
      words: ['r-standup', '-o', 'ndjson', '--retries', '0'],
      ...one('r-standup'),
      steps: [nothing, down, down, leaves('r-standup', 'ben'), leaves('r-standup', 'ann')],
      onWait: async () => undefined,
    })
    const events = jsonLines(ran.stdout)
    const [gap, ben, ann] = events
    expect(events.map(({event}) => event)).toEqual(['gap', 'left', 'left', 'host-changed'])
    expect(gap).toMatchObject({room_id: null, name: null, why: expect.stringContaining('503')})
    // Seen at 12:00:05 and, after three pauses of 5 s, again.
    expect(gap.after).toBe('2026-12-01T12:00:05Z')
    expect(gap.at).toBe('2026-12-01T12:00:20Z')
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

  test('in which the watch ends is reported, and it ends with 9, also under --until-status', async () => {
    await everyCase(['', '--until-status ENDED', "--match '*'"], async (words) => {
      const isList = words.startsWith('--match')
      const answered = isList ? 12 : 2
      const line = `room watch ${isList ? '' : 'r-standup'} ${words} --retries 0 -o ndjson`
      const ran = await limited(line, answered + 4, (seen) => (seen > answered ? page(503) : undefined))
      expect(ran.exit).toBe(9)
      const [gap] = ran.stdout.split('\n').map((one) => (one === '' ? undefined : JSON.parse(one)))
      expect(gap).toMatchObject({event: 'gap', at: expect.any(String), after: expect.any(String), room_id: null})
      expect(JSON.parse(ran.stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
        code: 'unseen',
        exit_code: 9,
      })
    })
  })

  test('of one room of several is shown for that room alone', async () => {
    let isDown = false
    const store = await demoStore()
    const sandbox = sandboxOf(store)
    const controller = new AbortController()
    let looks = 0
    const ran = await cli(['room', 'watch', 'r-standup', 'r-townhall', '-o', 'ndjson', '--retries', '0'], {
      signal: controller.signal,
      onWait: async () => {
        looks += 1
        isDown = looks < 3
        if (looks > 4) controller.abort()
      },
      transport: async (request) =>
        isDown && request.url.pathname.endsWith('/r-standup') ? page(503) : sandbox(request),
    })
    const events = jsonLines(ran.stdout)
    expect(events).toMatchObject([{event: 'gap', room_id: 'r-standup', after: at}])
  })

  test('before the first answer ends the watch with 9 when its time runs out', async () => {
    await everyCase(['', ' --until-status ENDED'], async (words) => {
      const ran = await limited(`room watch r-standup${words}`, 0, () => new Promise(() => undefined))
      expect([ran.exit, ran.stdout]).toEqual([9, ''])
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
  ])('does not include HTTP %i: the watch ends with %i', async (status, exit) => {
    const ran = await watched({words: ['r-standup'], ...one('r-standup'), steps: [nothing, async () => page(status)]})
    expect(ran).toMatchObject({exit, stdout: ''})
  })
})

describe('time without polls', () => {
  /** The events of a watch that pauses, or whose clock is set, before its third poll. */
  async function paused(sleptMs: number, setMs: number) {
    let set = 0
    let waits = 0
    const ran = await watched({
      words: ['r-standup', '-o', 'ndjson'],
      ...one('r-standup'),
      steps: [nothing, leaves('r-standup', 'ben'), nothing],
      onWait: async () => {
        waits += 1
        if (waits === 2) set = setMs
        return waits === 2 ? sleptMs : 0
      },
      setMs: () => set,
    })
    return jsonLines(ran.stdout)
  }

  test('is a gap before what happened in it: the process slept', async () => {
    const [gap, left] = await paused(25_000, 0)
    expect(gap).toMatchObject({event: 'gap', room_id: null, why: expect.stringMatching(/did not run for 3[01]s$/u)})
    expect(left).toMatchObject({event: 'left', after: gap.after, at: gap.at})
  })

  test('is a gap if the clock was set forward, or the machine slept', async () => {
    const [gap] = await paused(0, 3_600_000)
    expect(gap.why).toBe('the machine slept, or its clock was set forward, by 1h')
  })

  test('is no gap if the clock was set back, and no event begins after its end', async () => {
    const events = await paused(0, -3_600_000)
    expect(events.map(({event}) => event)).toEqual(['left'])
    const [{after, at: seen}] = events
    expect(seen < at).toBe(true)
    expect(Date.parse(seen) - Date.parse(after)).toBeLessThanOrEqual(7000)
  })

  test('is not reported after a short pause, nor after a step of the clock within a second', async () => {
    for (const [sleptMs, setMs] of [
      [5000, 0],
      [0, 900],
    ] as const) {
      expect((await paused(sleptMs, setMs)).map(({event}) => event)).toEqual(['left'])
    }
  })
})

describe('an invalid watch is refused before anything is sent', () => {
  test.each([
    ['-o json', 'room watch does not support -o json'],
    ['-q', 'room watch does not support -o ids'],
    ['--columns name', 'this command does not take --columns'],
    ['--interval 100ms', '--interval takes 1s to 1h, not 100ms'],
    ['--timeout 100d', '--timeout of a watch takes 1ms to 24d, not 100d'],
    ['r-standup --empty', 'ROOM and --empty cannot be given together'],
    ['--until-status IDEL', '--until-status takes RESERVED, MEETING, IDLE or ENDED, not IDEL'],
  ])('%s', async (words, message) => {
    const ran = await cli(`room watch ${words}`)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(message)
  })
})
