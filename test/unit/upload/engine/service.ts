import {createHash, randomUUID} from 'node:crypto'
import http, {type IncomingMessage, type ServerResponse} from 'node:http'
import {listen} from '../../api/http/support.js'

/** The service's state of one upload. */
export interface Held {
  readonly size: number
  readonly headers: Readonly<Record<string, string | undefined>>
  bytes: Buffer
}

/** A request with what the service would make of it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly uploads: Map<string, Held>
  readonly uuid: string
  /** Carries out the request, with changes. */
  obey(changes?: Changes): Promise<void>
}

interface Changes {
  /** Headers in place of its own; undefined: without that one. */
  readonly says?: Readonly<Record<string, string | undefined>>
  /** It reads that much of a body, and then resets the connection. */
  readonly readsOnly?: number
  /** It hangs up in place of an answer. */
  readonly silent?: true
}

/** A faulty reaction of the service. */
export interface Mischief {
  /** `PATCH`, or `PATCH 3` for the third one alone (from 1). */
  readonly to: string
  /** Once, unless a larger number is given. */
  readonly times?: number
  readonly does: (exchange: Exchange) => unknown
}

export interface ServiceOptions {
  /** Whether it answers HEAD (default); a number: the status in place of it. */
  readonly head?: true | number
  /** Upload-Checksum is verified (default) or ignored; a number: the status for each. */
  readonly checksum?: 'verifies' | 'ignores' | number
  readonly mischief?: readonly Mischief[]
}

/**
 * The upload part of the asset service as the document and tus 1.0.0 have it, written from their texts: POST without a slash
 * creates an upload, PATCH continues it. A chunk whose checksum does not match, or that is incomplete, is discarded;
 * of one without a checksum the received part is kept.
 */
export async function assetService(options: ServiceOptions = {}) {
  const uploads = new Map<string, Held>()
  const seen: string[] = []
  const requests: IncomingMessage[] = []
  const script = scripted(options.mischief ?? [])
  const server = http.createServer({requestTimeout: 0}, (request, response) => {
    const {method = ''} = request
    seen.push(method === 'PATCH' ? `PATCH ${request.headers['upload-offset']}` : method)
    requests.push(request)
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    const uuid = request.url?.split('/').at(-1) ?? ''
    const obey = (changes: Changes = {}) => serve({request, response, uploads, uuid, options, changes})
    Promise.resolve(script.next(method)({request, response, uploads, uuid, obey})).catch(() => request.socket.destroy())
  })
  const url = await listen(server)
  return {
    /** The service's base address. */
    base: new URL('/asset', url),
    uploads,
    /** Each request: `POST`, `HEAD`, `PATCH 65536`. */
    seen,
    requests,
    /** Behaves correctly from now on. */
    behave: script.behave,
    /** The one upload that it holds whole. */
    whole(): Held {
      const [held, ...others] = [...uploads.values()].filter(({size, bytes}) => bytes.length === size)
      if (!held || others.length > 0)
        throw new Error(`it holds ${others.length + (held ? 1 : 0)} whole uploads, not one`)
      return held
    },
  }
}

function scripted(mischief: readonly Mischief[]) {
  const counts = new Map<string, number>()
  const left = new Map(mischief.map((deed) => [deed, deed.times ?? 1]))
  const behave = () => left.clear()
  const next = (method: string): Mischief['does'] => {
    const nth = (counts.get(method) ?? 0) + 1
    counts.set(method, nth)
    const due = [...left].find(([{to}, times]) => times > 0 && (to === method || to === `${method} ${nth}`))
    if (!due) return ({obey}) => obey()
    const [deed, times] = due
    left.set(deed, times - 1)
    return deed.does
  }
  return {next, behave}
}

/** A service that runs. */
export type AssetService = Awaited<ReturnType<typeof assetService>>

interface Serving extends Omit<Exchange, 'obey'> {
  readonly options: ServiceOptions
  readonly changes: Changes
}

type Answer = readonly [number, Readonly<Record<string, string>>?]

async function serve(serving: Serving): Promise<void> {
  const {request, response, changes} = serving
  const [status, headers] = await answerTo(serving)
  if (changes.silent) {
    request.socket.destroy()
    return
  }
  const all = Object.entries({'Tus-Resumable': '1.0.0', ...headers, ...changes.says})
  response.writeHead(status, Object.fromEntries(all.filter(([, value]) => value !== undefined))).end()
}

function answerTo(serving: Serving): Answer | Promise<Answer> {
  const {request, uploads, uuid, options} = serving
  if (request.headers.authorization !== 'Bearer token') return [401]
  if (request.headers['tus-resumable'] !== '1.0.0') return [412]
  if (request.method === 'POST') return begin(serving)
  if (request.method === 'HEAD' && typeof options.head === 'number') return [options.head]
  const upload = uploads.get(uuid)
  if (!upload) return [404]
  if (request.method !== 'HEAD') return take(serving, upload)
  return [200, {'Upload-Offset': String(upload.bytes.length), 'Upload-Length': String(upload.size)}]
}

function begin({request, uploads}: Serving): Answer {
  const uuid = randomUUID()
  const names = ['original_file_name', 'platform', 'description', 'asset_resource_file_id']
  const headers = Object.fromEntries(names.map((name) => [name, request.headers[name]?.toString()]))
  uploads.set(uuid, {size: Number(request.headers['upload-length']), headers, bytes: Buffer.alloc(0)})
  return [201, {Location: `${request.url}/${uuid}`}]
}

async function take({request, options, changes}: Serving, upload: Held): Promise<Answer> {
  const {headers} = request
  if (headers['content-type'] !== 'application/offset+octet-stream') return [415]
  const [algorithm = '', expected] = headers['upload-checksum']?.toString().split(' ') ?? []
  const came = await whatComes(request, changes.readsOnly)
  const whole = came.length === Number(headers['content-length'])
  if (!whole) request.socket.resetAndDestroy()
  if (typeof options.checksum === 'number' && expected !== undefined) return [options.checksum]
  if (Number(headers['upload-offset']) !== upload.bytes.length) return [409]
  const verifies = expected !== undefined && options.checksum !== 'ignores'
  if (whole && verifies && createHash(algorithm).update(came).digest('base64') !== expected) return [460]
  if (whole || !verifies) upload.bytes = Buffer.concat([upload.bytes, came])
  return [204, {'Upload-Offset': String(upload.bytes.length)}]
}

/** The body as far as it comes, or as it is wanted. */
async function whatComes(request: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request.iterator({destroyOnReturn: false})) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= most) break
    }
  } catch {
    // The client went away in the middle.
  }
  return Buffer.concat(chunks).subarray(0, most)
}
