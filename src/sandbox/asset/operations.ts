import type {Input, Operation} from '../../api/contract/operation.js'
import {operations} from '../../api/contract/operations.js'
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
}

export type AssetHandler<C extends AssetCall = AssetCall> = (call: C) => Promise<WireResponse>

export function findContainer(world: World, path: string): Container {
  return containerAt(world, path) ?? refusePlain(404, `container ${path} does not exist`)
}

/** The view that the query's `type` chooses (asset, Endpoints). Refuses with 400 another one, and other fields. */
export function readView<View extends string>(query: URLSearchParams, views: readonly View[]): View | undefined {
  const unknown = [...query.keys()].find((name) => name !== 'type')
  if (unknown !== undefined) refusePlain(400, `unknown query field: ${unknown}`)
  const types = query.getAll('type')
  if (types.length > 1) refusePlain(400, 'type: given more than once')
  const [type] = types
  if (type === undefined) return undefined
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

export const assetOperations: readonly Operation[] = operations.filter(({service}) => service === 'asset')

/** The first segment of the paths: of the service, and of the bytes of its files, which need no credential. */
export const assetPrefix = {service: '/asset', data: '/asset-data'} as const

/** With a slash at the end it names a container, without one a file or where an upload begins (asset, Endpoints). */
export type AssetPath = NonNullable<ReturnType<typeof parseAssetPath>>

/** Reads a path below the prefix; undefined for empty segments, and for escapes that hide a slash or are none. */
export function parseAssetPath(prefix: string, pathname: string) {
  const slash = pathname.endsWith('/')
  const segments = pathname
    .slice(prefix.length + 1, slash ? -1 : undefined)
    .split('/')
    .map(decodeSegment)
  if (segments.some((segment) => segment === '' || segment.includes('/'))) return undefined
  return {segments, slash}
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

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
