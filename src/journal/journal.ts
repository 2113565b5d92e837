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

/** The journal in a state folder: a file of 0600 in a folder of 0700, opened with its first line and held until `close`. */
export class Journal {
  readonly #stateFolder: string
  #file: number | undefined
  /** Where the last line of this writer ended. */
  #end = 0

  constructor(stateFolder: string) {
    this.#stateFolder = stateFolder
  }

  /**
   * Adds a line: one write, at the end, so that concurrent writers do not interleave; a blank line may stand between two.
   * Raises the system's error when it cannot be written, and an Error when only a part of the line could be.
   */
  append(entry: JournalEntry): void {
    this.#file ??= opened(this.#stateFolder)
    const file = this.#file
    const stat = fstatSync(file)
    // An older file may have been made under a laxer rule; a device that stands in for the journal keeps its mode.
    if (stat.isFile() && (stat.mode & 0o777) !== 0o600) fchmodSync(file, 0o600)
    const isOurs = this.#end > 0 && stat.size === this.#end
    const line = Buffer.from(`${isOurs || endsInLine(file, stat.size) ? '' : '\n'}${JSON.stringify(entry)}\n`)
    const written = writeSync(file, line)
    this.#end = written === line.length ? stat.size + written : 0
    // The rest is not written after it: another writer's line may stand there by now.
    if (written < line.length) throw new Error('only a part of its line could be written; the disk may be full')
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#end = 0
  }
}

/** Adds one line to the journal in the state folder; raises what `Journal.append` raises. */
export function appendToJournal(stateFolder: string, entry: JournalEntry): void {
  const journal = new Journal(stateFolder)
  try {
    journal.append(entry)
  } finally {
    journal.close()
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
