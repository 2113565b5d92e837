import {patch} from '../../api/contract/asset.js'
import {ask, SetbackError} from './ask.js'
import {brokenAnswer} from './failures.js'
import {type Headers, type Means, offsetIn, type Part, wanted} from './means.js'

/**
 * Sends a part by PATCH, or the method that is set for it, with its checksum where the run has them (asset, Continue upload
 * headers). Where to was said by the service, not by a route. The ledger knows of it before, and
 * of what the service acknowledges. Gives the headers of the answer; raises a `SetbackError`, or a Failure for an offset that
 * cannot be true.
 */
export async function sendPart(means: Means, url: URL, given: Headers, part: Part): Promise<Headers> {
  const {run, parcel, standing, chunkSize, records} = means
  const {from, to, size} = part
  const {job, source, content} = parcel
  // It was refused at the offset before. A run that is killed now must not try that one again: of the parts on their way the ledger
  // keeps the last alone.
  if (from > standing.acked) await records.acked(standing.acked, from)
  await records.sending(from, to)
  const checksum = await checksumOf(means, part)
  standing.sending({to, size, checksummed: checksum !== undefined})
  content.ahead(to, Math.min(source.size, to + chunkSize.bytes), wanted(means))
  let toGo = size
  const left = (bytes: number) => {
    toGo -= bytes
    standing.sentBytes += bytes
    run.context.emit({kind: 'sent', key: job.key, bytes})
  }
  const headers = {...given, 'Content-Length': String(size), ...(checksum ? {'Upload-Checksum': checksum} : {})}
  const {method} = run.context.access.route(patch)
  const request = {method, url, headers, body: await content.body(from, to, left)}
  const offset = offsetIn(await ask(run.context, request, () => toGo === 0))
  if (checksum) run.service.checksum = 'accepted'
  if (offset === undefined || offset <= from) throw new SetbackError({kind: 'stuck'})
  if (offset > to) throw brokenAnswer(job, `the service says that it has ${offset} bytes when it was sent ${to}`)
  await records.acked(from, offset)
  standing.tell(offset)
  chunkSize.arrived()
  run.context.emit({kind: 'acked', key: job.key, offset})
  return {'upload-offset': String(offset)}
}

async function checksumOf(means: Means, {from, to}: Part): Promise<string | undefined> {
  const algorithm = wanted(means)
  if (!algorithm || means.run.service.checksum === 'refused') return undefined
  return `${algorithm} ${await means.parcel.content.digest(from, to, algorithm)}`
}
