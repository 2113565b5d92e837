import {randomBytes, randomUUID} from 'node:crypto'
import type {Platform} from '../../api/contract/assetShapes.js'

/** A container (asset, Container). Its path has no slash at its ends: `games/puzzle`. */
export interface Container {
  readonly path: string
  /** `_id` on the wire. */
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly name: string
  description: string
}

/** What the create request of an upload says of its file (asset, Create upload headers), decoded. */
export interface UploadFacts {
  /** The path of the container. */
  readonly container: string
  /** Original_File_Name. */
  readonly name: string
  readonly platform: Platform
  readonly description: string
  /** Asset_Resource_File_Id. */
  readonly link?: string
}

/** A file that is there whole (asset, Common resource metadata). */
export interface Resource extends UploadFacts {
  /** `_id` on the wire. */
  readonly id: string
  readonly uuid: string
  /** Bytes. */
  readonly size: number
  /** ISO 8601 UTC. */
  readonly createdAt: string
  /** The bytes in base64, of a demonstration file; those of an uploaded one are in the files folder. */
  readonly content?: string
}

interface Places {
  readonly containers: readonly Container[]
  readonly resources: readonly Resource[]
}

/** A new internal id and uuid, which no other process can have made too. */
export function newIdentity(): {id: string; uuid: string} {
  return {id: randomBytes(12).toString('hex'), uuid: randomUUID()}
}

/** The path of what a container lies in; empty for one at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function containerAt<W extends Places>({containers}: W, path: string): W['containers'][number] | undefined {
  return containers.find((container) => container.path === path)
}

export function resourceAt({resources}: Places, container: string, uuid: string): Resource | undefined {
  return resources.find((resource) => resource.uuid === uuid && resource.container === container)
}

/**
 * Says whether a resource is an asset resource, which the document describes as "bundle files and a catalog file": one that
 * is linked to an asset file, or has the name of a bundle or a catalog.
 */
export function isAsset({name, link}: Resource): boolean {
  return link !== undefined || /\.bundle$|^catalog.*\.(?:json|bin|hash)$/i.test(name)
}
