import {type ChildProcess, spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {createReadStream, mkdirSync} from 'node:fs'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo, Socket} from 'node:net'
import path from 'node:path'
import {createInterface} from 'node:readline'
import {buffer} from 'node:stream/consumers'
import {pipeline} from 'node:stream/promises'
import type {Server} from '@tus/server'
import {countingProxy} from './countingProxy.js'
import {type Shows, stockViews} from './stockViews.js'
import type {Traffic} from './traffic.js'

/** An asset service that is uploaded to while its client is killed. */
export interface KillService {
  /** Address and token, as the tool takes them from its environment. */
  readonly env: Readonly<Record<string, string>>
  /** sha256, in hex, of the content under a uuid. */
  sha256Of(uuid: string): Promise<string>
  /** Whether it has all of an upload. */
  isComplete(uuid: string): Promise<boolean>
  close(): Promise<void>
}

export interface ServiceKind {
  /** Whether it answers HEAD; 405 otherwise. */
  readonly head: boolean
  readonly shows: Shows
  /** Its treatment of a truncated body: keeps the received part, or discards it. */
  readonly cut: 'kept' | 'discarded'
}

export interface ServiceOptions extends ServiceKind {
  /** An empty folder for its state. */
  readonly folder: string
  /** The cache folder of the program. */
  readonly cache: string
  readonly traffic: Traffic
  /** The script of the tool, for its sandbox. */
  readonly roomctl: string
}

/** The container that is uploaded to; the sandbox's seed has it. */
export const container = 'games/puzzle'

/** A service of that kind: the sandbox, or @tus/server. */
export function openService(options: ServiceOptions): Promise<KillService> {
  const isSandbox = options.shows === 'hidden' && options.cut === 'discarded'
  return isSandbox ? openSandbox(options) : openStock(options)
}

/** The sandbox, served in a process of its own, behind a proxy that counts. It verifies each checksum. */
async function openSandbox({folder, cache, traffic, head, roomctl}: ServiceOptions): Promise<KillService> {
  const {HOME = folder, PATH = ''} = process.env
  const child = spawn(
    process.execPath,
    [roomctl, 'sandbox', 'start', '--port', '0', '--seed', 'demo', '--data', folder],
    {
      env: {PATH, HOME, ROOMCTL_CONFIG_DIR: folder, ROOMCTL_STATE_DIR: folder, ROOMCTL_CACHE_DIR: cache},
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const {ROOMCTL_ASSET_URL: address = '', ROOMCTL_ASSET_TOKEN: token = ''} = await addresses(child)
  const {origin, pathname} = new URL(address)
  const proxy = await countingProxy({target: new URL(origin), traffic, head})
  const base = `${proxy.origin}${pathname}`
  return {
    env: {ROOMCTL_ASSET_URL: base, ROOMCTL_ASSET_TOKEN: token},
    isComplete: async () => true,
    sha256Of: async (uuid) => {
      const meta = await fetch(`${base}/${container}/${uuid}?type=meta`, {headers: {authorization: `Bearer ${token}`}})
      const {dataUrl} = (await meta.json()) as {dataUrl: string}
      const {body} = await fetch(dataUrl)
      if (!body) throw new Error(`${dataUrl} has no bytes`)
      return hashOf(body)
    },
    close: async () => {
      proxy.close()
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** The lines that the served sandbox prints for a shell, as a record. */
async function addresses({stdout}: ChildProcess): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  if (!stdout) return found
  for await (const line of createInterface(stdout)) {
    const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) found[name] = value
    if ('ROOMCTL_ASSET_URL' in found && 'ROOMCTL_ASSET_TOKEN' in found) break
  }
  return found
}

/**
 * @tus/server with @tus/file-store, unmodified, and the views that they lack (stockViews.ts). Traffic is counted on its sockets, to the nearest 64 KiB:
 * there is nothing between it and the client.
 */
async function openStock({folder, traffic, head, shows, cut}: ServiceOptions): Promise<KillService> {
  const store = path.join(folder, 'store')
  mkdirSync(store)
  const {tus, view, isComplete, nameOf} = stockViews(container, store, shows)
  const server = createServer((request, answer) => {
    if (request.method === 'HEAD' && !head) answer.writeHead(405).end()
    else if (request.method === 'GET') void view(request, answer)
    else if (request.method === 'PATCH' && cut === 'discarded') void handleWhole(tus, request, answer)
    else void tus.handle(request, answer)
  })
  server.prependListener('request', (request: IncomingMessage) => count(request, traffic, nameOf))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  return {
    env: {ROOMCTL_ASSET_URL: `http://127.0.0.1:${port}/asset`, ROOMCTL_ASSET_TOKEN: 'kills'},
    isComplete,
    sha256Of: (uuid) => hashOf(createReadStream(path.join(store, uuid))),
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Hands a PATCH on once its whole body is there, as a service does that checks Upload-Checksum before it keeps a byte. */
async function handleWhole(tus: Server, request: IncomingMessage, answer: ServerResponse): Promise<void> {
  const {url = '', headers} = request
  const body = await buffer(request).catch(() => undefined)
  if (!body) return
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const whole = new Request(new URL(url, 'http://stock.invalid'), {method: 'PATCH', headers: sent, body})
  const reply = await tus.handleWeb(whole)
  answer.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text())
}

const lookMs = 2

/** Bytes that a socket had read when its last request ended. */
const readBefore = new WeakMap<Socket, number>()

function count(request: IncomingMessage, traffic: Traffic, nameOf: (id: string) => string): void {
  const {method, headers, socket, url = ''} = request
  // A small body has been read together with its headers.
  let seen = readBefore.get(socket) ?? 0
  request.once('close', () => readBefore.set(socket, socket.bytesRead))
  if (method === 'POST') traffic.create()
  if (method !== 'PATCH') return
  const file = nameOf(path.posix.basename(url))
  let left = Number(headers['content-length'])
  const arrived = traffic.patch(file, Number(headers['upload-offset']), left)
  const look = () => {
    const bytes = Math.min(left, socket.bytesRead - seen)
    seen = socket.bytesRead
    left -= bytes
    if (bytes > 0) arrived(bytes)
  }
  // A request of a killed client may never close; its timer does not keep the program.
  const timer = setInterval(look, lookMs).unref()
  request.once('close', () => {
    clearInterval(timer)
    look()
  })
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}
