import {ask} from './ask.js'
import {createHeaders} from './headers.js'
import {checkedLocation} from './location.js'
import {type Headers, type Means, wanted} from './means.js'

/**
 * Begins an upload by POST (asset, Create upload headers). It is in the ledger before the request, and its address before any byte
 * of the file. Gives the headers of the answer; raises a `SetbackError` or a Failure.
 */
export async function create(means: Means, url: URL, given: Headers): Promise<Headers> {
  const {context} = means.run
  const {job, id, target, source, sample} = means.parcel
  const headers = {...given, ...createHeaders(job, context.settings.headerEncoding)}
  const facts = {id, ...target, path: job.path, size: source.size, sample, stamp: source.stamp}
  const algorithm = wanted(means)
  await context.ledger.begin(algorithm ? {...facts, algorithm} : facts)
  const answer = await ask(context, {method: 'POST', url, headers})
  const location = checkedLocation(job, answer.location, url)
  await context.ledger.created(id, location.href)
  means.standing.url = location
  return {location: location.href}
}
