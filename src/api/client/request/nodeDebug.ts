import {type Failure, failureWith} from '../../../failure.js'
import {type Operation, parametersOf, type Service} from '../../contract/operation.js'

/** The parts of Node, and of undici, that print the address of each request, but no header or body. */
const printing = ['http', 'https', 'net', 'tls', 'undici', 'fetch', 'websocket'] as const

/** The part that prints the beginning of each chunk of an answer, or of stdin. */
const printingPieces = 'stream'

/**
 * Refuses to send a secret where Node would print it (product §7: never logged): under NODE_DEBUG it writes addresses to stderr,
 * past everything that masks. Throws Failure (configuration).
 */
export function assertSecretUnprinted(operation: Operation, nodeDebug = ''): void {
  const part = printing.find((name) => prints(nodeDebug, name))
  const inAddress = parametersOf(operation).find(
    ({name, place}) => place === 'query' && operation.secrets?.includes(name),
  )
  if (part === undefined || !inAddress) return
  throw printed(`send ${inAddress.name}`, 'it is in the request URL', 'every address', part)
}

/** The same for a secret from stdin; `what` follows `the`. */
export function assertStdinUnprinted(what: string, nodeDebug = ''): void {
  if (!prints(nodeDebug, printingPieces)) return
  throw printed(`read the ${what} from stdin`, 'it is a secret', 'what comes by stdin', printingPieces)
}

/** The same for the token of a service, which may repeat it, or answer with another secret. */
export function assertTokenUnprinted(service: Service, nodeDebug = ''): void {
  if (!prints(nodeDebug, printingPieces)) return
  throw printed(
    `send the token of the ${service} service`,
    'a service may repeat what it is sent',
    'the start of each response',
    printingPieces,
  )
}

function printed(doing: string, where: string, what: string, part: string): Failure {
  return failureWith('configuration', `cannot ${doing} while NODE_DEBUG is set: nothing was sent`, {
    code: 'node-debug',
    why: `${where}, and Node prints ${what} under NODE_DEBUG=${part}`,
    try: 'unset NODE_DEBUG; --debug shows the requests with their secrets masked',
  })
}

/** Node's own rule: names in any case with commas between them, in which * matches anything. */
function prints(nodeDebug: string, part: string): boolean {
  const pattern = nodeDebug
    .replace(/[|\\{}()[\]^$+?.]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll(',', '$|^')
  return new RegExp(`^${pattern}$`, 'i').test(part)
}
