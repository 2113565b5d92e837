import {type ChildProcess, spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {createReadStream, mkdirSync} from 'node:fs'
import {createServer, type IncomingMessage} from 'node:http'
import type {AddressInfo} from 'node:net'
import path from 'node:path'
import {createInterface} from 'node:readline'
import {pipeline} from 'node:stream/promises'
import {countingProxy} from './countingProxy.js'
import {stockViews} from './stockViews.js'
import type {Traffic} from './traffic.js'

/** An asset service that is uploaded to while its client is killed. */
export interface KillService {
  /** Address and token, as the tool takes them from its environment. */
  readonly env: Readonly<Record<string, string>>
  /** sha256, in hex, of what it holds under a uuid. */
  sha256Of(uuid: string): Promise<string>
  /** Whether it has all of an upload. */
  isComplete(uuid: string): Promise<boolean>
  /** How many files of a name its container lists. */
  listed(name: string): Promise<number>
  close(): Promise<void>
}

export interface ServiceOptions {
  /** An empty folder for what it keeps. */
  readonly folder: string
  /** The cache folder of the program. */
  readonly cache: string
  readonly traffic: Traffic
  readonly head: boolean
  /** Whether its container lists unfinished uploads, and their metadata has a dataUrl; the sandbox never does. */
  readonly showsUnfinished?: boolean
  /** The script of the tool, for its sandbox. */
  readonly roomctl: string
}

/** The container that is uploaded to; the sandbox's seed has it. */
export const container = 'games/puzzle'

/** The sandbox, served in a process of its own, behind a proxy that counts. It verifies each checksum. */
export async function openSandbox({folder, cache, traffic, head, roomctl}: ServiceOptions): Promise<KillService> {
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
    listed: async (name) => {
      const answer = await fetch(`${base}/${container}/`, {headers: {authorization: `Bearer ${token}`}})
      const {resources} = (await answer.json()) as {resources: {assetResources: readonly {name: string}[]}}
      return resources.assetResources.filter((one) => one.name === name).length
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
 * @tus/server with @tus/file-store as they come from npm, and the views that they lack (stockViews.ts). What arrives is counted on its sockets, to the nearest 64 KiB:
 * nothing stands between it and the client.
 */
export async function openStock({
  folder,
  traffic,
  head,
  showsUnfinished = false,
}: ServiceOptions): Promise<KillService> {
  const store = path.join(folder, 'store')
  mkdirSync(store)
  const {tus, view, isComplete} = stockViews(container, store, showsUnfinished)
  const server = createServer((request, answer) => {
    if (request.method === 'HEAD' && !head) answer.writeHead(405).end()
    else if (request.method === 'GET') void view(request, answer)
    else void tus.handle(request, answer)
  })
  server.prependListener('request', (request: IncomingMessage) => count(request, traffic))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  return {
    env: {ROOMCTL_ASSET_URL: `http://127.0.0.1:${port}/asset`, ROOMCTL_ASSET_TOKEN: 'kills'},
    isComplete,
    sha256Of: (uuid) => hashOf(createReadStream(path.join(store, uuid))),
    listed: async () => 0,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const lookMs = 2

function count(request: IncomingMessage, traffic: Traffic): void {
  if (request.method === 'POST') traffic.create()
  if (request.method !== 'PATCH') return
  const {headers, socket} = request
  const arrived = traffic.patch(Number(headers['upload-offset']), Number(headers['content-length']))
  let seen = socket.bytesRead
  const look = () => {
    arrived(socket.bytesRead - seen)
    seen = socket.bytesRead
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
