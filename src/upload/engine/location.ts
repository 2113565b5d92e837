import type {UploadJob} from '../model/job.js'
import {brokenAnswer, foreignLocation} from './failures.js'

/**
 * The address that a service gives an upload, resolved against that of the request. Raises a Failure (network) where there is none,
 * or the credential must not go there (product §6: the asset service's own origin only).
 */
export function checkedLocation(job: UploadJob, location: string | undefined, asked: URL): URL {
  if (location === undefined || location === '') {
    throw brokenAnswer(job, 'the service began an upload and did not say where (it sent no Location header)')
  }
  if (!URL.canParse(location, asked.href)) throw brokenAnswer(job, 'the Location header of the upload is no address')
  const url = new URL(location, asked)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw foreignLocation(job, `that begins with ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') throw foreignLocation(job, 'that holds a user name or a password')
  if (url.origin !== asked.origin) throw foreignLocation(job, `on another origin: ${url.origin}`)
  if (uuidOf(url) === '') throw brokenAnswer(job, 'the Location header of the upload names no upload')
  return url
}

/** The last segment of an upload's address: what the document calls the uuid. */
export function uuidOf({pathname}: URL): string {
  const segment = pathname.split('/').findLast((part) => part !== '') ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
