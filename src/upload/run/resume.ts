import {basename} from 'node:path'
import {Failure, failureWith} from '../../failure.js'
import {uploadCommand} from '../engine/failures.js'
import {findLocalFiles} from '../files/findFiles.js'
import {baseText, type LedgerEntry} from '../ledger/entry.js'
import type {UploadJob} from '../model/job.js'
import type {Uploaded} from './uploadAll.js'

export type ResumeCandidate =
  | {readonly id: string; readonly job: UploadJob; readonly size: number}
  | {readonly id: string; readonly job: UploadJob; readonly failure: Failure}

/** The jobs of unfinished uploads. One without its file on this machine, or of another service than `base`, has a Failure. */
export function resumeCandidates(entries: readonly LedgerEntry[], base: URL): ResumeCandidate[] {
  const paths = entries.map(({path}) => path)
  const candidates: ResumeCandidate[] = []
  for (const entry of entries) {
    const {id, path, container, name, platform, description, link} = entry
    const isAlone = paths.filter((other) => other === path).length === 1
    const key = isAlone ? path : `${path} (${id})`
    const job = {key, path, container, name, platform, description, resumes: id, ...(link === undefined ? {} : {link})}
    candidates.push({id, job, ...sizeOrFailure(entry, base)})
  }
  return candidates
}

export function assertUnfinished(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  for (const {id, container, done} of entries) {
    if (!done) continue
    throw failureWith('state', `cannot resume upload ${id}: it is finished`, {
      code: 'upload-done',
      why: `the service has the file as ${container}/${done.uuid}`,
      try: {command: ['asset show', `${container}/${done.uuid}`]},
    })
  }
  return entries
}

export function isOfService(entry: LedgerEntry, base: URL): boolean {
  return entry.base === baseText(base)
}

function sizeOrFailure(entry: LedgerEntry, base: URL): {size: number} | {failure: Failure} {
  if (!isOfService(entry, base)) return {failure: otherService(entry, base)}
  try {
    const [file] = findLocalFiles([entry.path], entry)
    return {size: file?.size ?? 0}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return {failure: fileNotHere(entry, error)}
  }
}

function otherService({id, base: goesTo}: LedgerEntry, base: URL): Failure {
  return failureWith('configuration', `cannot resume upload ${id}: it goes to another asset service`, {
    code: 'other-service',
    why: `it goes to ${goesTo}, and the profile names ${baseText(base)}`,
    try: 'name the profile of that service with -p',
  })
}

function fileNotHere(entry: LedgerEntry, cause: Failure): Failure {
  return new Failure(
    {
      ...cause.facts,
      code: 'file-not-here',
      why: `upload ${entry.id} began with the file at that path, perhaps on another machine`,
      try: {...uploadCommand(entry, basename(entry.path)), sentence: 'from the folder where the file is now'},
    },
    {cause},
  )
}

/** The outcome of each, in their order: of those that could be tried, that in `uploaded`. */
export function resumeOutcomes(candidates: readonly ResumeCandidate[], uploaded: readonly Uploaded[]): Uploaded[] {
  const tried = new Map(uploaded.map((upload) => [upload.job, upload]))
  return candidates.map((candidate) => {
    if ('failure' in candidate) return {outcome: 'failed', job: candidate.job, failure: candidate.failure}
    return tried.get(candidate.job) ?? {outcome: 'not-tried', job: candidate.job, reason: 'not started'}
  })
}

export function requireResumable(candidate: ResumeCandidate): Extract<ResumeCandidate, {readonly size: number}> {
  if ('failure' in candidate) throw candidate.failure
  return candidate
}
