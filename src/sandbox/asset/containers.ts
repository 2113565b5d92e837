import * as asset from '../../api/contract/asset.js'
import type {Input} from '../../api/contract/operation.js'
import {assertContract, emptyResponse, jsonResponse, refusePlain} from '../wire/service.js'
import type {Choices} from '../world/choices.js'
import {type Container, containerAt, newIdentity, parentOf, type World} from '../world/world.js'
import {type AssetHandler, containerUri, findContainer, readBodyOf, readView} from './operations.js'
import {containerMetaReply, listingReply} from './replies.js'

type Creation = Input<typeof asset.addContainer>['body']

/** What may be requestPath of a container (asset, Container operations). */
const allow = 'GET, POST, PATCH, OPTIONS, HEAD'

/** The path of the container to be made, by either reading of the path of the request. */
function newPath(path: string, name: string, {containerPath}: Choices): string {
  if (containerPath === 'self') return path
  if (name.includes('/') || name === '.' || name === '..') {
    refusePlain(400, `name: ${JSON.stringify(name)} cannot be in a path`)
  }
  return `${path}/${name}`
}

/** Adds a container to the world. Refuses with 404 where what it is to lie in does not exist, and with 409 a second one. */
function addContainer(world: World, requestPath: string, {type, name, description}: Creation): Container {
  const path = newPath(requestPath, name, world.choices)
  const parent = parentOf(path)
  if (parent !== '') findContainer(world, parent)
  if (containerAt(world, path) !== undefined) refusePlain(409, `container ${path} exists already`)
  const container = {path, ...newIdentity(), type, name, description}
  world.containers.push(container)
  return container
}

/** The summary table says that OPTION returns the operations, the notes Link; HEAD the reverse. `both`: each carries both. */
function methodHeaders({path}: Container, {choices}: World, isOptions: boolean): Record<string, string> {
  const link = `<${containerUri(path)}?type=meta>; rel="describedby"`
  if (choices.methodHeaders === 'both') return {allow, link}
  return (choices.methodHeaders === 'table') === isOptions ? {allow} : {link}
}

/** The rules of containers (asset, Container operations), by method. */
export const containerHandlers: Readonly<Record<string, AssetHandler>> = {
  async GET({world, container: path, request, options}) {
    const container = findContainer(world, path)
    const view = readView(request.url.searchParams, ['all', 'meta'])
    const reply =
      view === 'meta'
        ? assertContract(asset.info, containerMetaReply(container))
        : assertContract(asset.listContainer, listingReply(container, world))
    return jsonResponse(200, reply, options.now())
  },

  async POST({container: path, request, options}) {
    // The body was held to the shape whose input this is.
    const body = (await readBodyOf(asset.addContainer, request)) as Creation
    const {uuid, path: made} = await options.store.change((world) => addContainer(world, path, body))
    return jsonResponse(201, assertContract(asset.addContainer, {uuid, uri: containerUri(made)}), options.now())
  },

  async PATCH({container: path, request, options}) {
    const {description} = (await readBodyOf(asset.describe, request)) as Input<typeof asset.describe>['body']
    await options.store.change((world) => {
      findContainer(world, path)
      world.containers = world.containers.map((one) => (one.path === path ? {...one, description} : one))
    })
    return emptyResponse(204, {}, options.now())
  },

  async OPTIONS({world, container: path, options}) {
    return emptyResponse(
      204,
      assertContract(asset.options, methodHeaders(findContainer(world, path), world, true)),
      options.now(),
    )
  },

  async HEAD({world, container: path, options}) {
    return emptyResponse(
      200,
      assertContract(asset.head, methodHeaders(findContainer(world, path), world, false)),
      options.now(),
    )
  },
}

/** What is refused with 405 (asset, Container operations: DELETE is "work in progress; the operation is not available"). */
export function refuseContainerMethod(method: string): never {
  if (method === 'DELETE') refusePlain(405, 'deleting a container is work in progress; it is not available', {allow})
  return refusePlain(405, `${method} is not allowed on a container; allowed: ${allow}`, {allow})
}
