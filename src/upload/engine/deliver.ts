import type {UploadResult} from '../model/job.js'
import {ChunkSize} from './chunkSize.js'
import {type Earlier, findEarlier} from './earlier.js'
import {brokenAnswer} from './failures.js'
import {Flight} from './flight.js'
import {uuidOf} from './location.js'
import {type Means, wanted} from './means.js'
import {Records} from './records.js'
import type {Parcel, Run} from './run.js'
import {Setbacks} from './setbacks.js'
import {Standing} from './standing.js'

/** How often a file is sent from its beginning again. */
const renewalLimit = 3

/** Brings one file to the service, or the rest of it. Raises a Failure; the ledger then knows how far it came. */
export async function deliver(run: Run, parcel: Parcel): Promise<UploadResult> {
  const {job, source} = parcel
  const earlier = await findEarlier(run, parcel)
  run.context.emit({kind: 'begun', key: job.key, size: source.size, from: earlier?.acked ?? 0})
  let sentBytes = 0
  // From the first upload, an earlier run's where there is one, over those that take its place where it is of no use.
  for (let renewals = 0; ; renewals++) {
    const ended = await flyOnce(run, parcel, {earlier: renewals === 0 ? earlier : undefined, renewals, sentBytes})
    if (!('anew' in ended)) return ended
    if (renewals === renewalLimit) throw brokenAnswer(job, `it began anew ${renewals} times, and then ${ended.anew}`)
    run.context.emit({kind: 'renewed', key: job.key, why: ended.anew})
    sentBytes = ended.sentBytes
  }
}

interface Beginning {
  readonly earlier: Earlier | undefined
  /** How often the upload has begun anew, and what was sent of the file until then. */
  readonly renewals: number
  readonly sentBytes: number
}

interface Useless {
  /** Why the upload is of no use; a clause without a stop. */
  readonly anew: string
  readonly sentBytes: number
}

/** One upload, through all its setbacks. */
async function flyOnce(run: Run, parcel: Parcel, begin: Beginning): Promise<UploadResult | Useless> {
  const {settings} = run.context
  const {earlier} = begin
  const standing = new Standing(earlier, begin.sentBytes)
  const algorithm = wanted({run})
  // The digests of an entry are all of one algorithm.
  const records = new Records(run, parcel, earlier && algorithm ? earlier.entry.algorithm : algorithm)
  const chunkSize = new ChunkSize(settings, run.service)
  const means = {run, parcel, standing, records, chunkSize}
  // The first part is hashed while the upload is begun.
  if (!earlier) parcel.content.ahead(0, Math.min(parcel.source.size, chunkSize.likely), algorithm)
  // An upload that is gone may be one that the service gave up meanwhile; two of them are no accident.
  const setbacks = new Setbacks(means, begin.renewals === 0)
  try {
    const flight = await Flight.prepare(means, earlier)
    for (let ending = await flight.go(); ending.kind !== 'whole'; ending = await flight.go()) {
      const anew = ending.kind === 'anew' ? ending.why : await setbacks.meet(ending)
      if (anew !== undefined) return {anew, sentBytes: standing.sentBytes}
    }
    return await finish(means)
  } catch (error) {
    await records.settled().catch(() => undefined)
    throw error
  }
}

async function finish({run, parcel, standing, records}: Means): Promise<UploadResult> {
  const {job, source, content} = parcel
  const {url, resumedFrom, sentBytes} = standing
  if (!url) throw new Error('an upload ended that never began')
  const uuid = uuidOf(url)
  const sha256 = run.context.settings.sha256 ? await content.sha256() : null
  await records.done({uuid, sha256})
  const result = {key: job.key, path: job.path, uuid, uri: url.href, bytes: source.size, sha256, sentBytes}
  return resumedFrom === undefined ? result : {...result, resumedFrom}
}
