import {readdirSync} from 'node:fs'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {seeded} from '../../bench/kills/seeded.js'
import {serve} from '../../src/api/http/server/serve.js'
import {enterSandboxRoom, leaveSandboxRoom, seedSandbox} from '../../src/sandbox/demo/scenarios.js'
import {createSandbox, servedToken} from '../../src/sandbox/sandbox.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {newWorld} from '../../src/sandbox/world/world.js'
import {page} from '../commands/answers.js'
import {afterFile} from '../support/afterFile.js'
import {filesOf} from '../support/files.js'
import {inOneProcess} from '../support/inOneProcess.js'
import {freshPlace, type Place, start} from './place.js'

/** Each is recorded by a watch of its own. */
const rooms = 10
/** With four stays each: 10,000 enters and leaves. */
const [visitorsEach, stays] = [125, 4]
const kills = 50

/** A user enters and leaves by turns, at least N milliseconds apart. */
interface Person {
  readonly user: string
  readonly pausesMs: readonly number[]
  changes: number
  changedAt: number
  /** How long it was in the room. */
  truthMs: number
}

/** A room of the sandbox, and how its watch has read it. */
class Room {
  /** When the reading before the last one began: a watch that reads again has written what it read. */
  writtenAt = 0
  /** Of the run of the watch. */
  readings = 0
  /** From the beginning of a reading to the end of the next. */
  longestLookMs = 0
  outageUntil = 0
  /** During an outage. */
  refusals = 0
  #readAt = 0
  /** Since the last reading no outage and no other run began. */
  #isSeen = false

  constructor(
    readonly id: string,
    /** No user enters and leaves, or leaves and returns, unseen: that is in no event. */
    readonly visitors: readonly Person[],
    /** They stay all the time, but are away during gaps. */
    readonly restless: readonly Person[],
  ) {}

  beginRun(): void {
    this.readings = 0
    this.#isSeen = false
  }

  noteReading(from: number): void {
    if (this.readings > 0) this.writtenAt = this.#readAt
    if (this.#isSeen) this.longestLookMs = Math.max(this.longestLookMs, Date.now() - this.#readAt)
    this.readings += 1
    this.#isSeen = true
    this.#readAt = from
  }

  isOut(now: number): boolean {
    const isOut = now < this.outageUntil
    if (isOut) this.#isSeen = false
    this.refusals = isOut ? this.refusals + 1 : 0
    return isOut
  }

  get isOver(): boolean {
    return this.visitors.every(({changes}) => changes === 2 * stays)
  }
}

/** Changes are made in place: a copy of the whole world for each would take most of the time. */
function storeInPlace(): WorldStore {
  const world = newWorld()
  return {
    read: async (work) => work(world),
    change: async (work) => work(world),
    addResource: async () => undefined,
    replace: async () => undefined,
  }
}

async function serveRooms(store: WorldStore, all: readonly Room[]) {
  await seedSandbox(store, new Date())
  await store.change((world) => {
    const like = world.rooms.find((room) => room.room_id === 'r-townhall')
    if (!like) return
    const open = {max_attendee_count: 1000, is_public: true, is_joinable: true, is_elect_host: true}
    world.rooms = all.map(({id}) => ({...like, ...open, room_id: id, attendees: []}))
  })
  const sandbox = createSandbox({store, now: () => new Date(), files: filesOf(store)})
  const server = await serve(
    async (request) => {
      const from = Date.now()
      const room = all.find(({id}) => request.url.pathname.endsWith(`/${id}`))
      if (!room) throw new Error(`nobody reads ${request.url.pathname}`)
      if (room.isOut(from)) return page(503)
      const answer = await sandbox(request)
      room.noteReading(from)
      return answer
    },
    {port: 0},
  )
  afterFile(() => server.close())
  return {ROOMCTL_ROOM_URL: new URL('media', server.url).href, ROOMCTL_ROOM_TOKEN: await servedToken(store)}
}

async function enterOrLeave(store: WorldStore, room: Room, person: Person): Promise<void> {
  const enters = person.changes % 2 === 0
  await (enters ? enterSandboxRoom : leaveSandboxRoom)(store, room.id, person.user, new Date())
  const now = Date.now()
  if (!enters) person.truthMs += now - person.changedAt
  person.changedAt = now
  person.changes += 1
}

async function play(store: WorldStore, room: Room): Promise<void> {
  while (!room.isOver) {
    await pause(20)
    for (const one of room.visitors) {
      const {pausesMs, changes, changedAt} = one
      const isDue = Date.now() >= changedAt + (pausesMs[changes] ?? Number.POSITIVE_INFINITY)
      if (isDue && changedAt < room.writtenAt) await enterOrLeave(store, room, one)
    }
  }
}

interface Recording {
  readonly place: Place
  readonly store: WorldStore
  readonly room: Room
  readonly random: () => number
}

/** A watch that is killed repeatedly, in different moments of a look; every other run has an outage. */
async function record({place, store, room, random}: Recording): Promise<void> {
  const begin = () => {
    room.beginRun()
    const file = random() < 0.5 ? `${room.id}.ndjson` : `${room.id}.ndjson.1`
    return start(place, `exec roomctl room watch ${room.id} --initial -o ndjson --interval 1s --retries 0 >> ${file}`)
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await pause(20)
  }
  const read = (more: number) => {
    const {readings} = room
    return until(() => room.readings >= readings + more)
  }
  const allRestless = async () => {
    for (const one of room.restless) await enterOrLeave(store, room, one)
  }
  await pause(2000 * random())
  for (let kill = 0; kill < kills / rooms; kill += 1) {
    const watching = begin()
    await read(2 + Math.floor(2 * random()))
    if (kill === 0) await allRestless()
    room.outageUntil = Date.now() + (kill % 2 === 0 ? 1500 + 1500 * random() : 0)
    await until(() => room.refusals > 0 || Date.now() >= room.outageUntil)
    if (room.refusals > 0) {
      await allRestless()
      await until(() => Date.now() >= room.outageUntil)
      await allRestless()
    }
    await read(1 + Math.floor(2 * random()))
    await pause(1000 * random())
    watching.child.kill('SIGKILL')
    expect((await watching.ended).signal).toBe('SIGKILL')
    await allRestless()
    await pause(1000 * random())
    await allRestless()
  }
  const watching = begin()
  await until(() => room.isOver)
  await allRestless()
  await read(2)
  watching.child.kill('SIGINT')
  expect((await watching.ended).exit).toBe(130)
}

test('after 10,000 enters and leaves, outages and 50 kills of a watch every truth is inside its bounds', {
  timeout: 200_000,
}, async () => {
  const random = seeded(26)
  const personOf = (user: string) => ({
    user,
    pausesMs: Array.from({length: 2 * stays}, () => 4000 * random()),
    changes: 0,
    changedAt: 0,
    truthMs: 0,
  })
  const all = Array.from({length: rooms}, (_, room) => {
    const visitors = Array.from({length: visitorsEach}, (_, one) => personOf(`visitor-${room}-${one}`))
    return new Room(`r-${room}`, visitors, [personOf(`restless-${room}`)])
  })
  const store = storeInPlace()
  const place = freshPlace(await serveRooms(store, all))
  await Promise.all(all.flatMap((room, at) => [play(store, room), record({place, store, room, random: seeded(at)})]))

  const rows: Row[] = []
  const type = inOneProcess()
  for (const {id} of all) {
    const files = readdirSync(place.dir).filter((name) => name.startsWith(`${id}.ndjson`))
    const words = ['room', 'attendance', ...files, '-o', 'json']
    const {stdout, exit} = await type({words, cwd: place.dir, env: place.env})
    expect(exit).toBe(0)
    rows.push(...JSON.parse(stdout))
  }
  const byUser = new Map(rows.map((row) => [row.user_id, row]))
  const truths = all.flatMap((room) =>
    [...room.visitors, ...room.restless].map(({user, truthMs}) => ({room, truthMs, row: byUser.get(user)})),
  )
  expect(rows).toHaveLength(truths.length)
  const outside = truths.filter(({row, truthMs}) => !isInside(row, truthMs))
  expect(outside.map(({row, truthMs}) => ({truthMs, ...row}))).toEqual([])
  const wide = truths.filter(({row, room}) => isWide(row, room))
  expect(wide.map(({row, room}) => ({look: room.longestLookMs, ...row}))).toEqual([])
})

interface Row {
  readonly user_id: string
  readonly sessions: number
  readonly minutes_least: number
  readonly minutes_most: number | null
  readonly unseen_minutes: number
}

function isInside(row: Row | undefined, truthMs: number): boolean {
  const minutes = truthMs / 60_000
  return row?.minutes_most != null && row.minutes_least <= minutes && minutes <= row.minutes_most
}

/** Wider than two looks a session outside gaps; `after` and `at` are rounded to seconds, and minutes to hundredths. */
function isWide(row: Row | undefined, {longestLookMs}: Room): boolean {
  if (row?.minutes_most == null) return true
  const twoLooks = (2 * (longestLookMs + 2000)) / 60_000
  return row.minutes_most - row.minutes_least > row.sessions * twoLooks + row.unseen_minutes + 0.03
}
