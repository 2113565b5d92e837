import type {RoomTraces, Trace} from '../../api/rules/rule.js'
import type {JournalEntry} from '../../storage/journal.js'
import {toFailure} from '../errors/errorHandler.js'
import {readHistory} from './journal.js'
import type {Session} from './session.js'

interface Traces extends RoomTraces {
  readonly blocks: Map<string, Trace>
  recording?: Trace | undefined
  presenter?: RoomTraces['presenter']
}

/**
 * What the journal knows of rooms under this profile that the service has no field for, by room id, or of one room. Other
 * machines may have changed it since. If the journal cannot be read, there is a warning and no traces.
 */
export async function readTraces(
  {places, resolved, warn}: Pick<Session, 'places' | 'resolved' | 'warn'>,
  about?: string | ReadonlySet<string>,
): Promise<ReadonlyMap<string, RoomTraces>> {
  const rooms = new Map<string, Traces>()
  const one = typeof about === 'string' ? about : undefined
  const isAbout = typeof about === 'object' ? lineAbout(about) : undefined
  try {
    for await (const entry of readHistory({places, resolved}, one, isAbout ? {isAbout} : {})) {
      const id = entry.targets.roomId
      if (entry.profile !== resolved.name || typeof id !== 'string') continue
      const room = rooms.get(id) ?? {blocks: new Map()}
      rooms.set(id, room)
      follow(room, entry)
    }
  } catch (error) {
    const {message, why} = toFailure(error).facts
    warn(`warning: ${message}${why === undefined ? '' : `: ${why}`}`)
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

function follow(room: Traces, entry: JournalEntry): void {
  const {operation, targets} = entry
  if (operation === 'record.start' || operation === 'record.stop') {
    room.recording = recordingTrace(entry) ?? room.recording
  } else if (operation === 'room.presenter' && entry.outcome === 'done' && typeof targets.user_id === 'string') {
    room.presenter = {...trace('yes', entry), user: targets.user_id}
  }
  for (const user of usersIn(entry, room)) {
    const next = blockTrace(entry, room.blocks.get(user))
    if (next) room.blocks.set(user, next)
  }
}

function recordingTrace(entry: JournalEntry): Trace | undefined {
  const starts = entry.operation === 'record.start'
  if (entry.outcome !== 'failed') return trace(entry.outcome === 'unknown' ? 'maybe' : starts ? 'yes' : 'no', entry)
  // RE001: a recording is running already, or none is (room §14, §15).
  return entry.code === 'RE001' ? trace(starts ? 'yes' : 'no', entry, 'refusal') : undefined
}

/** The users whose block a change may set, end or leave open. */
function usersIn({operation, targets}: JournalEntry, {blocks}: Traces): string[] {
  if (operation === 'attendee.token') return [String(targets.userId)]
  if (targets.is_public !== undefined) return [...blocks.keys()]
  return Array.isArray(targets.attendees) ? targets.attendees.map(String) : []
}

const settledBlocks = new Map<string, Trace['holds']>([
  ['attendee.block', 'yes'],
  ['attendee.restore', 'no'],
])

function blockTrace(entry: JournalEntry, last: Trace | undefined): Trace | undefined {
  const {operation, outcome, code} = entry
  if (operation === 'attendee.token') {
    if (outcome === 'done') return trace('no', entry)
    return code === 'T001' && last?.holds !== 'yes' ? trace('maybe', entry, 'refusal') : undefined
  }
  if (outcome === 'failed') return undefined
  const holds = settledBlocks.get(operation)
  if (holds) return trace(outcome === 'unknown' ? 'maybe' : holds, entry)
  // T001 is for a user who is not listed, too: after an addition, or in a room made public, it no longer shows a block.
  return last?.by === 'refusal' ? {...last, by: 'earlier refusal'} : undefined
}

function trace(holds: Trace['holds'], {at}: JournalEntry, by: Trace['by'] = 'change'): Trace {
  return {holds, at, by}
}
