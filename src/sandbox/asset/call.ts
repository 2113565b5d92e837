import type {Operation} from '../../api/contract/operation.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import type {ServiceOptions} from '../wire/parts.js'
import {refusePlain} from '../wire/plain.js'
import {readJson, readShape, readText} from '../wire/reading.js'
import {type Container, containerAt} from '../world/assetWorld.js'
import type {World} from '../world/world.js'

/** A request of the asset service, authorised, with what its path names. */
export interface AssetCall {
  readonly options: ServiceOptions
  readonly request: WireRequest
  /** As it was when the request came. */
  readonly world: World
  /** The path of the container. */
  readonly container: string
}

export type AssetHandler<C extends AssetCall = AssetCall> = (call: C) => Promise<WireResponse>

/** The container of that path. Refuses with 404. */
export function findContainer(world: World, path: string): Container {
  return containerAt(world, path) ?? refusePlain(404, `container ${path} does not exist`)
}

/** The query's `type`, which chooses a view (asset, Endpoints). Refuses with 400 another one, and other fields. */
export function viewOf<View extends string>(query: URLSearchParams, views: readonly View[]): View | undefined {
  const stranger = [...query.keys()].find((name) => name !== 'type')
  if (stranger !== undefined) refusePlain(400, `unknown query field: ${stranger}`)
  const types = query.getAll('type')
  if (types.length > 1) refusePlain(400, 'type: given more than once')
  const [type] = types
  if (type === undefined) return undefined
  const known = views.find((view) => view === type)
  return known ?? refusePlain(400, `type: expected one of ${views.join(', ')}, got ${JSON.stringify(type)}`)
}

/** The members of a JSON body, held to the operation's shape; refuses what does not fit. */
export async function bodyOf(operation: Operation & {readonly body: Operation['path']}, {body}: WireRequest) {
  return readShape(operation.body, readJson(await readText(body)), 'body')
}
