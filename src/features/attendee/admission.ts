import {listAttendees} from '../../api/contract/attendee.js'
import {type AppliedRule, applyRules, decisive} from '../../api/rules/predict.js'
import type {BlockTrace} from '../../api/rules/rule.js'
import {journalPlace} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import {systemReason} from '../../storage/disk/reason.js'
import type {JournalEntry} from '../../storage/journal.js'
import {readLog} from '../../storage/log/read.js'
import type {Admission, Reason} from '../../view/room/attendee.js'
import {readRoom} from '../bulk/readRooms.js'

/**
 * Whether a user can enter a room, and why, from the room (room §3), its attendees (room §5) where the room does not hold them,
 * and the journal. Nothing is changed: a token is not requested to find out. Raises the Failure of a read.
 */
export async function admissionOf(session: Session, roomId: string, user: string): Promise<Admission> {
  const read = await readRoom(session, roomId)
  const attendees = read.attendees ?? (await session.api.call(listAttendees, {path: {roomId}}))
  const room = {...read, attendees}
  const block = await readBlockTrace(session, roomId, user)
  const found = applyRules('enter', room, {values: {roomId, userId: user}, block, now: session.runtime.now()})
  const verdict = decisive(found)?.finding.allowed ?? 'yes'
  const present = attendees.some(({user_id, is_present}) => user_id === user && is_present === true)
  return {
    room_id: room.room_id,
    name: room.name ?? null,
    room_status: room.room_status ?? null,
    user_id: user,
    can_enter: verdict,
    is_present: present,
    blocked: present ? 'no' : block === undefined || block.blocked === 'maybe' ? 'unknown' : block.blocked,
    reasons: found.flatMap(reasonOf),
    if_refused: verdict === 'no' ? null : fallbackReason(found),
  }
}

function reasonOf({rule, finding}: AppliedRule): Reason[] {
  const {reason: code, allowed: allows, why, source = rule.source, try: fix = null, by = null} = finding
  if (code === undefined) return []
  return [{code, allows, why, source, error_code: allows === 'yes' ? null : (rule.code ?? null), fix, by}]
}

/** The reason that is left where somebody is kept out though nothing known is against it: a block made elsewhere. */
function fallbackReason(found: readonly AppliedRule[]): Reason | null {
  const left = found.find(({finding}) => finding.reason === undefined && finding.ifRefused?.by !== undefined)
  if (!left?.finding.ifRefused) return null
  const {why, try: fix = null, by = null} = left.finding.ifRefused
  const {source, code: error_code = null} = left.rule
  return {code: 'blocked', allows: 'unknown', why, source, error_code, fix, by}
}

/** Reads what the journal last tells of a user in a room, under this profile. A journal that cannot be read is said. */
export async function readBlockTrace(session: Session, roomId: string, user: string): Promise<BlockTrace | undefined> {
  const {places, resolved, warn} = session
  let last: BlockTrace | undefined
  try {
    for await (const entry of readLog(journalPlace({places, resolved}), {mentions: roomId})) {
      if (entry.profile !== resolved.name || !isAbout(entry, roomId, user)) continue
      const trace = traceOf(entry)
      if (trace) last = trace
    }
  } catch (error) {
    warn(`warning: the journal cannot be read: ${systemReason(error)}`)
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
