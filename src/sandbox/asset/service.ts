import * as asset from '../../api/contract/asset.js'
import {operations} from '../../api/contract/operations.js'
import {matchRoute} from '../../api/http/route/route.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import {bearerToken, findOperation} from '../wire/request.js'
import {openService, refusePlain, refuseRoute, type SandboxService, type ServiceOptions} from '../wire/service.js'
import type {World} from '../world/world.js'
import {allow, containerHandlers} from './containers.js'
import {type AssetHandler, assetPrefix} from './operations.js'
import {bytesResponse, readResource} from './resources.js'
import {tusVersion} from './uploadHeaders.js'
import {openUploads} from './uploads.js'

/** asset, Authentication rule 1; the tokens of the identity server are one token here. */
function authorizeAssetCall({applicationToken}: World, request: WireRequest): void {
  const token = bearerToken(request)
  const challenge = {'www-authenticate': 'Bearer'}
  if (token === undefined) refusePlain(401, 'the Authorization header must be: Bearer <ACCESS_TOKEN>', challenge)
  if (token !== applicationToken) {
    refusePlain(401, 'the access token in the Authorization header is not known', challenge)
  }
}

/** tus requires the version in every answer to an upload (tus 1.0.0, Tus-Resumable), not to a GET. */
export function withTusVersion(answer: WireResponse, {method, url}: WireRequest): WireResponse {
  if (method === 'GET' || url.pathname.endsWith('/')) return answer
  return {...answer, headers: {...answer.headers, 'tus-resumable': tusVersion}}
}

/** Requests of tus besides the operations of the document: the offset of an upload, and the server's capabilities. */
const tusOptions = {...asset.uploadOffset, id: 'tus.options', method: 'OPTIONS', route: '/{container}'} as const
const served = [...operations.filter(({service}) => service === 'asset'), asset.uploadOffset, tusOptions]

export function assetService(options: ServiceOptions): SandboxService {
  const uploads = openUploads(options)
  const handlers: Readonly<Record<string, AssetHandler>> = {
    ...containerHandlers,
    'asset.upload': uploads.create,
    'asset.patch': uploads.patch,
    'tus.head': uploads.head,
    'tus.options': uploads.options,
  }
  return openService(options.now, async (request, world) => {
    const {method, url} = request
    const {pathname} = url
    // Of a path of several segments an escape could hide a slash.
    if (/%2f/i.test(pathname)) refuseRoute(request, [])
    // asset, Container operations: "work in progress; the operation is not available".
    if (method === 'DELETE' && pathname.endsWith('/')) {
      refusePlain(405, 'deleting a container is work in progress; it is not available', {allow})
    }
    const match = findOperation(request, assetPrefix.service, served)
    authorizeAssetCall(world, request)
    const {container = '', ...names} = match.path
    const [uuid = ''] = Object.values(names)
    // All reads of a file have one path; the query names the view.
    const handler = handlers[match.operation.id] ?? readResource
    return handler({options, request, world, container, uuid})
  })
}

/** The bytes of the files at their dataUrl, for anybody: that it needs no credential is not shown. */
export function assetDataService({now, files}: ServiceOptions): SandboxService {
  return openService(now, async (request, {resources}) => {
    const {method, url} = request
    const {uuid, name} = matchRoute('/{uuid}/{name}', url.pathname.slice(assetPrefix.data.length)) ?? {}
    const resource = resources.find((candidate) => candidate.uuid === uuid && candidate.name === name)
    if (resource === undefined) return refusePlain(404, `nothing is at ${url.pathname}`)
    return method === 'GET' ? bytesResponse(resource, files, now()) : refuseRoute(request, ['GET'])
  })
}
