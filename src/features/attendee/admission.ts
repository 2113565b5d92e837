import {adviceText} from '../../advice.js'
import {listAttendees} from '../../api/contract/attendee.js'
import type {AttendeeRecord, RoomDetail} from '../../api/contract/room.js'
import {canBeBlocked} from '../../api/rules/admissionRules.js'
import {type AppliedRule, markedWhy, predict} from '../../api/rules/predict.js'
import {presentIn} from '../../api/rules/room.js'
import type {JournalFact, JournalFacts} from '../../api/rules/rule.js'
import {readJournalFacts} from '../../cli/session/journalFacts.js'
import type {Session} from '../../cli/session/session.js'
import {type Admission, canEnter, type Reason} from '../../view/room/attendee.js'
import {readRoom} from '../bulk/readRooms.js'

/** Whether a user can enter a room, and why, by room, attendees (room §3, §5) and journal; no token is requested. Throws Failure. */
export async function admissionOf(session: Session, roomId: string, user: string): Promise<Admission> {
  const read = await readRoom(session, roomId)
  const attendees = read.attendees ?? (await session.api.call(listAttendees, {path: {roomId}}))
  const journalFacts = (await readJournalFacts(session, roomId)).get(roomId)
  return admissionTo(session, {...read, attendees}, user, journalFacts)
}

type ListedRoom = RoomDetail & {readonly attendees: AttendeeRecord[]}

export function admissionTo(
  {runtime, advise}: Session,
  room: ListedRoom,
  user: string,
  journalFacts: JournalFacts | undefined,
): Admission {
  const context = {values: {roomId: room.room_id, userId: user}, journalFacts, now: runtime.now()}
  const {allowed: verdict, findings} = predict('enter', room, context)
  const present = presentIn(room).includes(user)
  const known = wordOf(journalFacts?.blocks.get(user), canBeBlocked(room, user))
  const blocked = present ? 'no' : (blockBy(findings) ?? known)
  return {
    room_id: room.room_id,
    name: room.name ?? null,
    room_status: room.room_status ?? null,
    user_id: user,
    can_enter: canEnter(verdict, blocked),
    is_present: present,
    blocked,
    reasons: findings.flatMap((applied) => reasonOf(applied, advise)),
    if_refused: verdict === 'no' ? null : fallbackReason(findings, advise),
  }
}

function blockBy(findings: readonly AppliedRule[]): Admission['blocked'] | undefined {
  const own = findings.find(({finding}) => finding.reason === 'blocked')
  return own && (own.finding.allowed === 'no' ? 'yes' : 'unknown')
}

function wordOf(fact: JournalFact | undefined, canBe: boolean): Admission['blocked'] {
  if (fact) return fact.holds === 'maybe' ? 'unknown' : fact.holds
  return canBe ? 'unknown' : 'no'
}

function reasonOf({rule, finding}: AppliedRule, advise: Session['advise']): Reason[] {
  const {reason: code, allowed: allows, source = rule.source, try: fix, by = null} = finding
  if (code === undefined) return []
  return [
    {
      code,
      allows,
      why: markedWhy(finding),
      source,
      error_code: allows === 'yes' ? null : (rule.code ?? null),
      fix: fix === undefined ? null : adviceText(advise(fix)),
      by,
    },
  ]
}

/** The only remaining reason if a user is refused against the rules: a block made elsewhere. */
function fallbackReason(findings: readonly AppliedRule[], advise: Session['advise']): Reason | null {
  const left = findings.find(({finding}) => finding.reason === undefined && finding.ifRefused?.by !== undefined)
  if (!left?.finding.ifRefused) return null
  const {why, try: advice, by = null} = left.finding.ifRefused
  const fix = advice === undefined ? null : adviceText(advise(advice))
  const {source, code: error_code = null} = left.rule
  return {code: 'blocked', allows: 'unknown', why, source, error_code, fix, by}
}
