import type {BlockTrace} from '../../api/rules/rule.js'
import {journalPlace} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import type {JournalEntry} from '../../storage/journal/entry.js'
import {readJournal} from '../../storage/journal/read.js'

/** Reads what the journal last tells of a user in a room, under this profile. A journal that cannot be read is said. */
export async function readBlockTrace(session: Session, roomId: string, user: string): Promise<BlockTrace | undefined> {
  const {places, resolved, warn} = session
  let last: BlockTrace | undefined
  try {
    for await (const entry of readJournal(journalPlace({places, resolved}), {mentions: roomId})) {
      if (entry.profile !== resolved.name || !isAbout(entry, roomId, user)) continue
      const trace = traceOf(entry)
      if (trace) last = {...trace, who: entry.by}
    }
  } catch (error) {
    warn(`warning: the journal cannot be read: ${(error as Error).message}`)
  }
  return last
}

function isAbout({targets}: JournalEntry, roomId: string, user: string): boolean {
  if (targets.roomId !== roomId) return false
  return targets.userId === user || (Array.isArray(targets.attendees) && targets.attendees.includes(user))
}

function traceOf({operation, outcome, code, at}: JournalEntry): BlockTrace | undefined {
  const made = outcome === 'done' ? undefined : 'maybe'
  if (operation === 'attendee.token') {
    if (outcome === 'done') return {blocked: 'no', at, by: 'change'}
    return code === 'T001' ? {blocked: 'maybe', at, by: 'refusal'} : undefined
  }
  if (outcome === 'failed') return undefined
  if (operation === 'attendee.block') return {blocked: made ?? 'yes', at, by: 'change'}
  return operation === 'attendee.restore' ? {blocked: made ?? 'no', at, by: 'change'} : undefined
}
