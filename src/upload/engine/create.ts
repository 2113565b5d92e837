import {upload} from '../../api/contract/asset.js'
import {createHeaders} from '../source/headers.js'
import {ask} from './ask.js'
import {checkedLocation} from './location.js'
import type {Headers, Means} from './means.js'
import type {Run} from './run.js'

/**
 * Begins an upload by POST (asset, Create upload headers), or the method that is set for it. It is in the ledger before the
 * request, and its address before any byte of the file. Gives the headers of the answer; raises a `SetbackError` or a Failure.
 */
export async function create({run, parcel, standing, records}: Means, url: URL, given: Headers): Promise<Headers> {
  const {context} = run
  const headers = {...given, ...createHeaders(parcel.job, context.settings.headerEncoding)}
  await records.begin()
  const answer = await ask(context, {method: context.access.route(upload).method, url, headers})
  const location = checkedLocation(parcel.job, answer.location, url)
  if (context.holdsSecret?.(location.href)) warnOfLeak(run)
  else await records.created(location)
  standing.url = location
  return {location: location.href}
}

/** The ledger holds no credential, so it does not keep an address that does. */
function warnOfLeak({context, service}: Run): void {
  if (service.leaks) return
  service.leaks = true
  const text =
    'the service puts the token into the addresses of uploads, so they are not kept: what is cut off begins anew'
  context.emit({kind: 'warned', text})
}
