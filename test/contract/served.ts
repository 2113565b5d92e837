import {onTestFinished} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {serve} from '../../src/api/http/server/serve.js'
import {enterSandboxRoom, leaveSandboxRoom} from '../../src/sandbox/demo/scenarios.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import {newWorld} from '../../src/sandbox/world/world.js'
import {exchange} from '../support/exchange.js'
import {filesOf} from '../support/files.js'

/** An answer as a client of any make would see it. */
export interface Answered {
  readonly http: number
  readonly status: unknown
  readonly code: unknown
  readonly message: unknown
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into replies whose form is what they test
  readonly data: any
}

/** A sandbox on a port, and people who come and go in its rooms. */
export interface Served {
  /** Sends a literal request, `POST /media/v1/rooms`, with the application token unless another header is given. */
  send(line: string, body?: object | string, authorization?: string): Promise<Answered>
  enter(room: string, ...users: string[]): Promise<void>
  leave(room: string, ...users: string[]): Promise<void>
  /** A room of ann, its creator and host, and of ben; `body` adds to the create request. */
  create(body?: object): Promise<string>
  /** Such a room, brought into a state the way the document describes. */
  roomIn(state: string, body?: object): Promise<string>
}

export const application = 'Bearer the-application-token'
const now = () => new Date('2026-12-01T12:00:00Z')

export async function served(): Promise<Served> {
  const store = memoryStore(newWorld({applicationToken: 'the-application-token'}))
  const server = await serve(createSandbox({store, now, files: filesOf(store)}), {port: 0})
  onTestFinished(() => server.close())
  const on: Served = {
    send: (line, body, authorization = application) => sendTo(server.url.origin, line, body, authorization),
    async enter(room, ...users) {
      for (const user of users) await enterSandboxRoom(store, room, user, now())
    },
    async leave(room, ...users) {
      for (const user of users) await leaveSandboxRoom(store, room, user, now())
    },
    async create(body = {}) {
      const asked = {name: 'Standup', created_by: 'ann', host_selection_type: 'CREATOR', is_elect_host: true}
      const {data} = await on.send('POST /media/v1/rooms', {
        ...asked,
        is_joinable: true,
        attendees: ['ann', 'ben'],
        ...body,
      })
      return data.room_id
    },
    async roomIn(state, body) {
      const room = await on.create(body)
      if (state === 'RESERVED') return room
      await on.enter(room, 'ann', 'ben')
      if (state === 'IDLE') await on.leave(room, 'ben', 'ann')
      if (state === 'ENDED') await on.send(`POST /media/v1/rooms/${room}/end`, {requester_id: 'ann'})
      return room
    },
  }
  return on
}

async function sendTo(origin: string, line: string, body: object | string | undefined, authorization: string) {
  const [method = '', path = ''] = line.split(' ')
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const headers = {
    ...(authorization === '' ? {} : {Authorization: authorization}),
    ...(text === undefined ? {} : {'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text)}),
  }
  const answer = await exchange(`${origin}${path}`, {method, headers}, text)
  return read(answer.status, answer.text)
}

function read(httpStatus: number, text: string): Answered {
  const {status, error_code: code, message, data, ...rest} = JSON.parse(text)
  if (Object.keys(rest).length > 0) throw new Error(`the envelope has members that are not documented: ${text}`)
  return {http: httpStatus, status, code, message, data}
}
