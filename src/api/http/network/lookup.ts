import type {LookupFunction} from 'node:net'
import {isLoopback} from './address.js'

/**
 * The look-up of a host that means this machine, to be spread into the options of a connection; nothing for any other host, which
 * Node looks up. Plain http is allowed to `localhost` and `*.localhost`, so they are the loopback addresses (RFC 6761, 6.3) even
 * where a name server or a hosts file says otherwise.
 */
export function loopbackLookup(hostname: string): {readonly lookup?: LookupFunction} {
  return isLoopback(hostname) ? {lookup: lookUpLoopback} : {}
}

/** The addresses of this machine, in the order in which they are tried. */
export const loopbackAddresses = [
  {address: '127.0.0.1', family: 4},
  {address: '::1', family: 6},
]

const lookUpLoopback: LookupFunction = (_, {all, family}, done) => {
  if (all) done(null, loopbackAddresses)
  else if (family === 6) done(null, '::1', 6)
  else done(null, '127.0.0.1', 4)
}
