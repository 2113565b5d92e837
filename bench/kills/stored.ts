import path from 'node:path'
import {container, type KillService} from './services.js'

/** A complete resource of a service. */
export interface Resource {
  readonly uuid: string
  readonly name: string
  readonly link: string | undefined
}

/** The complete resources of the container, by its listing and their metadata. */
export async function resourcesOf({env, isComplete}: KillService): Promise<Resource[]> {
  const place = `${env.ROOMCTL_ASSET_URL}/${container}`
  const read = async <T>(url: string): Promise<T> => {
    const answer = await fetch(url, {headers: {authorization: `Bearer ${env.ROOMCTL_ASSET_TOKEN}`}})
    return (await answer.json()) as T
  }
  const listing = await read<{resources: Record<'assetResources' | 'commonResources', readonly {uri: string}[]>}>(
    `${place}/`,
  )
  const all = [...listing.resources.assetResources, ...listing.resources.commonResources]
  const resources = await Promise.all(
    all.map(async ({uri}) => {
      const uuid = path.posix.basename(new URL(uri, place).pathname)
      if (!(await isComplete(uuid))) return []
      const meta = await read<{originalFileName: string; assetResourceFileId?: string}>(`${place}/${uuid}?type=meta`)
      return [{uuid, name: meta.originalFileName, link: meta.assetResourceFileId}]
    }),
  )
  return resources.flat()
}

/** The contents of a service that should have each file once. */
export interface Stored {
  /** Complete resources of the names of the files. */
  readonly complete: number
  /** Names without a complete resource, and with more than one. */
  readonly missing: readonly string[]
  readonly doubled: readonly string[]
  /** Files whose content at the service is another. */
  readonly unequal: readonly string[]
}

/** Compares what a service holds with the sha256 of each file by its name. */
export async function compare(
  sums: ReadonlyMap<string, string>,
  resources: readonly Resource[],
  service: KillService,
): Promise<Stored> {
  const ours = resources.filter(({name}) => sums.has(name))
  const unequal: string[] = []
  for (const {uuid, name} of ours) if ((await service.sha256Of(uuid)) !== sums.get(name)) unequal.push(name)
  const times = (name: string) => ours.filter((one) => one.name === name).length
  const names = [...sums.keys()]
  return {
    complete: ours.length,
    missing: names.filter((name) => times(name) === 0),
    doubled: names.filter((name) => times(name) > 1),
    unequal,
  }
}
