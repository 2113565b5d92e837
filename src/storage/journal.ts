import {join} from 'node:path'
import * as z from 'zod/mini'
import {reasonOf} from './disk/privateFile.js'
import {logStart} from './log/line.js'
import {appendToLog} from './log/log.js'

const text = z.optional(z.string())

/** One change. Never a credential, never the data that was sent. */
const entryShape = z.looseObject({
  id: text,
  /** RFC 3339, UTC. */
  at: z.string().check(z.refine((at) => !Number.isNaN(Date.parse(at)))),
  profile: z.string(),
  operation: z.string(),
  /** By the documents' names: `{roomId, attendees}`. */
  targets: z.record(z.string(), z.unknown()),
  as: text,
  /** The state before: the fields of an update, the host of a delegation. */
  before: z.optional(z.record(z.string(), z.unknown())),
  /** Written by 0.3.0: why, as its user said. */
  reason: text,
  /** Written by 0.3.0: the entry that this change undid. */
  undoes: text,
  outcome: z.enum(['done', 'failed', 'unknown']),
  code: text,
})

type Entry = z.output<typeof entryShape>
export type JournalEntry = {readonly [Key in keyof Entry as string extends Key ? never : Key]: Entry[Key]}

/** Distinguishes a journal from other files. */
export const journalStart = logStart('"id":"[0-9a-z]{12}","at":"\\d{4}-')

export type JournalPlace = ReturnType<typeof journalIn>

export function journalIn(stateFolder: string) {
  return {
    path: join(stateFolder, 'journal.ndjson'),
    form: {
      shape: entryShape,
      folderHolds: /^(?:journal(?:\.\d+)?\.ndjson|uploads)$/u,
      rotation: {bytes: 5 * 1024 * 1024, files: 5, days: 90},
    },
  }
}

/** Throws an Error with a readable message if the line, or a part of it, cannot be written. */
export function appendToJournal({path, form}: JournalPlace, entry: JournalEntry): void {
  try {
    appendToLog(path, form, [entry])
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    const advice = 'fix that, or set ROOMCTL_STATE_DIR to another folder'
    throw new Error(`${path} cannot be written: ${reason}; ${advice}`, {cause: error})
  }
}

export function journalEntryId(): string {
  return crypto.randomUUID().replace('-', '').slice(0, 12)
}
