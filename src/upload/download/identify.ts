import {type Failure, onFailure} from '../../failure.js'
import {decodeOnce} from '../../text/text.js'
import {stampOf, type UploadJob} from '../model/job.js'
import {type FetchContext, isTrashed} from './openBytes.js'
import {differenceOf, keptOf, type PresenceCheck, readMetaIfThere} from './presence.js'

/**
 * Whether a resource under a file's name is the file: certainly, certainly not, or `unknown` if neither HEAD nor its bytes show it.
 * `resumesAt`: it is an unfinished upload of the file, at this offset.
 */
export type ResourceIdentity = 'same' | 'other' | 'unknown' | {readonly resumesAt: number}

/** A resource, and the file that it may be: its digest in hex, and its size in bytes. */
export interface ResourceFacts {
  readonly uuid: string
  readonly sha256: string
  readonly size: number
}

/**
 * Identifies a resource for a file whose upload may have created it without being answered. An unfinished upload is the file's if
 * length, name, platform, link and description are, and it has no bytes yet, since none were sent to it; or if its stamp is. Throws
 * the Failure of a read.
 */
export async function identify(
  context: FetchContext,
  presence: PresenceCheck,
  job: UploadJob,
  {uuid, sha256, size}: ResourceFacts,
): Promise<ResourceIdentity> {
  const reached = await presence.reached({container: job.container, uuid}, size)
  if (reached && reached.offset < reached.length) {
    const {offset, length} = reached
    const isOurs = length === size && (await isUploadOf(context, job, {uuid, sha256, offset}))
    return isOurs ? {resumesAt: offset} : 'other'
  }
  const identity = await identifyWhole(presence, job, {uuid, sha256, size})
  return reached || identity === 'same' ? identity : 'unknown'
}

/** Compares the bytes, which a listed resource may not have. */
async function identifyWhole(presence: PresenceCheck, job: UploadJob, {uuid, sha256, size}: ResourceFacts) {
  const wanted = {...job, sha256, size, isLinked: job.link !== undefined}
  const isMissing = ({facts}: Failure) => facts.exit === 'missing'
  const reading = presence.check({container: job.container, uuid}, wanted)
  const identity = await reading.catch(onFailure(isMissing, () => undefined))
  if (!identity || ('lack' in identity && identity.lack === 'missing')) return 'unknown'
  return 'proof' in identity && identity.link === job.link ? 'same' : 'other'
}

async function isUploadOf(
  context: FetchContext,
  job: UploadJob,
  {uuid, sha256, offset}: Omit<ResourceFacts, 'size'> & {readonly offset: number},
): Promise<boolean> {
  const meta = await readMetaIfThere(context, {container: job.container, uuid})
  // Listed by name and platform; its link is unknown.
  if (!meta) return offset === 0 && job.link === undefined
  const kept = keptOf(meta)
  if (isTrashed(meta) || differenceOf(kept, job) || kept.link !== job.link) return false
  if (stampOf(job.description) !== undefined) return kept.stamp === sha256
  const {description} = meta
  return offset === 0 && (!description || [description, decodeOnce(description)].includes(job.description))
}
