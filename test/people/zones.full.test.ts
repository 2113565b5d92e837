import {execFileSync} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterEach, beforeAll, describe, expect, test, vi} from 'vitest'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {cli, demoStore, freshHome, noon} from '../support/cli.js'

const zones = ['Asia/Seoul', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC']

interface Told {
  readonly shown: readonly {readonly instant: string; readonly local: string}[]
  readonly read: readonly {readonly wall: string; readonly instant: string}[]
  readonly skipped: readonly string[]
  readonly repeated: readonly string[]
}

const oracle = fileURLToPath(new URL('zones.py', import.meta.url))
const told: Readonly<Record<string, Told>> = JSON.parse(execFileSync('python3', [oracle, ...zones], {encoding: 'utf8'}))
const moments = told.UTC?.shown.map(({instant}) => instant) ?? []

let store: WorldStore
let home: string

/** A room for each moment, whose id is its place in their order, and a line of the journal for each. */
beforeAll(async () => {
  store = await demoStore()
  await store.change((world) => {
    const [one] = world.rooms
    if (!one) throw new Error('the demonstration has no room')
    world.rooms.splice(0, world.rooms.length)
    const {start_time: _, ...reserved} = one
    for (const [at, instant] of moments.entries()) {
      world.rooms.push({
        ...structuredClone(reserved),
        room_id: `t-${at}`,
        room_status: 'RESERVED',
        reserved_start_time: instant,
      })
    }
  })
  home = freshHome()
  const folder = path.join(home, '.local/state/roomctl')
  mkdirSync(folder, {recursive: true, mode: 0o700})
  const line = (instant: string, at: number) =>
    JSON.stringify({
      at: instant,
      profile: 'sandbox',
      operation: 'room.end',
      targets: {roomId: `t-${at}`},
      outcome: 'done',
    })
  writeFileSync(path.join(folder, 'journal.ndjson'), `${moments.map(line).join('\n')}\n`, {mode: 0o600})
})

afterEach(() => {
  vi.unstubAllEnvs()
})

test('the independent calculation has the clock changes of three zones', () => {
  expect(moments).toHaveLength(12)
  expect(zones.map((zone) => [told[zone]?.skipped.length, told[zone]?.repeated.length])).toEqual([
    [0, 0],
    [1, 1],
    [1, 1],
    [1, 1],
    [0, 0],
  ])
})

describe.each(zones)('in %s', (zone) => {
  const {shown, read, skipped, repeated} = told[zone] ?? {shown: [], read: [], skipped: [], repeated: []}
  const toTheMinute = (local: string) => local.replace(/:\d\d (?=[+-])/u, ' ')
  /** In a table without a requested zone, on the first of December 2026. */
  const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
  const short = (local: string) => {
    const [, year, month, day, time] = /^(\d+)-(\d\d)-(\d\d) (\d\d:\d\d)/u.exec(local) ?? []
    return `${months[Number(month) - 1]} ${day} ${year === '2026' ? '' : `${year} `}${time}`
  }
  const run = (line: string, env: Record<string, string> = {}, columns?: number) =>
    cli(line, {store, home, env, ...(columns ? {columns} : {})})

  /** The ways to choose this zone. */
  const ways = [
    {name: 'TZ', tz: zone, flag: '', env: {}},
    {name: '--tz', tz: 'Pacific/Apia', flag: ` --tz ${zone}`, env: {}},
    {name: 'ROOMCTL_TZ', tz: 'Pacific/Apia', flag: '', env: {ROOMCTL_TZ: zone}},
  ]

  test.each(ways)(
    'a list, a card and the history show each moment as it is there, by $name',
    async ({name, tz, flag, env}) => {
      vi.stubEnv('TZ', tz)
      const list = await run(`room list --asc --no-header --columns id,start${flag}`, env, 200)
      const rows = list.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/u))
      const isAsked = name !== 'TZ'
      expect(rows).toEqual(shown.map(({local}, at) => [`t-${at}`, isAsked ? toTheMinute(local) : short(local)]))
      const card = await run(`room show t-0${flag}`, env, 200)
      expect(card.stdout).toContain(shown[0]?.local)
      const history = await run(`history --limit 100 --no-header --columns at,target${flag}`, env, 200)
      for (const {local} of shown) expect(history.stdout).toContain(isAsked ? local : short(local))
    },
  )

  test('off a terminal a zone that is asked for is RFC 3339, UTC is UTC, and JSON is what the service said', async () => {
    vi.stubEnv('TZ', zone)
    const asked = await run(`room list --asc --no-header --columns start --tz ${zone}`)
    expect(asked.stdout.trimEnd().split('\n')).toEqual(shown.map(({local}) => local.replace(' ', 'T').replace(' ', '')))
    const utc = await run('room list --asc --no-header --columns start --tz utc', {}, 200)
    expect(utc.stdout.trimEnd().split('\n')).toEqual(
      moments.map((instant) => `${instant.slice(0, 16).replace('T', ' ')}Z`),
    )
    const json = await run('room list --asc -o json')
    expect(JSON.parse(json.stdout).map((room: {reserved_start_time: string}) => room.reserved_start_time)).toEqual(
      moments,
    )
  })

  test.each(read)('$wall is $instant, wherever a time is typed', async ({wall, instant}) => {
    for (const [tz, flag] of [
      ['Pacific/Apia', zone],
      [zone, 'local'],
    ] as const) {
      vi.stubEnv('TZ', tz)
      const create = await run(`room create X --created-by ann --start ${wall} --for 1h --tz ${flag} --dry-run -o json`)
      const [{body}] = JSON.parse(create.stdout)
      const [start, end] = [body.reserved_start_time, body.reserved_end_time].map((text) => Date.parse(text))
      expect([start, end]).toEqual([Date.parse(instant), Date.parse(instant) + 3_600_000])
      const push = `push broadcast --title a --body b --application-id app-1 --at ${wall} --tz ${flag} --dry-run -o json`
      expect((await run(push)).stdout).toContain(instant.replace(/[-:Z]/gu, ''))
      const since = await run(`history --limit 100 --since ${wall} --tz ${flag} -o json`)
      const after = JSON.parse(since.stdout).filter(
        ({profile, at}: {profile: string; at: string}) => profile === 'sandbox' && at > noon.toISOString(),
      )
      expect(after.map(({at}: {at: string}) => at).sort()).toEqual(moments.filter((moment) => moment >= instant))
    }
  })

  test.each([...skipped.map((wall) => [wall, 'does not exist']), ...repeated.map((wall) => [wall, 'happens twice'])])(
    '%s %s, and each place says so and sends nothing',
    async (wall, why) => {
      const lines = [
        `room create X --created-by ann --start ${wall} --for 1h`,
        `push broadcast --title a --body b --application-id app-1 --at ${wall} --confirm app-1`,
        `history --since ${wall}`,
      ]
      for (const line of lines) {
        const ran = await run(`${line} --tz ${zone}`)
        expect({exit: ran.exit, sent: ran.sent}, line).toEqual({exit: 2, sent: []})
        expect(ran.stderr).toContain(why)
        expect(ran.stderr).toMatch(/give an offset: \S+[+-]\d\d:\d\d or \S+[+-]\d\d:\d\d/u)
      }
    },
  )
})

test.each(['Nowhere/Bad', '+09:00', 'Asia', 'seoul'])(
  'the zone %s is refused by flag, variable and setting',
  async (zone) => {
    const cases: [string, Record<string, string>][] = [
      [`room list --tz ${zone}`, {}],
      ['room list', {ROOMCTL_TZ: zone}],
      [`config set tz ${zone} -p live`, {}],
    ]
    for (const [line, env] of cases) {
      const ran = await cli(line, {store, env})
      expect([2, 3], line).toContain(ran.exit)
      expect(ran.stderr).toMatch(/local, utc or a zone like Asia\/Seoul/u)
    }
  },
)
