import {type FailureJson, failureJson} from '../../api/contract/failure.js'
import type {Resource} from './bytesPlace.js'
import type {DownloadEnd} from './downloadAll.js'

/** What came of a resource as a result shows it (product §2). */
export function downloadRow(end: DownloadEnd<Resource & {readonly text: string}>): {
  resource: string
  file: string | null
  bytes: number | null
  sha256: string | null
  outcome: 'done' | 'failed' | 'skipped'
  error?: FailureJson
} {
  const resource = end.resource.text
  if (end.outcome === 'done') return {resource, ...end.downloaded, outcome: 'done'}
  const nothing = {resource, file: null, bytes: null, sha256: null, outcome: end.outcome}
  return end.outcome === 'failed' ? {...nothing, error: failureJson(end.failure)} : nothing
}
