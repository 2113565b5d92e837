import http from 'node:http'
import {buffer} from 'node:stream/consumers'
import {memoryStore} from '../../scripts/memoryStore.js'
import type {Operation} from '../../src/api/contract/operation.js'
import type {Transport, WireResponse} from '../../src/api/http/wire/transport.js'
import {WireError} from '../../src/api/http/wire/transport.js'
import {seedSandbox} from '../../src/sandbox/demo/scenarios.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import {sandboxToken, type World} from '../../src/sandbox/world/world.js'
import {filesOf} from '../support/files.js'
import {operationOf} from '../support/operations.js'
import {answers, echoHeaders, type Kind} from './answers.js'
import {secretValues} from './canaries.js'
import type {Told} from './codings.js'

/** How the service answers the requests below one path. */
export interface Script {
  readonly kind: Kind
  /** The requests that fail: all, those after the first, changes, the chunks of uploads. */
  readonly about: 'all' | 'later' | 'changes' | 'chunks'
  /** Whether lines are run before, on which all goes well until `/NUMBER/ready` is asked for. */
  readonly prepared: boolean
  /** Whether the answer is shown as it is. */
  readonly isRaw: boolean
}

/** Where a line is. */
interface Stage {
  readonly service: Transport
  /** Whether the lines before it have run. */
  ready: boolean
  /** How many requests of its own it has sent. */
  count: number
}

/** A request of an operation that arrived; `script` is its number, `kind` how it was answered. */
export interface Arrived {
  readonly script: number
  readonly kind: Kind
  readonly operation: Operation | undefined
  readonly told: Told
}

export interface EchoService {
  readonly url: string
  readonly arrived: readonly Arrived[]
  /** The headers of requests to the other origin. */
  readonly elsewhere: readonly http.IncomingHttpHeaders[]
  close(): void
}

/** The services in the addresses `/NUMBER/media`, `/NUMBER/asset` and `/NUMBER/push`: each number has a script and a world. */
export async function echoService(scripts: readonly Script[]): Promise<EchoService> {
  const arrived: Arrived[] = []
  const elsewhere: http.IncomingHttpHeaders[] = []
  const other = await listening((request, response) => {
    elsewhere.push(request.headers)
    response.end()
  })
  const world = await demoWorld()
  const stages = new Map<number, Stage>()

  function stageOf(number: number, script: Script): Stage {
    const known = stages.get(number)
    if (known) return known
    // Lines run one after the other: earlier ones send nothing any more.
    stages.clear()
    const stage = {service: sandboxOf(world), ready: !script.prepared, count: 0}
    stages.set(number, stage)
    return stage
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const {method = '', url = '', headers} = request
    const [, first = '', rest = ''] = /^\/(\d+)(\/.*)$/.exec(url) ?? []
    const number = Number(first)
    const script = scripts[number]
    if (!script) throw new Error(`no script for ${url}`)
    const stage = stageOf(number, script)
    if (rest === '/ready') {
      stage.ready = true
      response.end()
      return
    }
    const body = await buffer(request)
    const told = {method, url, authorization: headers.authorization ?? '', body: textOf(body)}
    const operation = operationOf(method, rest)
    const kind = kindFor(script, operation, stage)
    arrived.push({script: number, kind, operation, told})
    if (kind !== 'success') {
      const {isRaw} = script
      answers[kind](response, {told, operation, isRaw, number: number + stage.count, elsewhere: other.url})
      return
    }
    const asked = {method, url: new URL(rest, `http://${headers.host}`), headers: headersOf(request), body}
    await send(response, await stage.service(asked), told, `/${number}`)
  }

  const server = await listening((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!(error instanceof WireError))
        arrived.push({script: -1, kind: 'success', operation: undefined, told: said(error)})
      response.destroy()
    })
  })
  return {
    url: server.url,
    arrived,
    elsewhere,
    close: () => {
      server.close()
      other.close()
    },
  }
}

/** A failure of this service itself. */
function said(error: unknown): Told {
  return {method: 'FAILED', url: error instanceof Error ? String(error.stack) : '', authorization: '', body: ''}
}

/** A body as text; a binary one, byte by byte. */
function textOf(body: Buffer): string {
  const text = body.toString('utf8')
  return Buffer.from(text).equals(body) ? text : body.toString('latin1')
}

/** How the next request of a line is answered. */
function kindFor({kind, about}: Script, operation: Operation | undefined, stage: Stage): Kind {
  if (!stage.ready) return 'success'
  const before = stage.count
  stage.count += 1
  if (about === 'all') return kind
  if (about === 'later') return before > 0 ? kind : 'success'
  const isMeant = about === 'chunks' ? operation?.id === 'asset.patch' : operation?.effect !== 'read'
  return isMeant ? kind : 'success'
}

async function demoWorld(): Promise<World> {
  const store = memoryStore()
  await seedSandbox(store, new Date())
  return store.read((world) => structuredClone(world))
}

function sandboxOf(world: World): Transport {
  const store = memoryStore(structuredClone(world))
  return createSandbox({store, now: () => new Date(), files: filesOf(store)})
}

/** As the sandbox wants them: with its own token. */
function headersOf({headers}: http.IncomingMessage): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return {...Object.fromEntries(texts), authorization: `Bearer ${sandboxToken}`}
}

/** The sandbox's answer, with the number before its own paths, an echo in headers and the token of the tests in a body. */
async function send(response: http.ServerResponse, answer: WireResponse, told: Told, number: string): Promise<void> {
  const chunks: Uint8Array[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  const {'content-length': _, ...headers} = answer.headers
  const numbered = (text: string) => text.replace(/(^|"|127\.0\.0\.1:\d+)(\/asset(?:-data)?\/)/g, `$1${number}$2`)
  const located = headers.location === undefined ? {} : {location: numbered(headers.location)}
  response.writeHead(answer.status, {...echoHeaders(told), ...headers, ...located})
  const bytes = Buffer.concat(chunks)
  const isJson = headers['content-type']?.includes('json') === true
  response.end(
    isJson ? numbered(bytes.toString()).replace(/"token":"[^"]*"/, `"token":"${secretValues.token}"`) : bytes,
  )
}

async function listening(listener: http.RequestListener): Promise<{url: string; close(): void}> {
  const server = http.createServer({maxHeaderSize: 64 * 1024}, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return {url: `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`, close}
}
