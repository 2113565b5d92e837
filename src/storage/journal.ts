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

/** Crockford's, in lower case: no letter looks like a digit, and ids sort by time. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

const timeDigits = 9
const tailDigits = 3
const tails = digits.length ** tailDigits

let last = {time: 0, tail: 0}

/** 12 characters that sort by time, unique in this process; two processes collide once in 32,768 within the same millisecond. */
export function journalEntryId(at: Date): string {
  const time = at.getTime()
  const isLater = time > last.time
  // Leaves room for the ids that follow in the same millisecond.
  if (isLater) last = {time, tail: Math.floor(Math.random() * tails * 0.9)}
  else if (last.tail + 1 < tails) last = {time: last.time, tail: last.tail + 1}
  else last = {time: last.time + 1, tail: 0}
  return `${inDigits(last.time, timeDigits)}${inDigits(last.tail, tailDigits)}`
}

function inDigits(number: number, length: number): string {
  const ours = [...number.toString(digits.length)].map((digit) => digits.charAt(Number.parseInt(digit, digits.length)))
  return ours.join('').padStart(length, '0')
}
