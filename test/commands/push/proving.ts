import {createPublicKey} from 'node:crypto'
import http from 'node:http'
import net from 'node:net'
import {afterEach, beforeEach, expect, vi} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli, type Ran} from '../../support/cli.js'
import {type Gateway, type GatewayAnswer, type GatewayOptions, serveGateway} from '../../support/gateway.js'
import {listen} from '../../support/listen.js'

export const workshop = new TestCredentials()
export const pem = workshop.key('apns', 'P-256')
export const keys = [{keyId: 'KEY7654321', teamId: 'TEAM123456', publicKey: publicKeyOf(pem)}]
export const file = workshop.file('AuthKey_KEY7654321.p8', pem)
export const ids = ['--bundle-id', 'com.example.rooms', '--team-id', 'TEAM123456']
export const password = 'correct horse'
export const p12 = workshop.file('push.p12', workshop.p12({certificates: [workshop.certificate()], password}))
export const passwordFile = workshop.file('password.txt', `${password}\n`)
export const byCertificate = ['push', 'prove', p12, '--password-file', passwordFile]

/** Deadlines pass in no time of the machine: only when a client has all that its gateway sends. */
export function stepDeadlines(): void {
  beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}))
  afterEach(() => void vi.useRealTimers())
}

/** The longest deadline of a try passes. */
export const passDeadline = () => void vi.advanceTimersByTime(10_000)

export function publicKeyOf(privateKey: string): string {
  return createPublicKey(privateKey).export({type: 'spki', format: 'pem'}).toString()
}

interface Asked {
  /** The gateway that is asked; a new one otherwise. */
  readonly gateway?: Gateway
  readonly line?: readonly string[]
  readonly more?: readonly string[]
  readonly env?: Record<string, string>
}

/** Proves the key, or what `line` says, by a gateway of the test. */
export async function proven(options: GatewayOptions = {}, asked: Asked = {}): Promise<{gateway: Gateway; ran: Ran}> {
  const gateway = asked.gateway ?? (await serveGateway({keys, onWait: passDeadline, ...options}))
  const {line = ['push', 'prove', file, ...ids], more = [], env = {}} = asked
  const words = [...line, '--server', gateway.url, '--ca-file', gateway.caFile, ...more]
  return {gateway, ran: await cli(words, {env})}
}

/** The same with its rows, by `-o json`. */
export async function rowsOf(options: GatewayOptions = {}, {more = [], ...asked}: Asked = {}) {
  const {gateway, ran} = await proven(options, {...asked, more: [...more, '-o', 'json']})
  return {gateway, exit: ran.exit, stderr: ran.stderr, rows: JSON.parse(ran.stdout)}
}

/** A gateway whose answers are the test's, one after the other. */
export async function answering() {
  let answer: GatewayAnswer = 'silent'
  const gateway = await serveGateway({answer: () => answer})
  return (given: GatewayAnswer, asked: Asked = {}) => {
    answer = given
    return rowsOf({}, {...asked, gateway})
  }
}

export const row = (verdict: string, reason: string | null, http_status: number | null, host: string) => ({
  environment: 'production',
  verdict,
  reason,
  http_status,
  host,
  message: expect.any(String),
})

/** A proxy that sends every host to the gateway on `port`; its requests. */
export async function proxyTo(port: number) {
  const asked: string[] = []
  const proxy = http.createServer((_, response) => response.end())
  proxy.on('connect', (request, client: net.Socket) => {
    asked.push(request.url ?? '')
    client.on('error', () => undefined)
    const onward = net.connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    onward.on('error', () => client.destroy())
    client.on('close', () => onward.destroy())
  })
  return {asked, env: {HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`}}
}
