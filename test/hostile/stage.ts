import http from 'node:http'
import type net from 'node:net'
import type {Operation} from '../../src/api/contract/operation.js'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import {afterFile} from '../support/afterFile.js'
import {demoStore, noon} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {filesOf} from '../support/files.js'
import {listen} from '../support/listen.js'
import {operationOf} from '../support/operations.js'

/** Answers a request with anything that can be written to a connection. */
export type Answer = (response: http.ServerResponse, request: http.IncomingMessage) => unknown

/** What must not be in output on a terminal without colours: all but text and line ends. */
export const steers = /[^\P{C}\r\n]/u

/** The token of every request of a stage. It is invented, so any occurrence is ours. */
export const token = 'tok-5f2c9d1e7b3a4860'

/** A correct service, except for one operation. */
export interface Stage {
  readonly url: string
  /** The environment that leads to it, and needs no profile. */
  readonly env: Readonly<Record<string, string>>
  /** How the operation is answered from now on; undefined: as the sandbox does. */
  answer: Answer | undefined
  /** How often the operation was asked for. */
  asked: number
  /** The sandbox's last answer to the operation. */
  answered: {readonly status: number; readonly text: string} | undefined
  /** Called with every request. */
  hears?: (request: http.IncomingMessage) => void
}

/** The demonstration rooms on a port of their own, until the tests of the file are over. */
export async function stageFor(operation: Operation): Promise<Stage> {
  const sandbox = await sandboxOf(token)
  const server = http.createServer((incoming, outgoing) => {
    outgoing.on('error', () => {})
    stage.hears?.(incoming)
    if (stage.answer && isFor(operation, incoming)) {
      incoming.resume()
      stage.asked += 1
      stage.answer(outgoing, incoming)
      return
    }
    pass(sandbox, incoming, outgoing)
      .then((answered) => {
        if (isFor(operation, incoming)) stage.answered = answered
      })
      .catch(() => outgoing.destroy())
  })
  const url = await listening(server)
  const stage: Stage = {url, env: environmentOf(url), answer: undefined, asked: 0, answered: undefined}
  return stage
}

/** A sandbox that knows the token. */
export async function sandboxOf(applicationToken: string): Promise<Transport> {
  const store = await demoStore()
  const world = await store.read((current) => current)
  await store.replace({...world, applicationToken})
  return createSandbox({store, now: () => noon, files: filesOf(store)})
}

/** The environment that leads to a service at `url`, as the sandbox is served. */
export function environmentOf(url: string): Readonly<Record<string, string>> {
  return {
    ...lineEnvironment,
    ROOMCTL_ROOM_URL: `${url}/media`,
    ROOMCTL_ASSET_URL: `${url}/asset`,
    ROOMCTL_PUSH_URL: `${url}/push`,
    ROOMCTL_ROOM_TOKEN: token,
    ROOMCTL_ASSET_TOKEN: token,
    ROOMCTL_PUSH_TOKEN: token,
    ROOMCTL_RETRIES: '0',
    ROOMCTL_TIMEOUT: '5s',
  }
}

/** Serves on a loopback port until the tests of the file are over. */
export async function listening(server: net.Server): Promise<string> {
  return `http://127.0.0.1:${await listen(server, {until: afterFile})}`
}

/** Whether a request is one for the operation. */
function isFor(operation: Operation, {method = '', url = '/'}: http.IncomingMessage): boolean {
  return operationOf(method, url)?.id === operation.id
}

/** Lets a transport answer a request, and returns the answer. */
async function pass(transport: Transport, incoming: http.IncomingMessage, outgoing: http.ServerResponse) {
  const {method = '', url, headers} = incoming
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  const asked = {method, url: new URL(url ?? '/', `http://${headers.host}`), headers: Object.fromEntries(flat)}
  const {status, headers: answered, body} = await transport({...asked, body: incoming})
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  outgoing.writeHead(status, answered).end(Buffer.concat(chunks))
  return {status, text: Buffer.concat(chunks).toString()}
}
