import {appendFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {seeded} from '../../../bench/kills/seeded.js'
import {enterSandboxRoom, leaveSandboxRoom} from '../../../src/sandbox/demo/scenarios.js'
import type {WorldStore} from '../../../src/sandbox/world/store.js'
import {cli, demoStore, noon} from '../../support/cli.js'
import {freshFolder} from '../../support/folder.js'
import {page, sandboxOf} from '../answers.js'

const seed = 26
const rooms = ['r-townhall', 'r-first', 'r-party', 'r-support']
const people = 100
const changes = 10_000
const kills = 50
const intervalMs = 5000
/** Somebody stays, or stays away, for longer than nobody watches: what begins and ends unseen is in no event. */
const shortestMs = 90_000

interface Change {
  readonly at: number
  readonly room: string
  readonly user: string
  readonly enters: boolean
}

/** A world in which time passes only while a command waits. */
class World {
  now = noon.getTime()
  readonly truth = new Map<string, number>()
  #next = 0
  readonly #inside = new Map<string, number>()

  constructor(
    private readonly store: WorldStore,
    readonly script: readonly Change[],
  ) {}

  async pass(ms: number): Promise<void> {
    this.now += ms
    for (let change = this.script[this.#next]; change && change.at <= this.now; change = this.script[this.#next]) {
      this.#next += 1
      await this.#make(change)
    }
  }

  get isOver(): boolean {
    return this.#next >= this.script.length
  }

  async #make({at, room, user, enters}: Change): Promise<void> {
    const key = `${room} ${user}`
    if (enters) {
      await enterSandboxRoom(this.store, room, user, noon)
      this.#inside.set(key, at)
      return
    }
    await leaveSandboxRoom(this.store, room, user, noon)
    this.truth.set(key, (this.truth.get(key) ?? 0) + at - (this.#inside.get(key) ?? at))
  }
}

/** Each person is now here and now there; all have left at the end. */
function scriptOf(next: () => number): Change[] {
  const each = changes / people / 2
  const all = Array.from({length: people}, (_, one) => {
    let at = noon.getTime() + 20_000
    return Array.from({length: each}, () => {
      const room = rooms[Math.floor(next() * rooms.length)] ?? ''
      const from = at + shortestMs + next() * shortestMs
      at = from + shortestMs + next() * shortestMs
      return [
        {at: from, room, user: `user-${one}`, enters: true},
        {at, room, user: `user-${one}`, enters: false},
      ]
    })
  })
  return all.flat(2).toSorted((one, other) => one.at - other.at)
}

/** One run of the watch until `until`, with one outage; what it had written when it was killed. */
async function record(world: World, store: WorldStore, until: number, outage: readonly [from: number, to: number]) {
  const controller = new AbortController()
  const sandbox = sandboxOf(store)
  let beat: {readonly ms: number; readonly call: () => void; at: number} | undefined
  const {stdout} = await cli(`room watch ${rooms.join(' ')} --initial -o ndjson --retries 0`, {
    store,
    startsAt: new Date(world.now),
    signal: controller.signal,
    every: (ms, call) => {
      beat = {ms, call, at: world.now + ms}
      return () => {
        beat = undefined
      }
    },
    onWait: async (ms) => {
      await world.pass(ms)
      if (beat && world.now >= beat.at) {
        beat.call()
        beat.at = world.now + beat.ms
      }
      if (world.now >= until) controller.abort()
    },
    transport: async (request) => (world.now >= outage[0] && world.now < outage[1] ? page(503) : sandbox(request)),
  })
  return stdout
}

test('after 10,000 changes, outages and 50 cut recordings every truth lies inside its bounds', {
  timeout: 300_000,
}, async () => {
  const next = seeded(seed)
  const store = await demoStore()
  await store.change((world) => {
    for (const room of world.rooms) Object.assign(room, {maxAttendees: 1000, isPublic: true, isJoinable: true})
  })
  const script = scriptOf(next)
  const world = new World(store, script)
  const last = script.at(-1)?.at ?? 0
  const pieceMs = (last - world.now) / (kills + 3)
  const folder = freshFolder()
  const files = [0, 1, 2].map((one) => path.join(folder, `events-${one}.ndjson`))
  let killed = 0
  while (!world.isOver) {
    const from = world.now
    const begins = from + pieceMs * (0.3 + next() * 0.3)
    const text = await record(world, store, from + pieceMs * 0.95, [begins, begins + 10_000 + next() * 20_000])
    // What a kill leaves is a beginning of the whole, cut anywhere.
    const isKilled = !world.isOver
    const cutAt = text.lastIndexOf('\n', text.length - 2) + 1 - Math.floor(next() * 300)
    appendFileSync(files[Math.floor(next() * files.length)] ?? '', isKilled ? text.slice(0, cutAt) : text)
    if (!isKilled) continue
    killed += 1
    await world.pass(next() * 15_000)
  }
  // All have left; the last look shows it.
  appendFileSync(files[0] ?? '', await record(world, store, world.now + 30_000, [0, 0]))
  expect(killed).toBeGreaterThanOrEqual(kills)

  const ran = await cli(['room', 'attendance', ...files.toReversed(), '-o', 'json'])
  expect(ran.exit).toBe(0)
  const rows: Record<string, number | string | null>[] = JSON.parse(ran.stdout)
  const known = rows.filter(({user_id: user}) => String(user).startsWith('user-'))
  expect(known.map(({room_id: room, user_id: user}) => `${room} ${user}`).toSorted()).toEqual(
    [...world.truth.keys()].toSorted(),
  )
  const wrong = known.filter((row) => {
    const truth = (world.truth.get(`${row.room_id} ${row.user_id}`) ?? 0) / 60_000
    return Number(row.minutes_least) > truth || row.minutes_most === null || Number(row.minutes_most) < truth
  })
  expect(wrong).toEqual([])
  // An end of a session is one look and the rounding of two times to seconds wide: two ends, two looks.
  const looks = (2 * (intervalMs * 1.1 + 2000)) / 60_000
  const wide = known.filter(
    ({minutes_least: least, minutes_most: most, unseen_minutes: unseen, sessions}) =>
      Number(most) - Number(least) > Number(sessions) * looks + Number(unseen) + 0.03,
  )
  expect(wide).toEqual([])
})
