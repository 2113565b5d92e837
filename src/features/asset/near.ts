import {listContainer} from '../../api/contract/asset.js'
import type {Listing} from '../../api/contract/assetShapes.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, withFacts} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {shortly} from '../../text/text.js'
import type {ResourcePath} from '../../upload/download/openBytes.js'
import {listedResources} from '../../upload/download/presence.js'
import {containerOf, pathArgument} from './paths.js'

export function isNotFound(error: unknown): boolean {
  return error instanceof Failure && (error.facts.httpStatus === 404 || error.facts.httpStatus === 410)
}

/** For `catch`: the Failure of a missing container names one whose path is near. */
export function namingNear(session: Session, container: string) {
  return async (error: unknown): Promise<never> => {
    const near = isNotFound(error) ? await nearContainer(session, container) : undefined
    if (near === undefined) throw error
    const place = pathArgument(near)
    throw withFacts(error, () => ({why: `did you mean ${place}?`, try: `roomctl asset list ${place}`}))
  }
}

/** The same for a resource: one that is near in its container, or the container that was named in its place. */
export function namingNearResource(session: Session, {container, uuid}: ResourcePath) {
  return async (error: unknown): Promise<never> => {
    const listing = isNotFound(error) ? await listed(session, container) : undefined
    if (listing === 'unknown') throw error
    if (!listing) return namingNear(session, container)(error)
    const {base} = await session.api.access('asset')
    const place = pathArgument(`${container}/${uuid}`)
    if (containersIn(listing, base).includes(uuid)) {
      throw withFacts(error, () => ({why: `${place} is a container`, try: `roomctl asset list ${place}`}))
    }
    const why = nearResource(listing, {container, uuid})
    throw why === undefined
      ? error
      : withFacts(error, () => ({why, try: `roomctl asset list ${pathArgument(container)}`}))
  }
}

/** `did you mean games/puzzle/a-logo "logo.png"?`, of the resource whose uuid or name is near. */
function nearResource(listing: Listing, missing: ResourcePath): string | undefined {
  const places = new Map<string, string>()
  for (const [uuid, {name}] of listedResources(listing)) {
    const argument = pathArgument(`${missing.container}/${uuid}`)
    if (name) places.set(name, `${argument} "${shortly(name)}"`)
    places.set(uuid, argument)
  }
  const near = places.get(nearest(missing.uuid, places.keys()) ?? '')
  return near === undefined ? undefined : `did you mean ${near}?`
}

/** The container beside a missing one whose name is near, or the same below it. */
export async function nearContainer(session: Session, container: string): Promise<string | undefined> {
  const {base} = await session.api.access('asset')
  const segments = container.split('/')
  for (let at = segments.length - 1; at > 0; at -= 1) {
    const parent = segments.slice(0, at).join('/')
    const listing = await listed(session, parent)
    if (listing === 'unknown') return undefined
    const near = listing && nearest(segments[at] ?? '', containersIn(listing, base))
    if (listing) return near && [parent, near, ...segments.slice(at + 1)].join('/')
  }
  return undefined
}

function containersIn({contains}: Listing, base: URL): string[] {
  return (contains ?? []).flatMap(({uri}) => containerOf(uri, base)?.split('/').at(-1) ?? [])
}

/** The contents of a container; undefined if it does not exist. */
async function listed({api}: Session, container: string): Promise<Listing | 'unknown' | undefined> {
  try {
    return await api.call(listContainer, {path: {container}, query: {}})
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.exit === 'interrupted') throw error
    return isNotFound(error) ? undefined : 'unknown'
  }
}
