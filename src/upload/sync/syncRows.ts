import type {Failure} from '../../api/contract/failure.js'
import type {UploadResult} from '../model/job.js'
import {inPlace, type PlannedFile} from './plan.js'
import type {Synced} from './runPlan.js'

/** What a view shows of a plan: plain data, in the order of the plan. */
export function planRows(plan: readonly PlannedFile[]) {
  return plan.map(({file, action, reason, bytes, from, there, link, after}) => ({
    dry_run: true as const,
    file: file.key,
    role: file.role,
    action,
    reason,
    bytes,
    from,
    platform: file.platform,
    uuid: there?.uuid ?? null,
    link: link ?? after ?? null,
  }))
}

/** What came of a file, as results tell it; a file that was there has a result too. */
interface SyncOutcome {
  readonly outcome: 'done' | 'failed' | 'skipped'
  readonly job: {readonly key: string}
  readonly role: string
  readonly result?: Omit<UploadResult, 'key' | 'path'>
  readonly failure?: Failure
  readonly reason?: string
}

export function outcomesOf(synced: readonly Synced[]): SyncOutcome[] {
  return synced.map((one) => {
    const {file, bytes} = one.planned
    const facts = {job: {key: file.key}, role: file.role}
    if (one.outcome === 'there') {
      const reason = [one.how ?? inPlace, one.reason].filter((part) => part !== undefined).join(', ')
      return {...facts, outcome: 'skipped', result: {...one.there, bytes, sentBytes: 0}, reason}
    }
    if (one.outcome === 'skipped') return {...facts, outcome: 'skipped', reason: one.reason}
    if (one.outcome === 'done') {
      return {...facts, outcome: 'done', result: one.result, ...(one.reason === undefined ? {} : {reason: one.reason})}
    }
    return {...facts, outcome: 'failed', failure: one.failure, ...(one.result ? {result: one.result} : {})}
  })
}
