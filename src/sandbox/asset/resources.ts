import {createReadStream} from 'node:fs'
import {join} from 'node:path'
import * as asset from '../../api/contract/asset.js'
import type {WireResponse} from '../../api/http/wire/transport.js'
import {readBodyBytes} from '../wire/request.js'
import {contractResponse, refusePlain} from '../wire/service.js'
import {isAsset, type StoredResource, type World} from '../world/world.js'
import {type AssetCall, readView} from './operations.js'
import {commonFields, resourceLinkReply, resourceMetaReply} from './replies.js'

export function bytesResponse(resource: StoredResource, files: string, now: Date): WireResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(resource.size),
      date: now.toUTCString(),
    },
    body: resourceBytes(resource, files),
    discard() {},
  }
}

/** The catalog of an asset resource: the content of its linked file, or its own. What metaJson holds of no JSON is not shown: null. */
async function readCatalog(resource: StoredResource, {resources}: World, files: string): Promise<unknown> {
  const catalog = resource.link === undefined ? resource : resources.find(({uuid}) => uuid === resource.link)
  if (catalog === undefined) return null
  const bytes = await readBodyBytes(resourceBytes(catalog, files))
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

/** GET on a file: its link, or the view that was asked for (asset, Resource operations). Refuses with 404 an unfinished upload. */
export async function readResource({world, container, uuid, request, options}: AssetCall): Promise<WireResponse> {
  const view = readView(request.url.searchParams, ['meta', 'catalog', 'asset'])
  const missing = `resource ${uuid} does not exist in container ${container}`
  const stored = world.resources.find((candidate) => candidate.uuid === uuid && candidate.container === container)
  const resource = stored ?? refusePlain(404, missing)
  const {origin} = request.url
  const now = options.now()
  if (view === 'asset') return bytesResponse(resource, options.files, now)
  if (view === 'meta') return contractResponse(asset.meta, 200, resourceMetaReply(resource, origin), now)
  if (view === undefined) return contractResponse(asset.getResource, 200, resourceLinkReply(resource), now)
  if (!isAsset(resource)) refusePlain(404, `resource ${uuid} is no bundle, so it has no catalog`)
  const metaJson = await readCatalog(resource, world, options.files)
  return contractResponse(asset.catalog, 200, {...commonFields(resource, origin), metaJson}, now)
}

/** The bytes of a complete file, which is opened when they are read. Rejects when it has been removed. */
export async function* resourceBytes({uuid, content}: StoredResource, files: string): AsyncGenerator<Uint8Array> {
  if (content === undefined) yield* createReadStream(join(files, uuid))
  else yield Buffer.from(content, 'base64')
}
