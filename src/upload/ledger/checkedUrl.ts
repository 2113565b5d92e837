import {Failure} from '../../api/contract/failure.js'
import type {LedgerEntry} from './entry.js'

/**
 * The address of an upload, of an entry that was read from a ledger: whoever can write that file must not lead the credential
 * to another service, nor the tool to offsets that cannot be. `base` is the service's base address. Raises a Failure (file)
 * that says what is wrong with the entry.
 */
export function checkedUrl(entry: LedgerEntry, base: URL): URL {
  const fault = orderFault(entry)
  if (fault !== undefined) throw refused(entry, fault)
  const url = URL.canParse(entry.url ?? '') ? new URL(entry.url ?? '') : undefined
  if (url === undefined) throw refused(entry, 'its address is none')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused(entry, 'its address is not http or https')
  if (url.username !== '' || url.password !== '') throw refused(entry, 'its address holds a user name or a password')
  if (url.origin !== base.origin) {
    throw refused(entry, `its address is on ${url.origin}, and the asset service is on ${base.origin}`)
  }
  return url
}

function orderFault({size, acked, inFlight}: LedgerEntry): string | undefined {
  let end = 0
  for (const {from, to} of acked) {
    if (from !== end || to < from) return 'its acknowledged parts are not in order'
    end = to
  }
  if (end > size) return 'it says that more was acknowledged than the file holds'
  if (inFlight && (inFlight.to < inFlight.from || inFlight.to > size)) {
    return 'it says that something was being sent that the file does not hold'
  }
  return undefined
}

function refused({id}: LedgerEntry, fault: string): Failure {
  return new Failure({
    exit: 'file',
    code: 'ledger-entry',
    message: `upload ${id} is not taken up: ${fault}`,
    why: 'the ledger of uploads was changed by something else than this tool, or belongs to another service',
    try: `roomctl asset forget ${id}, then upload the file again`,
  })
}
