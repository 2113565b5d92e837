import {setTimeout as pause} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import type {Room} from '../../src/sandbox/world/world.js'
import {type FaultyRooms, faultyRooms, journalOf, roomIn} from './faultyRooms.js'
import {type Ran, shell, start} from './place.js'

interface Result {
  readonly room_id: string
  readonly outcome: 'done' | 'failed' | 'not-tried'
  readonly error?: {readonly outcome: 'none' | 'applied' | 'unknown'; readonly exit_code: number}
}

/** The changes of a run to rooms, and their evidence at the service. */
const changes = [
  {line: 'room end -', isDone: (room: Room | undefined) => room?.room_status === 'ENDED'},
  {line: 'room delete -', isDone: (room: Room | undefined) => room === undefined, before: 'RESERVED'},
  {line: 'record stop -', isDone: (room: Room | undefined) => room?.recording === undefined, records: true},
  {
    line: "attendee block ben --match 'r-many*'",
    isDone: (room: Room | undefined) => room?.attendees.find((one) => one.user_id === 'ben')?.isBlocked === true,
  },
] as const

/**
 * Compares every verdict with the state of the service, and with the journal. Returns how often there was each. Flags
 * choose rooms in the order of the service, newest first.
 */
async function hold(
  {place, ids, store, made}: FaultyRooms,
  ran: Ran,
  isDone: (room: Room | undefined) => boolean,
  order: readonly string[] = ids,
): Promise<{done: number; failed: number; unknown: number; 'not-tried': number}> {
  const results: Result[] = JSON.parse(ran.stdout)
  const journal = journalOf(place)
  expect(results.map(({room_id}) => room_id)).toEqual(order)
  const counts = {done: 0, failed: 0, unknown: 0, 'not-tried': 0}
  for (const {room_id: id, outcome, error} of results) {
    const done = isDone(await roomIn(store, id))
    const verdict = error?.outcome === 'unknown' ? 'unknown' : outcome
    counts[verdict] += 1
    if (verdict !== 'unknown') expect({id, verdict, done}).toEqual({id, verdict, done: verdict === 'done'})
    expect(made.get(id) ?? 0, `${id} was changed once at most`).toBeLessThanOrEqual(1)
    const lines = journal.get(id) ?? []
    expect(lines.length, `${id} has a line at most`).toBeLessThanOrEqual(1)
    // What could not even be read has sent nothing, and has no line.
    if (lines[0]) expect({id, verdict: lines[0].outcome}).toEqual({id, verdict})
    else expect(verdict, `${id} has a line`).not.toMatch(/done|unknown/u)
  }
  return counts
}

// A seed is an order of faults; each of the forty targets of each line meets one of its own.
describe.each(changes)('$line, when a third of all requests go wrong', ({line, isDone, ...setting}) => {
  test('ends every target with its true outcome', {timeout: 60_000}, async () => {
    const world = await faultyRooms({seed: 1, rooms: 40, share: 0.33})
    const {ids, store, place, struck} = world
    await store.change(({rooms}) => {
      for (const room of rooms.filter((one) => ids.includes(one.room_id))) {
        if ('before' in setting) room.room_status = setting.before
        if ('records' in setting) room.recording = {layout: 'GRID', startedAt: new Date().toISOString()}
      }
    })
    // A listing that fails too often is the failure of the command: nothing was decided yet.
    const ran = await shell(place, `roomctl ${line} --yes --retries 5 -o json --progress none`, {
      stdin: ids.map((id) => `${id}\n`).join(''),
    })
    const counts = await hold(world, ran, isDone, line.includes('--match') ? ids.toReversed() : ids)
    expect(ran.exit).toBe(counts.done === ids.length ? 0 : 11)
    expect(new Set(struck).size).toBeGreaterThan(4)
    expect(counts.done).toBeGreaterThan(10)
  })
})

test('a service that goes away in the middle leaves no target without a true verdict', {timeout: 60_000}, async () => {
  const world = await faultyRooms({seed: 1, rooms: 40, share: 0.1, goesAwayAfter: 40})
  const ran = await shell(world.place, 'roomctl room end - --yes --retries 1 --timeout 5s -o json', {
    stdin: world.ids.map((id) => `${id}\n`).join(''),
  })
  expect(ran.exit).toBe(11)
  const counts = await hold(world, ran, (room) => room?.room_status === 'ENDED')
  expect(counts.done).toBeGreaterThan(5)
  expect(counts.failed).toBeGreaterThan(5)
})

describe('Ctrl-C in the middle of a run of the real program', () => {
  const isEnded = (room: Room | undefined) => room?.room_status === 'ENDED'

  test('lets running changes end, reports the rest as not tried, and ends with 130', {timeout: 60_000}, async () => {
    const world = await faultyRooms({seed: 1, rooms: 60, share: 0, takes: 250})
    const running = start(world.place, 'exec roomctl room end - --as ann --yes --concurrency 5 -o json --progress json')
    running.child.stdin?.end(world.ids.map((id) => `${id}\n`).join(''))
    await running.prints('"settled"')
    await pause(50)
    running.child.kill('SIGINT')
    const ran = await running.ended
    expect(ran.exit).toBe(130)
    const counts = await hold(world, ran, isEnded)
    expect(counts).toMatchObject({failed: 0, unknown: 0})
    expect(counts.done).toBeGreaterThan(0)
    expect(counts['not-tried']).toBeGreaterThan(0)
    expect(counts.done + counts['not-tried']).toBe(60)
  })

  test('a second one ends at once; the journal has finished changes, and running ones as unknown', {
    timeout: 60_000,
  }, async () => {
    const world = await faultyRooms({seed: 1, rooms: 60, share: 0, takes: 2000})
    const running = start(world.place, 'exec roomctl room end - --as ann --yes --concurrency 5 --progress json')
    running.child.stdin?.end(world.ids.map((id) => `${id}\n`).join(''))
    await running.prints('"settled"')
    running.child.kill('SIGINT')
    await pause(100)
    running.child.kill('SIGINT')
    const ran = await running.ended
    expect(ran).toMatchObject({exit: 130, stdout: ''})
    const journal = journalOf(world.place)
    const told = [...journal].map(([id, lines]) => ({id, outcomes: lines.map(({outcome}) => outcome)}))
    const [done, open] = ['done', 'unknown'].map((wanted) => told.filter(({outcomes: [is]}) => is === wanted))
    expect(done?.length).toBeGreaterThan(0)
    expect(open?.length).toBeLessThanOrEqual(5)
    // One line for each room, and no other outcome.
    expect(told.filter(({outcomes}) => outcomes.length !== 1)).toEqual([])
    expect(told).toHaveLength((done?.length ?? 0) + (open?.length ?? 0))
    for (const {id} of done ?? []) expect(isEnded(await roomIn(world.store, id))).toBe(true)
  })
})
