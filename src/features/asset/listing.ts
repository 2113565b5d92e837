import {listContainer} from '../../api/contract/asset.js'
import type {AssetEntry, CommonEntry, ContainerEntry, Listing} from '../../api/contract/assetShapes.js'
import {errorJson, failureWarning} from '../../cli/output/failures.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, failureJson, failureWith, unlessFailure} from '../../failure.js'
import type {AssetRow} from '../../view/asset/listing.js'
import {escapePath, parseContainer, parseResource} from './paths.js'

interface ListingEntry {
  readonly row: AssetRow
  /** Decoded, to be listed in its turn; absent for a resource, and for a container elsewhere. */
  readonly container?: string
}

/** The entries of one container. Throws Failure. */
export async function readListing({api}: Session, container: string): Promise<AssetRow[]> {
  const {base} = await api.access('asset')
  return listingEntries(await api.call(listContainer, {path: {container}}), base).map(({row}) => row)
}

export function listingEntries({contains, resources}: Listing, base: URL): ListingEntry[] {
  return [
    ...(contains ?? []).map((entry) => containerEntry(entry, base)),
    ...(resources?.assetResources ?? []).map((entry) => ({row: resourceRow('asset', entry, base)})),
    ...(resources?.commonResources ?? []).map((entry) => ({row: resourceRow('common', entry, base)})),
  ]
}

/** A child container has no name in the document: use the end of its path. */
function containerEntry({type, uri}: ContainerEntry, base: URL): ListingEntry {
  const container = unlessFailure(() => parseContainer(uri, base))
  const row: AssetRow = {
    kind: 'container',
    path: container === undefined ? null : escapePath(container),
    name: container?.split('/').at(-1) ?? null,
    type: type ?? null,
    platform: null,
    uuid: null,
    uri,
    description: null,
  }
  return container === undefined ? {row} : {row, container}
}

function resourceRow(kind: 'asset' | 'common', entry: AssetEntry | CommonEntry, base: URL): AssetRow {
  const place = unlessFailure(() => parseResource(entry.uri, base))
  return {
    kind,
    path: place ? escapePath(`${place.container}/${place.uuid}`) : null,
    name: entry.name ?? null,
    type: entry.type ?? null,
    platform: 'platform' in entry && typeof entry.platform === 'string' ? entry.platform : null,
    uuid: place?.uuid ?? null,
    uri: entry.uri,
    description: 'description' in entry && typeof entry.description === 'string' ? entry.description : null,
  }
}

/** Bounds a service whose containers never end, or contain one another under new names. */
const deepest = 64
const mostContainers = 10_000

interface Node extends ListingEntry {
  children: readonly Node[]
  row: AssetRow
}

/**
 * All entries below a container, depth first, each container once. An unreadable one keeps its row with the reason and makes the
 * command end with `partial`; the first one must be listed. Throws Failure.
 */
export async function readTree(session: Session, container: string): Promise<AssetRow[]> {
  const {base} = await session.api.access('asset')
  const {concurrency} = session.resolved.values
  const listingOf = (path: string) => session.api.call(listContainer, {path: {container: path}})

  const met = new Set([container])
  const first = nodesOf(await listingOf(container), base, 0)
  // Level by level, in the order of the listings: which of two places a container is shown at never depends on the network.
  let level = first
  for (let depth = 1; level.length > 0; depth += 1) {
    const fresh = level.filter((node) => isFresh(node, met))
    const walkable = fresh.filter((node) => !isBeyond(node, depth, met.size))
    await session.waiting.readEach('containers', walkable, concurrency, (node) =>
      expand(session, node, depth, base, listingOf),
    )
    level = walkable.flatMap(({children}) => children)
  }
  const rows = flattened(first)
  if (rows.some(({error}) => error)) session.endWith('partial')
  return rows
}

/** Whether to descend into a node; marks a container that was met before. */
function isFresh(node: Node, met: Set<string>): boolean {
  if (node.container === undefined) return false
  if (met.has(node.container)) {
    node.row = {...node.row, repeated: true}
    return false
  }
  met.add(node.container)
  return true
}

function isBeyond(node: Node, depth: number, met: number): boolean {
  if (depth <= deepest && met <= mostContainers) return false
  const what = depth > deepest ? `more than ${deepest} containers deep` : `more than ${mostContainers} containers`
  const failure = failureWith('partial', `the tree is ${what}`, {code: 'too-many', why: 'it may be endless'})
  node.row = {...node.row, error: failureJson(failure)}
  return true
}

async function expand(
  session: Session,
  node: Node,
  depth: number,
  base: URL,
  listingOf: (path: string) => Promise<Listing>,
): Promise<void> {
  try {
    node.children = nodesOf(await listingOf(node.container ?? ''), base, depth)
  } catch (error) {
    if (!(error instanceof Failure) || endsReads(error)) throw error
    node.row = {...node.row, error: errorJson(session, error)}
    if (!isMachineFormat(session.output.format)) session.warn(failureWarning(session, error))
  }
}

export function endsReads({facts}: Failure): boolean {
  return facts.exit === 'interrupted' || facts.exit === 'unauthenticated' || facts.exit === 'configuration'
}

function nodesOf(listing: Listing, base: URL, depth: number): Node[] {
  return listingEntries(listing, base).map(({row, ...rest}) => ({...rest, row: {...row, depth}, children: []}))
}

function flattened(nodes: readonly Node[]): AssetRow[] {
  return nodes.flatMap((node) => [node.row, ...flattened(node.children)])
}
