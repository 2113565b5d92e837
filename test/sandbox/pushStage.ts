import {onTestFinished} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {serve} from '../../src/api/http/server/serve.js'
import {seedSandbox} from '../../src/sandbox/demo/scenarios.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {type Choices, newWorld} from '../../src/sandbox/world/world.js'
import {type Answer, exchange} from '../support/exchange.js'
import {filesOf} from '../support/files.js'

export const noon = new Date('2026-12-01T12:00:00Z')

/** Of the demonstration: not yet sent, and sent a day ago. */
export const scheduled = '0f8fad5b-d9cb-469f-a165-70867728950e'
export const sent = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

export type Headers = Readonly<Record<string, string>>

export interface PushStage {
  readonly origin: string
  readonly store: WorldStore
  /** Sends a literal request, `GET /push/v1/config?application_id=app-1`, with the token unless another header is given. */
  ask(line: string, body?: object | string | Buffer, headers?: Headers): Promise<Answer>
  /** Lets time go by. */
  pass(minutes: number): void
}

/** A sandbox with the demonstration, on a port of its own, whose clock is at noon until it is told otherwise. */
export async function pushStage(choices: Partial<Choices> = {}): Promise<PushStage> {
  const store = memoryStore(newWorld({choices}))
  await seedSandbox(store, noon)
  let clock = noon.getTime()
  const server = await serve(createSandbox({store, now: () => new Date(clock), files: filesOf(store)}), {port: 0})
  onTestFinished(() => server.close())
  const {origin} = server.url
  return {
    origin,
    store,
    ask: (line, body, headers = {}) => ask(origin, line, body, headers),
    pass(minutes) {
      clock += minutes * 60_000
    },
  }
}

function ask(origin: string, line: string, body: object | string | Buffer | undefined, headers: Headers) {
  const [method = '', path = ''] = line.split(' ')
  const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const common = {
    Authorization: 'Bearer sandbox-application-token',
    ...(bytes === undefined || 'Transfer-Encoding' in headers ? {} : {'Content-Length': Buffer.byteLength(bytes)}),
  }
  return exchange(`${origin}${path}`, {method, headers: {...common, ...headers}}, bytes)
}

const boundary = '----a-boundary-of-the-test'

/** The header of a body that `parts` makes. */
export const multipartType = {'Content-Type': `multipart/form-data; boundary=${boundary}`}

/** A multipart/form-data body, written by hand: texts as fields, bytes as files. */
export function parts(fields: Readonly<Record<string, string | Buffer>>): Buffer {
  const written = Object.entries(fields).flatMap(([name, value]) => {
    const isFile = Buffer.isBuffer(value)
    const type = isFile ? '; filename="a.bin"\r\nContent-Type: application/octet-stream' : ''
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${type}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]
  })
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)])
}

/** The configuration record, or undefined for 204. */
export async function configuration(on: PushStage, application: string) {
  return (await on.ask(`GET /push/v1/config?application_id=${application}`)).json
}

/** The transaction records that a query finds. */
export async function records(on: PushStage, query: string) {
  return (await on.ask(`GET /push/v1/transactions${query}`)).json ?? []
}
