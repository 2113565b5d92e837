import type {IncomingMessage, ServerResponse} from 'node:http'
import path from 'node:path'
import {FileStore} from '@tus/file-store'
import {Server} from '@tus/server'

/** What the official tus server lacks of an asset service: the listing of a container, and the metadata of its resources. */
export interface StockViews {
  readonly tus: Server
  /** Answers a GET of the container or of a resource. */
  view(request: IncomingMessage, answer: ServerResponse): Promise<void>
  /** Whether an upload has all its bytes. */
  isComplete(id: string): Promise<boolean>
}

interface Facts {
  readonly name: string
  readonly platform: string
  readonly description: string
  readonly link: string | undefined
}

/**
 * The server for one container, with its views beside it. Only complete uploads are listed and have metadata, unless
 * `showsUnfinished`: then every one from its creation on.
 */
export function stockViews(container: string, directory: string, showsUnfinished: boolean): StockViews {
  const datastore = new FileStore({directory})
  const known = new Map<string, Facts>()
  const tus = new Server({
    path: `/asset/${container}`,
    datastore,
    onUploadCreate: async ({headers}, {id}) => {
      const text = (name: string) => decodeURIComponent(headers.get(name) ?? '')
      known.set(id, {
        name: text('original_file_name'),
        platform: text('platform'),
        description: text('description'),
        link: headers.get('asset_resource_file_id') ?? undefined,
      })
      return {}
    },
  })
  const isComplete = async (id: string) => {
    const {offset, size} = await datastore.getUpload(id).catch(() => ({offset: 0, size: undefined}))
    return known.has(id) && offset === size
  }
  const isShown = async (id: string) => known.has(id) && (showsUnfinished || (await isComplete(id)))
  const list = async () => {
    const ids = await Promise.all([...known.keys()].map(async (id) => ((await isShown(id)) ? [id] : [])))
    const assetResources = ids.flat().map((id) => {
      const {name, platform} = known.get(id) ?? {}
      return {type: 'AssetResource', platform, name, uri: `/asset/${container}/${id}`}
    })
    return {type: 'BasicContainer', name: container, contains: [], resources: {assetResources, commonResources: []}}
  }
  const metaOf = async (id: string) => {
    const facts = known.get(id)
    if (!facts || !(await isShown(id))) return undefined
    const {name, platform, description, link} = facts
    const dataUrl = `http://stock.invalid/data/${id}`
    return {uuid: id, originalFileName: name, platform, description, dataUrl, assetResourceFileId: link, trashed: false}
  }
  const view = async ({url = ''}: IncomingMessage, answer: ServerResponse) => {
    const {pathname} = new URL(url, 'http://stock.invalid')
    const reply = pathname.endsWith('/') ? await list() : await metaOf(path.posix.basename(pathname))
    answer.writeHead(reply ? 200 : 404, {'Content-Type': 'application/json'})
    answer.end(JSON.stringify(reply ?? {}))
  }
  return {tus, view, isComplete}
}
