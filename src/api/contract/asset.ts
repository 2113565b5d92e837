import * as z from 'zod/mini'
import {operation} from './operation.js'
import {id, maybe, maybeBoolean, maybeString, none, nothing, string} from './shapes.js'

/** The platforms of an upload, as they are sent (asset, Create upload headers); samples show them in capitals too. */
export const platforms = ['ios', 'android', 'windows'] as const
export type Platform = (typeof platforms)[number]

/** The type that the document shows for a container (asset, Container). */
export const basicContainer = 'BasicContainer'

/** A container's own fields (asset, Container). */
export const containerMeta = z.looseObject({
  _id: maybeString,
  uuid: maybeString,
  type: maybeString,
  name: maybeString,
  parents: maybeString,
  description: maybeString,
  owners: maybe(z.array(string)),
})
export type ContainerMeta = z.output<typeof containerMeta>

/** A child container in a listing (asset, Container listing). */
export const containerEntry = z.looseObject({type: maybeString, uri: string})

/** An asset resource in a listing: a bundle file or a catalog, of one platform. */
export const assetEntry = z.looseObject({
  type: maybeString,
  platform: maybeString,
  name: maybeString,
  uri: string,
  description: maybeString,
})

/** A common resource in a listing. */
export const commonEntry = z.looseObject({type: maybeString, name: maybeString, uri: string})

const listingFields = z.looseObject({
  type: maybeString,
  name: maybeString,
  contains: maybe(z.array(containerEntry)),
  resources: maybe(
    z.looseObject({
      assetResources: maybe(z.array(assetEntry)),
      commonResources: maybe(z.array(commonEntry)),
    }),
  ),
})
export type Listing = z.output<typeof listingFields>

/** What a container holds (asset, Container listing). Other JSON, such as an error with a 2xx, must not pass for an empty container. */
export const listing = z.pipe(listingFields, z.custom<Listing>(isListing))

function isListing({type, name, contains, resources}: Listing): boolean {
  if (resources?.assetResources || resources?.commonResources) return true
  const names = Object.keys(resources ?? {})
  // Some services write an empty list as null.
  if (names.length > 0 && !names.includes('assetResources') && !names.includes('commonResources')) return false
  return Boolean(contains || (type && name))
}
export type ContainerEntry = z.output<typeof containerEntry>
export type AssetEntry = z.output<typeof assetEntry>
export type CommonEntry = z.output<typeof commonEntry>

/** The link form of a resource. */
export const resourceLink = z.looseObject({uri: string, type: maybeString})
export type ResourceLink = z.output<typeof resourceLink>

const resourceFields = {
  _id: maybeString,
  uuid: maybeString,
  originalFileName: maybeString,
  description: maybeString,
  dataUrl: maybeString,
  platform: maybeString,
  parents: maybeString,
  owners: maybe(z.array(string)),
}

const metaFields = z.looseObject({
  ...resourceFields,
  assetResourceFileId: maybeString,
  fileExtension: maybeString,
  trashed: maybeBoolean,
  trashingUserId: maybeString,
  trashedAt: maybeString,
  readAt: maybeString,
  updatedAt: maybeString,
  createdAt: maybeString,
})
export type ResourceMeta = z.output<typeof metaFields>

/**
 * A resource's metadata (asset, Common resource metadata). Timestamps come without a zone and are shown as they come. Other JSON must
 * not pass for metadata of another file.
 */
export const resourceMeta = z.pipe(
  metaFields,
  z.custom<ResourceMeta>(({_id, uuid, originalFileName, dataUrl}) =>
    Boolean(_id || uuid || originalFileName || dataUrl),
  ),
)

/** The catalog view of a bundle; the content of `metaJson` is not shown (asset, Catalog view of a bundle). */
export const catalogView = z.looseObject({...resourceFields, metaJson: maybe(z.unknown())})
export type CatalogView = z.output<typeof catalogView>

/**
 * The two headers that the document speaks of, once for OPTION and once for HEAD (product §9: from whichever carries them). Other
 * headers are those of the meta information, and `body` is the body where there is one: their form is not shown.
 */
export const methodHeaders = z.looseObject({
  allow: maybeString,
  link: maybeString,
  body: z.optional(z.unknown()),
})

const containerPath = z.strictObject({container: id})

export const listContainer = operation({
  id: 'asset.list',
  service: 'asset',
  purpose: 'List the contents of a container',
  doing: 'list container {container}',
  source: 'asset, Container operations',
  method: 'GET',
  route: '/{container}/',
  effect: 'read',
  path: containerPath,
  deep: 'container',
  query: z.strictObject({type: z.optional(z.literal('all'))}),
  successes: [200],
  answers: 'json',
  reply: listing,
  fails: [],
})

export const info = operation({
  id: 'asset.info',
  service: 'asset',
  purpose: 'Read the metadata of a container',
  doing: 'read container {container}',
  source: 'asset, Container operations',
  method: 'GET',
  route: '/{container}/',
  effect: 'read',
  path: containerPath,
  deep: 'container',
  query: z.strictObject({type: z.literal('meta')}),
  successes: [200],
  answers: 'json',
  reply: containerMeta,
  fails: [],
})

export const addContainer = operation({
  id: 'asset.create',
  service: 'asset',
  purpose: 'Create a container',
  doing: 'create container {container}',
  source: 'asset, Container operations',
  method: 'POST',
  route: '/{container}/',
  effect: 'create',
  path: containerPath,
  deep: 'container',
  query: none,
  body: z.strictObject({type: id, name: id, description: string}),
  successes: [201],
  answers: 'json',
  reply: z.looseObject({uuid: maybeString, uri: maybeString}),
  fails: [],
})

export const describe = operation({
  id: 'asset.describe',
  service: 'asset',
  purpose: 'Change the description of a container',
  doing: 'describe container {container}',
  source: 'asset, Container operations',
  method: 'PATCH',
  route: '/{container}/',
  effect: 'state',
  path: containerPath,
  deep: 'container',
  query: none,
  body: z.strictObject({description: string}),
  successes: [204],
  answers: 'nothing',
  reply: nothing,
  fails: [],
})

export const options = operation({
  id: 'asset.options',
  service: 'asset',
  purpose: 'List the methods that a container allows',
  doing: 'ask container {container} for its operations',
  source: 'asset, Container operations',
  // The document writes OPTION; the method of HTTP is OPTIONS (product §9).
  method: 'OPTIONS',
  route: '/{container}/',
  effect: 'read',
  path: containerPath,
  deep: 'container',
  query: none,
  answers: 'headers',
  reply: methodHeaders,
  fails: [],
})

export const head = operation({
  id: 'asset.head',
  service: 'asset',
  purpose: 'Ask for the meta information of a container',
  doing: 'ask container {container} for its meta information',
  source: 'asset, Container operations',
  method: 'HEAD',
  route: '/{container}/',
  effect: 'read',
  path: containerPath,
  deep: 'container',
  query: none,
  answers: 'headers',
  reply: methodHeaders,
  fails: [],
})

export const upload = operation({
  id: 'asset.upload',
  service: 'asset',
  purpose: 'Begin an upload',
  doing: 'begin an upload in container {container}',
  source: 'asset, Create upload headers',
  method: 'POST',
  // Without the slash at the end: with it, a container is created.
  route: '/{container}',
  effect: 'create',
  path: containerPath,
  deep: 'container',
  query: none,
  headers: z.strictObject({
    Original_File_Name: id,
    'Upload-Length': string,
    Platform: z.enum(platforms),
    Description: id,
    Asset_Resource_File_Id: z.optional(id),
  }),
  answers: 'headers',
  reply: z.looseObject({location: id}),
  fails: [],
})

export const patch = operation({
  id: 'asset.patch',
  service: 'asset',
  purpose: 'Continue an upload with the next bytes',
  doing: 'continue upload {uuid} in container {container}',
  source: 'asset, Continue upload headers',
  method: 'PATCH',
  route: '/{container}/{uuid}',
  effect: 'state',
  path: z.strictObject({container: id, uuid: id}),
  deep: 'container',
  query: none,
  headers: z.strictObject({
    'Content-Type': z.literal('application/offset+octet-stream'),
    'Upload-Offset': string,
    'Content-Length': string,
    'Upload-Checksum': z.optional(string),
  }),
  answers: 'headers',
  reply: z.looseObject({'upload-offset': string, 'tus-resumable': maybeString}),
  fails: [],
})

export const getResource = operation({
  id: 'asset.get',
  service: 'asset',
  purpose: 'Read the link of a resource',
  doing: 'read resource {container}/{common_resource_uuid}',
  source: 'asset, Resource operations',
  method: 'GET',
  route: '/{container}/{common_resource_uuid}',
  effect: 'read',
  path: z.strictObject({container: id, common_resource_uuid: id}),
  deep: 'container',
  query: none,
  answers: 'json',
  reply: resourceLink,
  fails: [],
})

/**
 * How much of an upload the service has, by the protocol alone (tus 1.0.0, HEAD; asset, Versioning): the document names no such
 * operation, so it is none of `operations` and has no route of its own.
 */
export const uploadOffset = operation({
  id: 'tus.head',
  service: 'asset',
  purpose: 'Ask how much of an upload the service has',
  doing: 'ask how much of {container}/{common_resource_uuid} is there',
  source: 'asset, Versioning',
  method: 'HEAD',
  route: '/{container}/{common_resource_uuid}',
  effect: 'read',
  path: z.strictObject({container: id, common_resource_uuid: id}),
  deep: 'container',
  query: none,
  headers: z.strictObject({'Tus-Resumable': string}),
  answers: 'headers',
  reply: z.looseObject({'upload-offset': maybeString, 'upload-length': maybeString}),
  fails: [],
})

export const meta = operation({
  id: 'asset.meta',
  service: 'asset',
  purpose: 'Read the metadata of a resource',
  doing: 'read the metadata of {container}/{common_resource_uuid}',
  source: 'asset, Resource operations',
  method: 'GET',
  route: '/{container}/{common_resource_uuid}',
  effect: 'read',
  path: z.strictObject({container: id, common_resource_uuid: id}),
  deep: 'container',
  query: z.strictObject({type: z.literal('meta')}),
  answers: 'json',
  reply: resourceMeta,
  fails: [],
})

export const catalog = operation({
  id: 'asset.catalog',
  service: 'asset',
  purpose: 'Read the catalog view of a bundle',
  doing: 'read the catalog of {container}/{common_uuid}',
  source: 'asset, Resource operations',
  method: 'GET',
  route: '/{container}/{common_uuid}',
  effect: 'read',
  path: z.strictObject({container: id, common_uuid: id}),
  deep: 'container',
  query: z.strictObject({type: z.literal('catalog')}),
  answers: 'json',
  reply: catalogView,
  fails: [],
})

export const bytes = operation({
  id: 'asset.bytes',
  service: 'asset',
  purpose: 'Follow the link form of an asset listing',
  doing: 'follow {container}/{uuid}?type=asset',
  source: 'asset, Resource operations',
  method: 'GET',
  route: '/{container}/{uuid}',
  effect: 'read',
  path: z.strictObject({container: id, uuid: id}),
  deep: 'container',
  query: z.strictObject({type: z.literal('asset')}),
  // Its answer is not shown: JSON is read as JSON, anything else is the bytes.
  answers: 'json',
  reply: z.unknown(),
  fails: [],
})
