import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import {bearerToken, documentedRequest} from '../wire/request.js'
import {plainService, refusePlain, refuseRoute, type SandboxService, type ServiceOptions} from '../wire/service.js'
import type {World} from '../world/world.js'
import {containerHandlers, refuseContainerMethod} from './containers.js'
import {type AssetPath, assetOperations, assetPrefix, parseAssetPath} from './operations.js'
import {bytesResponse, readResource} from './resources.js'
import {tusVersion} from './uploadHeaders.js'
import {openUploads, type Uploads} from './uploads.js'

/** asset, Authentication rule 1; the tokens of the identity server are one token here. */
function authorizeAssetCall({applicationToken}: World, request: WireRequest): void {
  const token = bearerToken(request)
  const challenge = {'www-authenticate': 'Bearer'}
  if (token === undefined) refusePlain(401, 'the Authorization header must be: Bearer <ACCESS_TOKEN>', challenge)
  if (token !== applicationToken) {
    refusePlain(401, 'the access token in the Authorization header is not known', challenge)
  }
}

/** The method of a tus request, which a client that cannot send PATCH gives in a header (tus 1.0.0, X-HTTP-Method-Override). */
function withTusMethod(request: WireRequest): WireRequest {
  const method = request.url.pathname.endsWith('/') ? undefined : headerOf(request.headers, 'x-http-method-override')
  return method === undefined ? request : {...request, method}
}

/** tus asks for the version in every answer to an upload (tus 1.0.0, Tus-Resumable). A GET is none of tus. */
export function withTusVersion(answer: WireResponse, {method, url}: WireRequest): WireResponse {
  if (method === 'GET' || url.pathname.endsWith('/')) return answer
  return {...answer, headers: {...answer.headers, 'tus-resumable': tusVersion}}
}

const fileMethods = ['GET', 'HEAD', 'PATCH', 'POST', 'OPTIONS']

function handleFile(
  {segments}: AssetPath,
  request: WireRequest,
  world: World,
  options: ServiceOptions,
  uploads: Uploads,
): Promise<WireResponse> {
  const {method, url} = request
  // POST without the slash begins an upload in the container that the whole path names (asset, Resource operations).
  if (method === 'POST') return uploads.create({options, request, world, container: segments.join('/')})
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
  return refuseRoute(request, fileMethods)
}

export function assetService(options: ServiceOptions): SandboxService {
  const uploads = openUploads(options)
  return plainService(options.now, async (given, world) => {
    const request = documentedRequest(withTusMethod(given), assetPrefix.service, assetOperations, world.choices.routes)
    const path = parseAssetPath(assetPrefix.service, request.url.pathname)
    if (path === undefined) return refuseRoute(request, [])
    authorizeAssetCall(world, request)
    if (!path.slash) return handleFile(path, request, world, options, uploads)
    const handler = Object.hasOwn(containerHandlers, request.method) ? containerHandlers[request.method] : undefined
    if (handler === undefined) return refuseContainerMethod(request.method)
    return handler({options, request, world, container: path.segments.join('/')})
  })
}

/** The bytes of the files at their dataUrl, for anybody: that it needs no credential is not shown. */
export function assetDataService({now, files}: ServiceOptions): SandboxService {
  return plainService(now, async (request, {resources}) => {
    const {method, url} = request
    const path = parseAssetPath(assetPrefix.data, url.pathname)
    const [uuid, name, ...rest] = path?.segments ?? []
    const found = resources.find((one) => one.uuid === uuid && one.name === name)
    if (found === undefined || rest.length > 0 || path?.slash) {
      return refusePlain(404, `nothing is at ${url.pathname}`)
    }
    return method === 'GET' ? bytesResponse(found, files, now()) : refuseRoute(request, ['GET'])
  })
}
