import {Failure} from '../contract/failure.js'
import type {Operation} from '../contract/operation.js'
import type {Route} from '../http/route.js'
import {placementOf} from './placement.js'

/** The parts of Node, and of undici, that print the address of each request; a header or a body none of them prints. */
const printing = ['http', 'https', 'net', 'tls', 'undici', 'fetch', 'websocket'] as const

/**
 * A secret does not stand in an address that Node itself prints (product §7: never logged): under NODE_DEBUG it writes each
 * address to stderr, past everything that masks. `nodeDebug` is the variable's value. Raises a Failure (configuration).
 */
export function assertUnprinted(operation: Operation, route: Route, nodeDebug: string | undefined): void {
  // Looked at first: a run of many calls asks this for each.
  if (nodeDebug === undefined || nodeDebug === '' || operation.effect === 'read') return
  const part = printing.find((name) => prints(nodeDebug, name))
  if (part === undefined) return
  const {secrets = []} = operation
  const inAddress = placementOf(operation, route).find(
    ({parameter, place}) => secrets.includes(parameter.name) && (place === 'query' || place === 'path'),
  )
  if (!inAddress) return
  throw new Failure({
    exit: 'configuration',
    code: 'node-debug',
    message: `cannot send ${inAddress.parameter.name} while NODE_DEBUG is set: nothing was sent`,
    why: `it stands in the address of the request (${operation.source}), and Node prints every address under NODE_DEBUG=${part}`,
    try: 'unset NODE_DEBUG; --debug shows the requests with their secrets masked',
  })
}

/** By Node's own rule: names in any case with commas between them, in which * stands for anything. */
function prints(nodeDebug: string, part: string): boolean {
  const pattern = nodeDebug
    .replace(/[|\\{}()[\]^$+?.]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll(',', '$|^')
  return new RegExp(`^${pattern}$`, 'i').test(part)
}
