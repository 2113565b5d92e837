import * as z from 'zod/mini'
import {maybe} from './shapes.js'

/** The platforms of an upload, as they are sent (asset, Create upload headers); samples show them in capitals too. */
export const platforms = ['ios', 'android', 'windows'] as const
export type Platform = (typeof platforms)[number]

/** The type that the document shows for a container (asset, Container). */
export const basicContainer = 'BasicContainer'

/** A container's own fields (asset, Container). */
export const containerMeta = z.looseObject({
  _id: maybe(z.string()),
  uuid: maybe(z.string()),
  type: maybe(z.string()),
  name: maybe(z.string()),
  parents: maybe(z.string()),
  description: maybe(z.string()),
  owners: maybe(z.array(z.string())),
})
export type ContainerMeta = z.output<typeof containerMeta>

/** A child container in a listing (asset, Container listing). */
export const containerEntry = z.looseObject({type: maybe(z.string()), uri: z.string()})

/** An asset resource in a listing: a bundle file or a catalog, of one platform. */
export const assetEntry = z.looseObject({
  type: maybe(z.string()),
  platform: maybe(z.string()),
  name: maybe(z.string()),
  uri: z.string(),
  description: maybe(z.string()),
})

/** A common resource in a listing. */
export const commonEntry = z.looseObject({type: maybe(z.string()), name: maybe(z.string()), uri: z.string()})

/** What a container holds (asset, Container listing). */
export const listing = z.looseObject({
  type: maybe(z.string()),
  name: maybe(z.string()),
  contains: maybe(z.array(containerEntry)),
  resources: maybe(
    z.looseObject({
      assetResources: maybe(z.array(assetEntry)),
      commonResources: maybe(z.array(commonEntry)),
    }),
  ),
})
export type Listing = z.output<typeof listing>
export type ContainerEntry = z.output<typeof containerEntry>
export type AssetEntry = z.output<typeof assetEntry>
export type CommonEntry = z.output<typeof commonEntry>

/** The link form of a resource. */
export const resourceLink = z.looseObject({uri: z.string(), type: maybe(z.string())})
export type ResourceLink = z.output<typeof resourceLink>

const resourceFields = {
  _id: maybe(z.string()),
  uuid: maybe(z.string()),
  originalFileName: maybe(z.string()),
  description: maybe(z.string()),
  dataUrl: maybe(z.string()),
  platform: maybe(z.string()),
  parents: maybe(z.string()),
  owners: maybe(z.array(z.string())),
}

/** A resource's metadata (asset, Common resource metadata). Timestamps come without a zone and are shown as they come. */
export const resourceMeta = z.looseObject({
  ...resourceFields,
  assetResourceFileId: maybe(z.string()),
  fileExtension: maybe(z.string()),
  trashed: maybe(z.boolean()),
  trashingUserId: maybe(z.string()),
  trashedAt: maybe(z.string()),
  readAt: maybe(z.string()),
  updatedAt: maybe(z.string()),
  createdAt: maybe(z.string()),
})
export type ResourceMeta = z.output<typeof resourceMeta>

/** The catalog view of a bundle; the content of `metaJson` is not shown (asset, Catalog view of a bundle). */
export const catalogView = z.looseObject({...resourceFields, metaJson: maybe(z.unknown())})
export type CatalogView = z.output<typeof catalogView>

/** The two headers that the document speaks of, once for OPTION and once for HEAD (product §9: from whichever carries them). */
export const methodHeaders = z.looseObject({allow: maybe(z.string()), link: maybe(z.string())})
