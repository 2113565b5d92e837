import {readFileSync} from 'node:fs'
import path from 'node:path'
import {onTestFinished} from 'vitest'
import {seeded} from '../../bench/kills/seeded.js'
import {memoryStore} from '../../scripts/memoryStore.js'
import {serve} from '../../src/api/http/server/serve.js'
import {type Transport, WireError, type WireRequest, type WireResponse} from '../../src/api/http/wire/transport.js'
import {seedSandbox} from '../../src/sandbox/demo/scenarios.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {type Room, sandboxToken} from '../../src/sandbox/world/world.js'
import {isChange, page, refusal, reply} from '../commands/answers.js'
import {filesOf} from '../support/files.js'
import {freshPlace, type Place} from './place.js'

/** Faults of a request; with the word `after` the service has carried it out. */
const faults = [
  ...['503', 'CE101', 'reset', 'reset after', 'half an answer after'],
  ...['500 after', '502 after', '503 after'],
] as const
type Fault = (typeof faults)[number]

/** A room service with many rooms in MEETING; drawn requests fail. */
export interface FaultyRooms {
  readonly place: Place
  readonly ids: readonly string[]
  readonly store: WorldStore
  /** How often the service carried a change of each room out. */
  readonly made: ReadonlyMap<string, number>
  /** The faults that struck. */
  readonly struck: readonly Fault[]
}

interface Trouble {
  readonly seed: number
  readonly rooms: number
  /** The part of all requests that go wrong, from 0 to 1. */
  readonly share: number
  /** After N requests there are no answers. */
  readonly goesAwayAfter?: number
  /** Milliseconds that each request takes. */
  readonly takes?: number
}

/** Serves it until the test ends. */
export async function faultyRooms({seed: from, rooms, share, goesAwayAfter, takes = 0}: Trouble): Promise<FaultyRooms> {
  const random = seeded(from)
  const store = memoryStore()
  await seedSandbox(store, new Date())
  const ids = Array.from({length: rooms}, (_, at) => `r-many-${at}`)
  await store.change((world) => {
    const pattern = world.rooms.find((room) => room.room_id === 'r-standup')
    for (const id of ids) world.rooms.push({...structuredClone(pattern as Room), room_id: id, name: id})
  })
  const sandbox = createSandbox({store, now: () => new Date(), files: filesOf(store)})
  const made = new Map<string, number>()
  const struck: Fault[] = []
  let asked = 0

  const carryOut = async (request: WireRequest): Promise<WireResponse> => {
    const answer = await sandbox(request)
    const id = /\/rooms\/(r-many-\d+)/u.exec(request.url.pathname)?.[1]
    if (id !== undefined && isChange(request) && answer.status < 300) made.set(id, (made.get(id) ?? 0) + 1)
    return answer
  }
  const handler: Transport = async (request) => {
    asked += 1
    if (takes > 0) await new Promise((resolve) => setTimeout(resolve, takes))
    if (goesAwayAfter !== undefined && asked > goesAwayAfter) {
      void away()
      throw new WireError('reset', 'maybe', 'gone')
    }
    if (random() >= share) return carryOut(request)
    const fault = faults[Math.floor(random() * faults.length)] ?? '503'
    struck.push(fault)
    return strike(fault, () => carryOut(request))
  }
  const {url, close} = await serve(handler, {port: 0})
  let closed: Promise<void> | undefined
  const away = () => {
    closed ??= close()
    return closed
  }
  onTestFinished(away)
  const place = freshPlace({ROOMCTL_ROOM_URL: `${url.origin}/media`, ROOMCTL_ROOM_TOKEN: sandboxToken})
  return {place, ids, store, made, struck}
}

async function strike(fault: Fault, carryOut: () => Promise<WireResponse>): Promise<WireResponse> {
  if (fault === '503') return page(503, {'retry-after': '0'})
  if (fault === 'CE101') return refusal('CE101', 'busy')
  if (fault === 'reset') throw new WireError('reset', 'maybe', 'cut')
  await carryOut()
  if (fault === '500 after') return page(500)
  if (fault === '502 after') return page(502)
  if (fault === '503 after') return page(503)
  if (fault === 'reset after') throw new WireError('reset', 'maybe', 'cut')
  return {...reply(''), headers: {'content-type': 'application/json', 'content-length': '400'}, body: cutOff()}
}

async function* cutOff(): AsyncIterable<Uint8Array> {
  yield Buffer.from('{"status": "SUC')
  throw new Error('the connection is cut')
}

/** The room as the service has it; undefined if it is deleted. */
export function roomIn(store: WorldStore, id: string): Promise<Room | undefined> {
  return store.read((world) => structuredClone(world.rooms.find((room) => room.room_id === id)))
}

/** The journal of a place, by room. */
export function journalOf({env}: Place): Map<string, {readonly outcome: string}[]> {
  const text = readFileSync(path.join(env.ROOMCTL_STATE_DIR ?? '', 'journal.ndjson'), 'utf8')
  const byRoom = new Map<string, {outcome: string}[]>()
  for (const line of text.trimEnd().split('\n')) {
    const entry = JSON.parse(line)
    byRoom.set(entry.targets.roomId, [...(byRoom.get(entry.targets.roomId) ?? []), entry])
  }
  return byRoom
}
