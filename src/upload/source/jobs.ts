import {basename} from 'node:path'
import type {Platform} from '../../api/contract/asset.js'
import type {UploadJob, UploadSettings} from '../model/job.js'
import type {LocalFile} from './files.js'
import {assetFileId, createHeaders, originalFileName} from './headers.js'

/** What is said of all files of one upload. */
export interface Common {
  readonly container: string
  readonly platform: Platform
  readonly description: string
  /** Another name than that of the file. */
  readonly name?: string | undefined
  /** The uuid of an asset file, or its address. */
  readonly link?: string | undefined
  readonly encoding: UploadSettings['headerEncoding']
}

/** A file with what its create request says of it. Raises a Failure (usage) for what cannot be said. */
export function jobOf(
  {key, path}: LocalFile,
  {container, platform, description, encoding, ...said}: Common,
): UploadJob {
  const name = said.name ?? basename(path)
  const link = said.link === undefined ? {} : {link: assetFileId(said.link)}
  const job = {key, path, container, platform, description, ...link}
  createHeaders({...job, name}, encoding)
  return {...job, name: originalFileName(name)}
}

/** The names that more than one of the jobs sends to the same container and platform, where they cannot be told apart. */
export function sameNames(jobs: readonly UploadJob[]): string[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const {container, platform, name} of jobs) {
    const place = JSON.stringify([container, platform, name])
    if (seen.has(place)) twice.add(name)
    seen.add(place)
  }
  return [...twice]
}
