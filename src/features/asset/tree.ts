import {list} from '../../api/contract/asset.js'
import type {Listing} from '../../api/contract/assetShapes.js'
import {Failure, failureJson} from '../../api/contract/failure.js'
import {isMachineFormat} from '../../cli/errors/errorHandler.js'
import {errorJson, failureWarning} from '../../cli/output/failures.js'
import type {Session} from '../../cli/session/session.js'
import type {AssetRow} from '../../view/asset/asset.js'
import {entriesOf, type Listed} from './listing.js'

/** A service whose containers never end, or contain one another under ever new names, ends here. */
const deepest = 64
const mostContainers = 10_000

interface Node extends Listed {
  children: readonly Node[]
  row: AssetRow
}

/**
 * Every entry of a container and of the containers in it, each below its container. Containers that were met before are not
 * walked again. One that cannot be listed keeps its row with the reason, and makes the command end with `partial`; the first
 * one must be listed. Raises a Failure.
 */
export async function walkTree(session: Session, container: string, base: URL): Promise<AssetRow[]> {
  const {default: pLimit} = await import('p-limit')
  const limit = pLimit(session.resolved.values.concurrency)
  const listingOf = (path: string) => limit(() => session.api.call(list, {path: {container: path}}))

  const met = new Set([container])
  const first = nodesOf(await listingOf(container), base, 0)
  // Level by level, in the order of the listings: which of two places a container is shown at never depends on the network.
  let level = first
  for (let depth = 1; level.length > 0; depth += 1) {
    const fresh = level.filter((node) => isFresh(node, met))
    const walkable = fresh.filter((node) => !isBeyond(node, depth, met.size))
    await Promise.all(walkable.map((node) => expand(session, node, depth, base, listingOf)))
    level = walkable.flatMap(({children}) => children)
  }
  const rows = flattened(first)
  if (rows.some(({error}) => error)) session.endWith('partial')
  return rows
}

/** Whether a node is a container that is to be walked; one that was met before is marked. */
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
  const facts = {exit: 'partial', code: 'too-many', message: `the tree is ${what}`, why: 'it may have no end'} as const
  node.row = {...node.row, error: failureJson(new Failure(facts))}
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
    if (!(error instanceof Failure) || endsAll(error)) throw error
    node.row = {...node.row, error: errorJson(session, error)}
    if (!isMachineFormat(session.output.format)) session.warn(failureWarning(session, error))
  }
}

/** What no other listing would escape. */
function endsAll({facts}: Failure): boolean {
  return facts.exit === 'interrupted' || facts.exit === 'unauthenticated' || facts.exit === 'configuration'
}

function nodesOf(listing: Listing, base: URL, depth: number): Node[] {
  return entriesOf(listing, base).map(({row, ...rest}) => ({...rest, row: {...row, depth}, children: []}))
}

/** Each node before its children. */
function flattened(nodes: readonly Node[]): AssetRow[] {
  return nodes.flatMap((node) => [node.row, ...flattened(node.children)])
}
