import type {ContainerMeta, Listing, ResourceLink, ResourceMeta} from '../../api/contract/assetShapes.js'
import {type Container, isAsset, parentOf, type StoredResource, type World} from '../world/world.js'
import {assetPrefix, containerUri, resourceUri} from './operations.js'

/** The sandbox has one owner of everything; what an owner id looks like is not shown. */
const owners = ['sandbox']

function parents(path: string): string {
  return path === '' ? '/' : `/${path}/`
}

function zoneless(utc: string): string {
  return utc.replace(/Z$/, '')
}

/** The names of the two kinds are not shown; BasicContainer is the pattern. */
function resourceType(resource: StoredResource): string {
  return isAsset(resource) ? 'AssetResource' : 'CommonResource'
}

/** An asset resource is listed under its link form (asset, Resource operations: `?type=asset`). */
function linkUri(resource: StoredResource): string {
  const uri = resourceUri(resource.container, resource.uuid)
  return isAsset(resource) ? `${uri}?type=asset` : uri
}

export function resourceLinkReply(resource: StoredResource): ResourceLink {
  return {uri: linkUri(resource), type: resourceType(resource)}
}

/** The common members of metadata and catalog view, in the order of the document (asset, Catalog view of a bundle). */
export function commonFields({id, uuid, name, description, platform, container}: StoredResource, origin: string) {
  return {
    _id: id,
    uuid,
    originalFileName: name,
    description,
    dataUrl: `${origin}${assetPrefix.data}/${uuid}/${encodeURIComponent(name)}`,
    // The sample shows it in capitals.
    platform: platform.toUpperCase(),
    parents: parents(container),
    owners,
  }
}

/** A resource's metadata (asset, Common resource metadata). Which reading sets `readAt` is not shown. */
export function resourceMetaReply(resource: StoredResource, origin: string): ResourceMeta {
  const {name, link, createdAt} = resource
  const {_id, uuid, originalFileName, ...others} = commonFields(resource, origin)
  return {
    _id,
    uuid,
    ...(link === undefined ? {} : {assetResourceFileId: link}),
    originalFileName,
    fileExtension: /\.([^.]+)$/.exec(name)?.[1] ?? '',
    ...others,
    trashed: false,
    trashingUserId: null,
    trashedAt: null,
    readAt: null,
    updatedAt: zoneless(createdAt),
    createdAt: zoneless(createdAt),
  }
}

export function listingReply({type, name, path}: Container, {containers, resources}: World): Listing {
  const children = containers.filter((container) => parentOf(container.path) === path)
  const files = resources.filter((resource) => resource.container === path)
  return {
    type,
    name,
    contains: children.map((child) => ({type: child.type, uri: containerUri(child.path)})),
    resources: {
      assetResources: files.filter(isAsset).map((file) => ({
        type: resourceType(file),
        platform: file.platform.toUpperCase(),
        name: file.name,
        uri: linkUri(file),
        description: file.description,
      })),
      commonResources: files
        .filter((file) => !isAsset(file))
        .map((file) => ({type: resourceType(file), name: file.name, uri: linkUri(file)})),
    },
  }
}

export function containerMetaReply({id, uuid, type, name, path, description}: Container): ContainerMeta {
  return {_id: id, uuid, type, name, parents: parents(parentOf(path)), description, owners}
}
