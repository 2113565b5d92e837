import * as asset from '../../api/contract/asset.js'
import type {Input} from '../../api/contract/operation.js'
import {assertContract, contractResponse, emptyResponse, refusePlain} from '../wire/service.js'
import {type Container, containerAt, newIdentity, parentOf, type World} from '../world/world.js'
import {type AssetHandler, containerUri, findContainer, readBodyOf, readView} from './operations.js'
import {containerMetaReply, listingReply} from './replies.js'

type Creation = Input<typeof asset.addContainer>['body']

export const allow = 'GET, POST, PATCH, OPTIONS, HEAD'

/** Refuses with 404 if the parent does not exist, and with 409 a second container. */
function addContainer(world: World, path: string, {type, name, description}: Creation): Container {
  const parent = parentOf(path)
  if (parent !== '') findContainer(world, parent)
  if (containerAt(world, path) !== undefined) refusePlain(409, `container ${path} exists already`)
  const container = {path, ...newIdentity(), type, name, description}
  world.containers.push(container)
  return container
}

/** The summary table says that OPTION returns the operations, the notes Link; HEAD the reverse. Here each carries both. */
function methodsHandler(operation: typeof asset.options | typeof asset.head, status: number): AssetHandler {
  return async ({world, container: path, options}) => {
    const link = `<${containerUri(findContainer(world, path).path)}?type=meta>; rel="describedby"`
    return emptyResponse(status, assertContract(operation, {allow, link}), options.now())
  }
}

const readContainer: AssetHandler = async ({world, container: path, request, options}) => {
  const container = findContainer(world, path)
  return readView(request.url.searchParams, ['all', 'meta']) === 'meta'
    ? contractResponse(asset.info, 200, containerMetaReply(container), options.now())
    : contractResponse(asset.listContainer, 200, listingReply(container, world), options.now())
}

/** The rules of containers (asset, Container operations). */
export const containerHandlers = {
  'asset.list': readContainer,
  'asset.info': readContainer,

  async 'asset.create'({container: path, request, options}) {
    const body = await readBodyOf(asset.addContainer, request)
    const {uuid, path: made} = await options.store.change((world) => addContainer(world, path, body))
    return contractResponse(asset.addContainer, 201, {uuid, uri: containerUri(made)}, options.now())
  },

  async 'asset.describe'({container: path, request, options}) {
    const {description} = await readBodyOf(asset.describe, request)
    await options.store.change((world) => {
      findContainer(world, path).description = description
    })
    return emptyResponse(204, {}, options.now())
  },

  'asset.options': methodsHandler(asset.options, 204),
  'asset.head': methodsHandler(asset.head, 200),
} satisfies Readonly<Record<string, AssetHandler>>
