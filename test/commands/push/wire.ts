import http from 'node:http'
import type {Circumstances} from '../../support/cli.js'
import {credentialRoutes} from '../../support/credentialRoutes.js'
import {listen} from '../../support/listen.js'

/** A request as it came over the socket, its body untouched. */
export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

/** `false`: the connection is reset once the whole request has arrived. */
export type Answer =
  | {readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>}
  | false

export interface PushWire {
  readonly origin: string
  readonly arrived: readonly Arrived[]
  /** The environment of a command that calls this service. */
  readonly env: NonNullable<Circumstances['env']>
}

/** A push service on a real socket of this machine, until the test ends; `nth` counts its requests from 1. */
export async function pushWire(answer: (request: Arrived, nth: number) => Answer): Promise<PushWire> {
  const arrived: Arrived[] = []
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const {method = '', url = '', headers} = request
      const bytes = Buffer.concat(pieces)
      const whole = {method, path: url, headers, body: bytes.toString('utf8'), bytes}
      arrived.push(whole)
      const given = answer(whole, arrived.length)
      if (given === false) {
        request.socket.resetAndDestroy()
        return
      }
      response.writeHead(given.status, {'content-type': 'application/json', ...given.headers})
      response.end(given.body === undefined ? undefined : JSON.stringify(given.body))
    })
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  return {
    origin,
    arrived,
    env: {
      ROOMCTL_PROFILE: 'default',
      ROOMCTL_PUSH_URL: `${origin}/push`,
      ROOMCTL_PUSH_TOKEN: 'token-of-the-test-9c1f',
      ...credentialRoutes,
    },
  }
}

/** The recipients of a request. */
export function recipientsOf({body}: Pick<Arrived, 'body'>): string[] {
  return JSON.parse(body).recipient_ids
}

/** 202 with a transaction for each recipient, whose status `statusOf` says. */
export function accepted(request: Arrived, statusOf: (recipient: string) => string = () => 'SUCCESS'): Answer {
  const transactions = recipientsOf(request).map((recipient) => ({
    recipient_id: recipient,
    transaction_id: `t-${recipient}`,
    transaction_type: 'PUSH',
    status: statusOf(recipient),
  }))
  return {status: 202, body: {transactions}}
}

/** `u1` to `uN`, one a line. */
export function listOf(count: number): string {
  return `${Array.from({length: count}, (_, at) => `u${at + 1}`).join('\n')}\n`
}
