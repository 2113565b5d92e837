import {Failure} from '../../api/contract/failure.js'
import type {Ledger, LedgerEntry} from './entry.js'

/** What came of forgetting one upload. */
export interface Forgotten {
  readonly entry: LedgerEntry
  /** Another process works on it. */
  readonly failure?: Failure
}

/** Drops uploads from the ledger, but those that another process works on. Raises a Failure (file) of the ledger. */
export async function forgetAll(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<Forgotten[]> {
  return Promise.all(entries.map((entry) => forgetOne(ledger, entry)))
}

async function forgetOne(ledger: Ledger, entry: LedgerEntry): Promise<Forgotten> {
  try {
    const release = await ledger.claim(entry.id)
    await ledger.forget(entry.id)
    await release()
    return {entry}
  } catch (error) {
    if (!(error instanceof Failure && error.facts.exit === 'state')) throw error
    return {entry, failure: error}
  }
}
