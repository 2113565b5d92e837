import * as asset from '../../api/contract/asset.js'
import type {WireResponse} from '../../api/http/wire/transport.js'
import {checkReply} from '../wire/contractCheck.js'
import {jsonAnswer, refusePlain} from '../wire/plain.js'
import {isAsset, type Resource, resourceAt} from '../world/assetWorld.js'
import type {World} from '../world/world.js'
import {type AssetCall, viewOf} from './call.js'
import {bytesOf} from './files.js'
import {catalogViewOf, linkOf, resourceMetaOf} from './reply.js'

/** A request about a file. */
export interface FileCall extends AssetCall {
  readonly uuid: string
}

/** A file that is there whole; an upload that is not complete is none yet. Refuses with 404. */
function findResource(world: World, container: string, uuid: string): Resource {
  const found = resourceAt(world, container, uuid)
  return found ?? refusePlain(404, `resource ${uuid} does not exist in container ${container}`)
}

/** The bytes of a file as an answer. */
export function bytesAnswer(resource: Resource, files: () => string, now: Date): WireResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(resource.size),
      date: now.toUTCString(),
    },
    body: bytesOf(resource, files),
    discard() {},
  }
}

/** Catalogs longer than this are taken for none. */
const maxCatalogBytes = 8 * 1024 * 1024

/** The content of a file that is JSON, or null. */
async function jsonIn(resource: Resource, files: () => string): Promise<unknown> {
  if (resource.size > maxCatalogBytes) return null
  const parts: Uint8Array[] = []
  for await (const part of bytesOf(resource, files)) parts.push(part)
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
async function catalogOf(resource: Resource, {resources}: World, files: () => string): Promise<unknown> {
  const {link} = resource
  const catalog = link === undefined ? resource : resources.find(({uuid}) => uuid === link)
  return catalog === undefined ? null : jsonIn(catalog, files)
}

/** GET on a file: its link, or the view that was asked for (asset, Resource operations). */
export async function readResource({world, container, uuid, request, options}: FileCall): Promise<WireResponse> {
  const view = viewOf(request.url.searchParams, ['meta', 'catalog', 'asset'])
  const resource = findResource(world, container, uuid)
  const {origin} = request.url
  const now = options.now()
  if (view === 'asset') return bytesAnswer(resource, options.files, now)
  if (view === 'meta') return jsonAnswer(200, checkReply(asset.meta, resourceMetaOf(resource, origin)), now)
  if (view === undefined) return jsonAnswer(200, checkReply(asset.get, linkOf(resource)), now)
  if (!isAsset(resource)) refusePlain(404, `resource ${uuid} is no bundle, so it has no catalog`)
  const metaJson = await catalogOf(resource, world, options.files)
  return jsonAnswer(200, checkReply(asset.catalog, catalogViewOf(resource, metaJson, origin)), now)
}
