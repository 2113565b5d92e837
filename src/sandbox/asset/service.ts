import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import type {SandboxService, ServiceOptions} from '../wire/parts.js'
import {jsonAnswer, PlainRefusal, refusedAnswer, refusePlain} from '../wire/plain.js'
import {Refusal, statusOfCode} from '../wire/refusal.js'
import type {World} from '../world/world.js'
import {containerHandlers, notOfContainers} from './container.js'
import {bytesAnswer, readResource} from './resource.js'
import {type AssetPath, assetPrefix, readPath} from './routing.js'
import {openUploads, type Uploads} from './uploads.js'

/** asset, Authentication rule 1; the tokens of the identity server are one token here. */
function authorise({applicationToken}: World, {headers}: WireRequest): void {
  const [, token] = /^Bearer (\S+)$/.exec(headerOf(headers, 'authorization') ?? '') ?? []
  const challenge = {'www-authenticate': 'Bearer'}
  if (token === undefined) refusePlain(401, 'the Authorization header must be: Bearer <ACCESS_TOKEN>', challenge)
  if (token !== applicationToken) {
    refusePlain(401, 'the access token in the Authorization header is not known', challenge)
  }
}

/** What a file or the beginning of an upload is asked for, by method. */
const fileMethods = 'GET, HEAD, PATCH, POST, OPTIONS'

function answerOfFile(
  {segments}: AssetPath,
  request: WireRequest,
  world: World,
  options: ServiceOptions,
  uploads: Uploads,
): Promise<WireResponse> {
  const {method, url} = request
  // POST without the slash begins an upload in the container that the whole path names (asset, Resource operations).
  if (method === 'POST') return uploads.begin({options, request, world, container: segments.join('/')})
  if (method === 'OPTIONS') return uploads.options()
  const uuid = segments.at(-1) ?? ''
  const container = segments.slice(0, -1).join('/')
  if (container === '') {
    refusePlain(404, `no operation has the path ${url.pathname}; the path of a container ends with a slash`)
  }
  const call = {options, request, world, container, uuid}
  if (method === 'GET') return readResource(call)
  if (method === 'HEAD') return uploads.head(call)
  if (method === 'PATCH') return uploads.patch(call)
  return refusePlain(405, `${method} is not allowed on ${url.pathname}; allowed: ${fileMethods}`, {allow: fileMethods})
}

/** A refusal as it leaves; anything else is no answer of the service and goes on. */
function explained(error: unknown, now: Date): WireResponse {
  if (error instanceof PlainRefusal) return refusedAnswer(error, now)
  // What reads bodies is shared with the room service, and refuses with its codes.
  if (error instanceof Refusal) return jsonAnswer(statusOfCode[error.code], {message: error.message}, now)
  throw error
}

/** The asset service (asset, all of it). The HTTP status says how it went; there is no envelope. */
export function assetService(options: ServiceOptions): SandboxService {
  const {now} = options
  const uploads = openUploads(options)

  async function answer(request: WireRequest, world: World): Promise<WireResponse> {
    const {method, url} = request
    const path = readPath(assetPrefix.service, url.pathname)
    if (path === undefined) return refusePlain(404, `no operation has the path ${url.pathname}`)
    authorise(world, request)
    if (!path.slash) return answerOfFile(path, request, world, options, uploads)
    const handler = Object.hasOwn(containerHandlers, method) ? containerHandlers[method] : undefined
    if (handler === undefined) return notOfContainers(method)
    return handler({options, request, world, container: path.segments.join('/')})
  }

  return {
    answer: (request, world) => answer(request, world).catch((error: unknown) => explained(error, now())),
    fail: (code) => jsonAnswer(statusOfCode[code], {message: 'the sandbox was asked to fail'}, now()),
  }
}

/** The bytes of the files at their dataUrl, for anybody: that it needs no credential is not shown. */
export function assetDataService({now, files}: ServiceOptions): SandboxService {
  return {
    async answer({method, url}, {resources}) {
      const path = readPath(assetPrefix.data, url.pathname)
      const [uuid, name, ...rest] = path?.segments ?? []
      const found = resources.find((one) => one.uuid === uuid && one.name === name)
      if (found === undefined || rest.length > 0 || path?.slash) {
        return jsonAnswer(404, {message: `nothing is at ${url.pathname}`}, now())
      }
      if (method === 'GET') return bytesAnswer(found, files, now())
      return jsonAnswer(405, {message: `${method} is not allowed here; allowed: GET`}, now(), {allow: 'GET'})
    },
    fail: (code) => jsonAnswer(statusOfCode[code], {message: 'the sandbox was asked to fail'}, now()),
  }
}
