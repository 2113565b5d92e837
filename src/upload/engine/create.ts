import {upload} from '../../contract/asset.js'
import {createHeaders} from '../headers.js'
import {ask} from './ask.js'
import {checkedLocation} from './location.js'
import type {Headers, Means} from './means.js'

/**
 * Begins an upload by POST (asset, Create upload headers), or the method that is set for it. It is in the ledger before the request, and its address before any byte
 * of the file. Gives the headers of the answer; raises a `SetbackError` or a Failure.
 */
export async function create({run, parcel, standing, records}: Means, url: URL, given: Headers): Promise<Headers> {
  const {context} = run
  const headers = {...given, ...createHeaders(parcel.job, context.settings.headerEncoding)}
  await records.begin()
  const answer = await ask(context, {method: context.access.route(upload).method, url, headers})
  const location = checkedLocation(parcel.job, answer.location, url)
  await records.created(location)
  standing.url = location
  return {location: location.href}
}
