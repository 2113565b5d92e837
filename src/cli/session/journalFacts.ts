import type {JournalFact, JournalFacts} from '../../api/rules/rule.js'
import type {JournalEntry} from '../../storage/journal.js'
import {getOrMake} from '../../text/text.js'
import {toFailure} from '../errors/errorHandler.js'
import {readHistory} from './journal.js'
import type {Session} from './session.js'

interface WritableJournalFacts extends JournalFacts {
  readonly blocks: Map<string, JournalFact>
  recording?: JournalFact | undefined
  presenter?: JournalFacts['presenter']
}

/**
 * Facts of the journal about rooms of this profile that the service has no field for, by room id, or of one room. Other
 * machines may have changed it since. An unreadable journal is a warning and an empty map.
 */
export async function readJournalFacts(
  {paths, resolved, warn}: Pick<Session, 'paths' | 'resolved' | 'warn'>,
  about?: string | ReadonlySet<string>,
): Promise<ReadonlyMap<string, JournalFacts>> {
  const rooms = new Map<string, WritableJournalFacts>()
  const lines = typeof about === 'string' ? {mentions: about} : {isAbout: about && lineAbout(about)}
  const entries: JournalEntry[] = []
  try {
    for await (const entry of readHistory({paths}, lines)) if (entry.profile === resolved.name) entries.push(entry)
  } catch (error) {
    const {message, why} = toFailure(error).facts
    warn(`warning: ${message}${why === undefined ? '' : `: ${why}`}`)
  }
  for (const entry of entries.reverse()) {
    const id = entry.targets.roomId
    if (typeof id === 'string')
      follow(
        getOrMake(rooms, id, () => ({blocks: new Map()})),
        entry,
      )
  }
  return rooms
}

const before = Buffer.from('"roomId":"')

/** Whether a line may be of one of these rooms, without parsing it: an id that JSON writes otherwise may always be. */
function lineAbout(ids: ReadonlySet<string>): (line: Buffer) => boolean {
  return (line) => {
    const from = line.indexOf(before)
    if (from === -1) return false
    const id = line.toString('utf8', from + before.length, line.indexOf(0x22, from + before.length))
    return id.includes('\\') || ids.has(id)
  }
}

function follow(room: WritableJournalFacts, entry: JournalEntry): void {
  const {operation, targets} = entry
  if (operation === 'record.start' || operation === 'record.stop') {
    room.recording = recordingFact(entry) ?? room.recording
  } else if (operation === 'room.presenter' && entry.outcome === 'done' && typeof targets.user_id === 'string') {
    room.presenter = {...fact('yes', entry), user: targets.user_id}
  }
  for (const user of usersIn(entry, room)) {
    const next = blockFact(entry, room.blocks.get(user))
    if (next) room.blocks.set(user, next)
  }
}

function recordingFact(entry: JournalEntry): JournalFact | undefined {
  const starts = entry.operation === 'record.start'
  if (entry.outcome !== 'failed') return fact(entry.outcome === 'unknown' ? 'maybe' : starts ? 'yes' : 'no', entry)
  // RE001: a recording is running already, or none is (room §14, §15).
  return entry.code === 'RE001' ? fact(starts ? 'yes' : 'no', entry, 'refusal') : undefined
}

/** The users whose block a change may set, end or leave open. */
function usersIn({operation, targets}: JournalEntry, {blocks}: WritableJournalFacts): string[] {
  if (operation === 'attendee.token') return [String(targets.userId)]
  if (targets.is_public !== undefined) return [...blocks.keys()]
  return Array.isArray(targets.attendees) ? targets.attendees.map(String) : []
}

const settledBlocks = new Map<string, JournalFact['holds']>([
  ['attendee.block', 'yes'],
  ['attendee.restore', 'no'],
])

function blockFact(entry: JournalEntry, last: JournalFact | undefined): JournalFact | undefined {
  const {operation, outcome, code} = entry
  if (operation === 'attendee.token') {
    if (outcome === 'done') return fact('no', entry)
    return code === 'T001' && last?.holds !== 'yes' ? fact('maybe', entry, 'refusal') : undefined
  }
  if (outcome === 'failed') return undefined
  const holds = settledBlocks.get(operation)
  if (holds) return fact(outcome === 'unknown' ? 'maybe' : holds, entry)
  // T001 is for a user who is not listed, too: after an addition, or in a room made public, it no longer shows a block.
  return last?.by === 'refusal' ? {...last, by: 'earlier refusal'} : undefined
}

function fact(holds: JournalFact['holds'], {at}: JournalEntry, by: JournalFact['by'] = 'change'): JournalFact {
  return {holds, at, by}
}
