import type {UploadJob} from '../model/job.js'
import type {UploadTarget} from './entry.js'

/** Origin and path of a service's base address, without a slash at the end, as the ledger has it. */
export function baseText(base: URL): string {
  return `${base.origin}${base.pathname.replace(/\/+$/u, '')}`
}

/** Where a job puts its file, and what it says of it. */
export function targetOf({container, name, platform, description, link}: UploadJob, base: URL): UploadTarget {
  const target = {base: baseText(base), container, name, platform, description}
  return link === undefined ? target : {...target, link}
}
