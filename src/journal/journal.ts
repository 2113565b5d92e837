import {closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readSync, writeSync} from 'node:fs'
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
 * Adds lines to the journal in the state folder: a file of 0600 in a folder of 0700, one write for all of them, at the end,
 * so that concurrent writers do not interleave; a blank line may stand between two. Raises the system's error when they cannot
 * be written, and an Error when only a part of them could be.
 */
export function appendToJournal(stateFolder: string, ...entries: readonly JournalEntry[]): void {
  const file = opened(stateFolder)
  try {
    const stat = fstatSync(file)
    // An older file may have been made under a laxer rule; a device that stands in for the journal keeps its mode.
    if (stat.isFile() && (stat.mode & 0o777) !== 0o600) fchmodSync(file, 0o600)
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    const bytes = Buffer.from(`${endsInLine(file, stat.size) ? '' : '\n'}${lines}`)
    const written = writeSync(file, bytes)
    // The rest is not written after it: another writer's line may stand there by now.
    if (written < bytes.length) throw new Error('only a part of its line could be written; the disk may be full')
  } finally {
    closeSync(file)
  }
}

/** The folder is made where it is missing: a run of many uploads has many lines, and only the first may need that. */
function opened(stateFolder: string): number {
  const open = () => openSync(join(stateFolder, journalFile), 'a+', 0o600)
  try {
    return open()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    mkdirSync(stateFolder, {recursive: true, mode: 0o700})
    return open()
  }
}

/**
 * Whether the last line is whole: one that a full disk or a kill cut off must not swallow the next. A line that another
 * process is just writing can look cut off too, which costs a blank line.
 */
function endsInLine(file: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, size - 1)
  return last[0] === 0x0a
}
