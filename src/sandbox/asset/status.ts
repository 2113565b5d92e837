import {readdir} from 'node:fs/promises'
import type {World} from '../world/world.js'
import {openTus} from './tus.js'

/** A container as the sandbox knows it. */
export interface ContainerStatus {
  readonly path: string
  readonly type: string
  readonly description: string
  readonly resource_count: number
}

/** A file that is there whole. */
export interface ResourceStatus {
  readonly uuid: string
  readonly container: string
  readonly name: string
  readonly platform: string
  readonly bytes: number
  readonly asset_file_uuid: string | null
}

/** A file that is not there whole; `offset` of its `bytes` are. */
export interface UnfinishedUpload {
  readonly uuid: string
  readonly container: string
  readonly name: string
  readonly offset: number
  readonly bytes: number
}

/** Containers and files, in the order in which they came to be. */
export function assetStatus({containers, resources}: World): {
  containers: ContainerStatus[]
  resources: ResourceStatus[]
} {
  return {
    containers: containers.map(({path, type, description}) => ({
      path,
      type,
      description,
      resource_count: resources.filter(({container}) => container === path).length,
    })),
    resources: resources.map(({uuid, container, name, platform, size, link}) => ({
      uuid,
      container,
      name,
      platform,
      bytes: size,
      asset_file_uuid: link ?? null,
    })),
  }
}

/** The uploads whose bytes are in the folder and not all there yet. A folder that is not there has none. */
export async function unfinishedUploads(folder: string): Promise<UnfinishedUpload[]> {
  const names = await readdir(folder).catch((): string[] => [])
  const uuids = names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
  if (uuids.length === 0) return []
  const tus = await openTus(folder)
  const uploads = await Promise.all(uuids.map((uuid) => tus.find(uuid)))
  return uploads.flatMap((upload) => {
    if (upload === undefined || upload.offset >= upload.size) return []
    const {uuid, facts, size, offset} = upload
    return [{uuid, container: facts.container, name: facts.name, offset, bytes: size}]
  })
}
