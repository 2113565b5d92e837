import type {Listing} from '../../api/contract/asset.js'
import type {Ledger} from '../ledger/ledger.js'
import {localFacts} from './localFacts.js'
import {type PlannedFile, planSync} from './plan.js'
import {remember} from './present.js'
import type {SyncFile} from './syncFile.js'

interface PlanWork {
  readonly base: URL
  readonly container: string
  /** What the container holds. */
  readonly listing: Listing
  readonly ledger: Pick<Ledger, 'list'>
  /** Everything is uploaded anew, whatever the ledger knows. */
  readonly fresh: boolean
  readonly signal: AbortSignal
}

/**
 * The plan of a sync: reads of each file what is to be compared with ledger and listing, and sends nothing. Raises a Failure
 * (file, interrupted) as `localFacts`.
 */
export async function makePlan(files: readonly SyncFile[], work: PlanWork): Promise<PlannedFile[]> {
  const {base, container, listing, ledger, fresh, signal} = work
  const entries = fresh ? [] : ledger.list()
  const begun = entries.filter(({done}) => done === undefined)
  const remembered = remember({base, container}, entries, listing)
  const local = await localFacts(files, {remembered, unfinished: begun, signal})
  const unfinished = new Map(begun.map((entry) => [entry.id, entry]))
  return planSync(files, {...remembered, base, container, local, unfinished})
}
