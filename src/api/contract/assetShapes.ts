import * as z from 'zod/mini'
import {maybe, maybeBoolean, maybeString, string} from './shapes.js'

/** The platforms of an upload (asset, Create upload headers); samples show them in capitals too. */
export const platforms = ['ios', 'android', 'windows'] as const
export type Platform = (typeof platforms)[number]

/** The type that the document shows for a container (asset, Container). */
export const basicContainer = 'BasicContainer'

const containerFields = z.looseObject({
  _id: maybeString,
  uuid: maybeString,
  type: maybeString,
  name: maybeString,
  parents: maybeString,
  description: maybeString,
  owners: maybe(z.array(string)),
})
export type ContainerMeta = z.output<typeof containerFields>

/** A container's metadata (asset, Container). Other JSON must not pass for that of a container without any. */
export const containerMeta = z.pipe(
  containerFields,
  z.custom<ContainerMeta>(({_id, uuid, type, name}) => Boolean(_id || uuid || type || name)),
)

export const containerEntry = z.looseObject({type: maybeString, uri: string})

/** An asset resource in a listing: a bundle file or a catalog, of one platform. */
export const assetEntry = z.looseObject({
  type: maybeString,
  platform: maybeString,
  name: maybeString,
  uri: string,
  description: maybeString,
})

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

/** The contents of a container (asset, Container listing). Other JSON, such as an error with a 2xx, must not pass for an empty one. */
export const listing = z.pipe(listingFields, z.custom<Listing>(isListing))

function isListing({type, name, contains, resources}: Listing): boolean {
  if (resources?.assetResources || resources?.commonResources) return true
  const names = Object.keys(resources ?? {})
  // Some services write an empty list as null.
  if (names.length > 0 && !names.includes('assetResources') && !names.includes('commonResources')) return false
  return Boolean(contains || (type && name))
}

const pageOf = /^(?:_?links|page|pageinfo|paging|pagination|meta|resources)$/u
const nextPage = /^next(?:page|token|pagetoken|cursor|link|marker|url|uri|offset)*$|^continuation(?:token)?$/u
const truth = /^(?:more|hasmore|hasnext|hasnextpage|(?:is)?(?:truncated|partial|incomplete))$/u

/** Whether a listing says in one of the usual ways that there is more: the document shows no pages. */
export function isPartial(reply: unknown): boolean {
  const entries = (value: unknown) => Object.entries(typeof value === 'object' && value !== null ? value : {})
  const all = entries(reply).flatMap(([name, value]) => [
    [name, value] as const,
    ...(pageOf.test(nameOf(name)) ? entries(value) : []),
  ])
  const shown = all.reduce((sum, [, value]) => sum + (Array.isArray(value) ? value.length : 0), 0)
  return all.some(([written, value]) => {
    const name = nameOf(written)
    if (nextPage.test(name)) return Boolean(value)
    if (truth.test(name)) return value === true
    if (/^(?:is)?last(?:page)?$/u.test(name)) return value === false
    return /^total(?:count|elements|items|resources|results)?$/u.test(name) && Number(value) > shown
  })
}

function nameOf(member: string): string {
  return member.toLowerCase().replace(/[_-]/gu, '')
}

export type ContainerEntry = z.output<typeof containerEntry>
export type AssetEntry = z.output<typeof assetEntry>
export type CommonEntry = z.output<typeof commonEntry>

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
 * A resource's metadata (asset, Common resource metadata). Timestamps have no zone. Other JSON must not pass for metadata of another
 * file.
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
 * The two headers that the document mentions once for OPTION and once for HEAD. Other headers, and `body`, are meta information
 * whose form is not shown.
 */
export const methodHeaders = z.looseObject({
  allow: maybeString,
  link: maybeString,
  body: z.optional(z.unknown()),
})
