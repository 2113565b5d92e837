import type {Runtime} from '../../../../src/cli/runtime/runtime.js'
import type {Session} from '../../../../src/cli/session/session.js'
import {Waiting} from '../../../../src/cli/session/waiting.js'
import {Failure} from '../../../../src/failure.js'
import {readCallBudget} from '../../../../src/features/watch/flags.js'
import {watchRooms} from '../../../../src/features/watch/watchRooms.js'
import {noStyle} from '../../../../src/text/text.js'

/** From a time to a time, in real milliseconds. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** What really happens, in milliseconds since the start: a clock that is never set. */
export interface World {
  readonly people: ReadonlyMap<string, readonly Stretch[]>
  /** When the clock of the machine is set, and by how many milliseconds. */
  readonly steps: readonly {readonly at: number; readonly byMs: number}[]
  readonly outages: readonly Stretch[]
}

interface RecorderRun {
  readonly from: number
  readonly killedAt: number
  /** While the process is stopped, or the lid is closed. */
  readonly stops: readonly Stretch[]
  readonly random: () => number
}

export interface Recorded {
  readonly lines: readonly string[]
  /** When the room was read, without the last readings, which a kill may have kept from being written. */
  readonly readings: readonly number[]
}

class Killed extends Error {}

/** The time at which every world begins. */
const began = Date.UTC(2026, 11, 1, 12)
export const intervalMs = 5000

export function isIn(stays: readonly Stretch[], at: number): boolean {
  return stays.some(({from, to}) => from <= at && at < to)
}

/** Records the world by a run of the watch, whose time passes only where it waits: for the service, and between looks. */
export async function record(world: World, {from, killedAt, stops, random}: RecorderRun): Promise<Recorded> {
  let time = from
  const lines: string[] = []
  const readings: number[] = []
  const timers = new Map<() => void, {readonly ms: number; due: number}>()
  const runsAt = (at: number) => stops.find((stop) => stop.from <= at && at < stop.to)?.to ?? at
  const pass = async (ms: number) => {
    const end = time + ms
    while (time < end) {
      const due = Math.min(end, ...Array.from(timers.values(), (timer) => timer.due))
      time = runsAt(Math.max(time, due))
      if (time >= killedAt) throw new Killed()
      for (const [call, timer] of timers) {
        if (timer.due > time) continue
        timer.due = time + timer.ms
        call()
      }
      // What a timer writes is written before the next thing happens.
      await Promise.resolve()
    }
  }
  const wall = () => began + time + world.steps.reduce((sum, {at, byMs}) => (at <= time ? sum + byMs : sum), 0)
  const isKilled = () => time >= killedAt
  const write = async (text: string) => {
    if (text !== '' && !isKilled()) lines.push(text)
  }
  const runtime = {
    now: () => new Date(wall()),
    elapsed: () => time,
    sleep: pass,
    every: (ms: number, call: () => void) => {
      timers.set(call, {ms, due: time + ms})
      return () => timers.delete(call)
    },
    random,
    signal: new AbortController().signal,
    stdout: {
      isTerminal: false,
      closed: false,
      write,
    },
    stderr: {isTerminal: false},
  }
  const call = async () => {
    const latency = 50 + 400 * random()
    await pass(latency * random())
    const at = time
    await pass(latency)
    if (isIn(world.outages, at)) throw new Failure({exit: 'temporary', message: 'HTTP 503'})
    readings.push(at)
    const attendees = Array.from(world.people, ([user_id, stays]) => ({user_id, is_present: isIn(stays, at)}))
    return {room_id: 'r-1', name: 'Room', room_status: 'MEETING', attendees}
  }
  const session = {
    runtime,
    api: {access: async () => ({base: new URL('http://127.0.0.1/media')}), call},
    rateLimited: () => session,
    output: {format: 'ndjson'},
    view: {style: noStyle, plain: false, time: String},
    resolved: {values: {concurrency: 4}, isSandbox: true},
    secrets: {mask: String},
    progress: () => undefined,
    warn: () => undefined,
    waiting: new Waiting(runtime as unknown as Runtime, () => undefined, false),
    endWith: () => undefined,
  } as unknown as Session
  const budget = readCallBudget(session.runtime, '20/s')
  await watchRooms({session, ranOut: () => false}, {ids: ['r-1'], intervalMs, initial: true, budget}).catch((error) => {
    if (!(error instanceof Killed) && !(error instanceof Failure)) throw error
  })
  return {lines, readings: readings.slice(0, -2)}
}
