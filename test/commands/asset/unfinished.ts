import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs'
import path from 'node:path'
import type {Transport, WireRequest, WireResponse} from '../../../src/api/http/wire/transport.js'
import {filesOf} from '../../support/files.js'
import {reply, sandboxOf} from '../answers.js'
import {bodyOf} from './answer.js'
import type {Bench} from './uploads.js'

interface Unfinished {
  readonly uuid: string
  readonly size: number
  readonly offset: number
  readonly facts: Readonly<Record<'container' | 'name' | 'platform' | 'description' | 'link', string | undefined>>
}

/** The uploads that the sandbox has and that are not whole. */
function unfinishedOf({store}: Pick<Bench, 'store'>): Unfinished[] {
  const folder = filesOf(store)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  return names.flatMap((name) => {
    const uuid = path.basename(name, '.json')
    const {size, metadata} = JSON.parse(readFileSync(path.join(folder, name), 'utf8'))
    const offset = statSync(path.join(folder, uuid)).size
    return offset < size ? [{uuid, size, offset, facts: metadata}] : []
  })
}

/**
 * The sandbox as a service that lists unfinished uploads, too, which the document leaves open. `shown`: their metadata, beside what was
 * sent; undefined: they have none. `head`: what HEAD is answered.
 */
export function listingUnfinished(
  own: Pick<Bench, 'store'>,
  shown: object | undefined,
  head?: () => WireResponse,
): Transport {
  const sandbox = sandboxOf(own.store)
  return async (request) => {
    if (request.method === 'HEAD' && head) return head()
    const unfinished = unfinishedOf(own)
    const one = unfinished.find(({uuid}) => request.url.pathname.endsWith(`/${uuid}`))
    if (request.method === 'GET' && one && shown) return metaOf(one, shown)
    const answer = await sandbox(request)
    return isListing(request) && answer.status === 200 ? withUnfinished(answer, request, unfinished) : answer
  }
}

function isListing({method, url}: WireRequest): boolean {
  return method === 'GET' && url.pathname.endsWith('/')
}

function metaOf({uuid, facts: {name, platform, description, link}}: Unfinished, shown: object): WireResponse {
  const dataUrl = `https://sandbox.localhost/asset-data/${uuid}/${name}`
  const kept = {uuid, originalFileName: name, platform, description, assetResourceFileId: link}
  return reply(JSON.stringify({...kept, trashed: false, dataUrl, ...shown}))
}

async function withUnfinished(answer: WireResponse, {url}: WireRequest, unfinished: readonly Unfinished[]) {
  const listing = JSON.parse(await bodyOf(answer))
  for (const {uuid, facts} of unfinished) {
    if (!url.pathname.endsWith(`/${facts.container}/`)) continue
    const {name, platform} = facts
    listing.resources.assetResources.push({type: 'AssetResource', name, platform, uri: `${url.pathname}${uuid}`})
  }
  return reply(JSON.stringify(listing))
}
