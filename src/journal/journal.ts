import {appendFileSync, chmodSync, mkdirSync} from 'node:fs'
import {join} from 'node:path'

/** One change, as the journal keeps it (product §5). Never a credential, never the data that was sent. */
export interface JournalEntry {
  /** RFC 3339, UTC. */
  readonly at: string
  readonly profile: string
  readonly operation: string
  /** What it was done to, by the documents' names: `{roomId, attendees}`. */
  readonly targets: Readonly<Record<string, unknown>>
  /** The requester it was done as, where the operation has one. */
  readonly as?: string | undefined
  readonly outcome: 'done' | 'failed' | 'unknown'
  readonly code?: string | undefined
}

export const journalFile = 'journal.ndjson'

/**
 * Adds a line to the journal in the state folder: a file of 0600 in a folder of 0700, one write for a line, at the end,
 * so that concurrent writers do not interleave. Raises the system's error when it cannot be written.
 */
export function appendToJournal(stateFolder: string, entry: JournalEntry): void {
  mkdirSync(stateFolder, {recursive: true, mode: 0o700})
  const path = join(stateFolder, journalFile)
  appendFileSync(path, `${JSON.stringify(entry)}\n`, {mode: 0o600, flag: 'a'})
  // An older file may have been made under a laxer rule.
  chmodSync(path, 0o600)
}
