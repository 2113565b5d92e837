import {createReadStream, statSync} from 'node:fs'
import type {IncomingMessage, ServerResponse} from 'node:http'
import path from 'node:path'
import {FileStore} from '@tus/file-store'
import {Server} from '@tus/server'

/** Views of an asset service that the official tus server lacks: the listing of a container, and the metadata of its resources. */
export interface StockViews {
  readonly tus: Server
  /** Answers a GET of the container or of a resource. */
  view(request: IncomingMessage, answer: ServerResponse): Promise<void>
  /** Whether an upload has all its bytes. */
  isComplete(id: string): Promise<boolean>
  /** The name of the file of an upload. */
  nameOf(id: string): string
}

/** The view of an unfinished upload in a container: nothing, its name and metadata, or a dataUrl as well. */
export type Shows = 'hidden' | 'listed' | 'dataUrl'

interface Facts {
  readonly name: string
  readonly platform: string
  readonly description: string
  readonly link: string | undefined
}

/** The server for one container, with its views beside it. */
export function stockViews(container: string, directory: string, shows: Shows): StockViews {
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
  const isShown = async (id: string) => known.has(id) && (shows !== 'hidden' || (await isComplete(id)))
  const list = async () => {
    const ids = await Promise.all([...known.keys()].map(async (id) => ((await isShown(id)) ? [id] : [])))
    const assetResources = ids.flat().map((id) => {
      const {name, platform} = known.get(id) ?? {}
      return {type: 'AssetResource', platform, name, uri: `/asset/${container}/${id}`}
    })
    return {type: 'BasicContainer', name: container, contains: [], resources: {assetResources, commonResources: []}}
  }
  const metaOf = async (id: string, host = '') => {
    const facts = known.get(id)
    if (!facts || !(await isShown(id))) return undefined
    const {name, platform, description, link} = facts
    const hasData = shows === 'dataUrl' || (await isComplete(id))
    const dataUrl = hasData ? `http://${host}/data/${id}` : undefined
    return {uuid: id, originalFileName: name, platform, description, dataUrl, assetResourceFileId: link, trashed: false}
  }
  const view = async ({url = '', headers: {host}}: IncomingMessage, answer: ServerResponse) => {
    const {pathname} = new URL(url, 'http://stock.invalid')
    const id = path.posix.basename(pathname)
    if (pathname.startsWith('/data/') && known.has(id)) {
      const file = path.join(directory, id)
      answer.setHeader('Content-Length', statSync(file).size)
      createReadStream(file).pipe(answer)
      return
    }
    const reply = pathname.endsWith('/') ? await list() : await metaOf(id, host)
    answer.writeHead(reply ? 200 : 404, {'Content-Type': 'application/json'})
    answer.end(JSON.stringify(reply ?? {}))
  }
  return {tus, view, isComplete, nameOf: (id) => known.get(id)?.name ?? id}
}
