import {text} from 'node:stream/consumers'
import {expect} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {enterSandboxRoom, leaveSandboxRoom} from '../../src/sandbox/demo/scenarios.js'
import {createSandbox, type SandboxOptions} from '../../src/sandbox/sandbox.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {newWorld} from '../../src/sandbox/world/world.js'
import {parsed} from '../support/exchange.js'
import {filesOf} from '../support/files.js'

export const token = 'sandbox-application-token'
export const noon = new Date('2026-12-01T12:00:00Z')

/** A whole answer. `json` is undefined if the body is not JSON. */
export interface Answer {
  readonly http: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into bodies whose form is what they test
  readonly json: any
}

export interface Stage {
  readonly store: WorldStore
  readonly transport: Transport
  /** Sends a literal request; the path is written whole, from the address on. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  enter(room: string, ...users: string[]): Promise<void>
  leave(room: string, ...users: string[]): Promise<void>
  /** Lets time go by. */
  pass(minutes: number): void
}

/** A sandbox of its own, with a clock that is at noon until it is told otherwise. */
export function stage(options: Partial<SandboxOptions> & Parameters<typeof newWorld>[0] = {}): Stage {
  const {store = memoryStore(newWorld(options)), ...rest} = options
  let clock = noon.getTime()
  const now = () => new Date(clock)
  const transport = createSandbox({now, files: filesOf(store), ...rest, store})
  return {
    store,
    transport,
    async send(method, path, body, headers = {authorization: `Bearer ${token}`}) {
      const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await transport({
        method,
        url: new URL(path, 'http://sandbox.localhost'),
        headers,
        ...(sent === undefined ? {} : {body: sent}),
      })
      const read = await text(answer.body)
      return {http: answer.status, headers: answer.headers, text: read, json: parsed(read)}
    },
    async enter(room, ...users) {
      for (const user of users) await enterSandboxRoom(store, room, user, now())
    },
    async leave(room, ...users) {
      for (const user of users) await leaveSandboxRoom(store, room, user, now())
    },
    pass(minutes) {
      clock += minutes * 60_000
    },
  }
}

/** The least that a create request says, with ann as creator and host, and ben beside her. */
export const annsRoom = {
  name: 'Standup',
  created_by: 'ann',
  host_selection_type: 'CREATOR',
  is_elect_host: true,
  is_joinable: true,
  attendees: ['ann', 'ben'],
}

/** Creates a room and returns its id. */
export async function create(on: Stage, body: object = {}): Promise<string> {
  const answer = await on.send('POST', '/media/v1/rooms', {...annsRoom, ...body})
  if (answer.json?.status !== 'SUCCESS') throw new Error(`no room was created: ${answer.text}`)
  return answer.json.data.room_id
}

/** A room of ann and ben, brought into a state the way that the document describes. */
export async function roomIn(on: Stage, state: string, body: object = {}): Promise<string> {
  const room = await create(on, body)
  if (state === 'RESERVED') return room
  await on.enter(room, 'ann', 'ben')
  if (state === 'IDLE') await on.leave(room, 'ben', 'ann')
  if (state === 'ENDED') await on.send('POST', `/media/v1/rooms/${room}/end`, {requester_id: 'ann'})
  return room
}

/** The room as the detail shows it. */
export async function detail(on: Stage, room: string) {
  return (await on.send('GET', `/media/v1/rooms/${room}`)).json.data
}

/** One attendee of a room as the detail shows it. */
export async function attendee(on: Stage, room: string, user: string) {
  const {attendees} = await detail(on, room)
  return attendees.find((entry: {user_id: string}) => entry.user_id === user)
}

/** The expected refusal. */
export function refusal(code: string, message: RegExp = /./) {
  return {status: 'FAIL', error_code: code, message: expect.stringMatching(message)}
}
