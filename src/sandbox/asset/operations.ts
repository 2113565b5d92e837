import type {Input, Operation} from '../../api/contract/operation.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import {parseShape, readJson, readText} from '../wire/request.js'
import type {ServiceOptions} from '../wire/service.js'
import {refusePlain} from '../wire/service.js'
import {type Container, containerAt, type World} from '../world/world.js'

export interface AssetCall {
  readonly options: ServiceOptions
  readonly request: WireRequest
  readonly world: World
  readonly container: string
  /** Of a file or an upload; empty for a container. */
  readonly uuid: string
}

export type AssetHandler = (call: AssetCall) => Promise<WireResponse>

export function findContainer(world: World, path: string): Container {
  return containerAt(world, path) ?? refusePlain(404, `container ${path} does not exist`)
}

/** The view that the query's `type` chooses (asset, Endpoints). Refuses with 400 another one, and other fields. */
export function readView<View extends string>(query: URLSearchParams, views: readonly View[]): View | undefined {
  const unknown = [...query.keys()].find((name) => name !== 'type')
  if (unknown !== undefined) refusePlain(400, `unknown query field: ${unknown}`)
  const type = query.get('type')
  if (type === null) return undefined
  const expected = `type: expected one of ${views.join(', ')}, got ${JSON.stringify(type)}`
  return views.find((view) => view === type) ?? refusePlain(400, expected)
}

/** The members of a JSON body, held to the operation's shape; refuses what does not fit. */
export async function readBodyOf<O extends Operation & {readonly body: Operation['path']}>(
  operation: O,
  {body}: WireRequest,
): Promise<Input<O>['body']> {
  return parseShape(operation.body, readJson(await readText(body)), 'body') as Input<O>['body']
}

/** The first segment of the paths: of the service, and of the bytes of its files, which need no credential. */
export const assetPrefix = {service: '/asset', data: '/asset-data'} as const

/** `/asset/games/puzzle/`: "the URI of a container always ends with /". */
export function containerUri(path: string): string {
  return `${assetPrefix.service}/${encodePath(path)}/`
}

export function resourceUri(container: string, uuid: string): string {
  return `${assetPrefix.service}/${encodePath(`${container}/${uuid}`)}`
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
