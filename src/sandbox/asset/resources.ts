import {createReadStream} from 'node:fs'
import {join} from 'node:path'
import * as asset from '../../api/contract/asset.js'
import type {WireResponse} from '../../api/http/wire/transport.js'
import {assertContract, jsonResponse, refusePlain} from '../wire/service.js'
import {isAsset, resourceAt, type StoredResource, type World} from '../world/world.js'
import {type AssetCall, readView} from './operations.js'
import {catalogViewReply, resourceLinkReply, resourceMetaReply} from './replies.js'

/** A request about a file. */
export interface FileCall extends AssetCall {
  readonly uuid: string
}

/** A file that is there whole; an upload that is not complete is none yet. Refuses with 404. */
function findResource(world: World, container: string, uuid: string): StoredResource {
  const found = resourceAt(world, container, uuid)
  return found ?? refusePlain(404, `resource ${uuid} does not exist in container ${container}`)
}

/** The bytes of a file as an answer. */
export function bytesResponse(resource: StoredResource, files: () => string, now: Date): WireResponse {
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

/** Catalogs longer than this are taken for none. */
const maxCatalogBytes = 8 * 1024 * 1024

/** The content of a file that is JSON, or null. */
async function readJsonFile(resource: StoredResource, files: () => string): Promise<unknown> {
  if (resource.size > maxCatalogBytes) return null
  const parts: Uint8Array[] = []
  for await (const part of resourceBytes(resource, files)) parts.push(part)
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    return null
  }
}

/**
 * The content of the catalog that belongs to an asset resource: that of the file it is linked to, or its own. Null where
 * that is no JSON; what metaJson holds then is not shown.
 */
async function readCatalog(resource: StoredResource, {resources}: World, files: () => string): Promise<unknown> {
  const {link} = resource
  const catalog = link === undefined ? resource : resources.find(({uuid}) => uuid === link)
  return catalog === undefined ? null : readJsonFile(catalog, files)
}

/** GET on a file: its link, or the view that was asked for (asset, Resource operations). */
export async function readResource({world, container, uuid, request, options}: FileCall): Promise<WireResponse> {
  const view = readView(request.url.searchParams, ['meta', 'catalog', 'asset'])
  const resource = findResource(world, container, uuid)
  const {origin} = request.url
  const now = options.now()
  if (view === 'asset') return bytesResponse(resource, options.files, now)
  if (view === 'meta') return jsonResponse(200, assertContract(asset.meta, resourceMetaReply(resource, origin)), now)
  if (view === undefined) return jsonResponse(200, assertContract(asset.getResource, resourceLinkReply(resource)), now)
  if (!isAsset(resource)) refusePlain(404, `resource ${uuid} is no bundle, so it has no catalog`)
  const metaJson = await readCatalog(resource, world, options.files)
  return jsonResponse(200, assertContract(asset.catalog, catalogViewReply(resource, metaJson, origin)), now)
}

/** The bytes of a file that is there whole; it is opened when they are asked for. Rejects when they have been removed. */
export async function* resourceBytes({uuid, content}: StoredResource, files: () => string): AsyncGenerator<Uint8Array> {
  if (content === undefined) yield* createReadStream(join(files(), uuid))
  else yield Buffer.from(content, 'base64')
}
