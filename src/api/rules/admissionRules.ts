import type {AdvisedCommand} from '../../advice.js'
import {moment} from '../../text/time.js'
import {createAnother} from '../contract/meanings.js'
import type {RoomDetail} from '../contract/room.js'
import {presentCount} from '../contract/roomFacts.js'
import {stateRules} from '../contract/stateRules.js'
import {again, recordsCheck} from './attendeeRules.js'
import {attendeesOf, listSize, requestRule} from './requestRules.js'
import {hostOf, recordOf, stateOf, whyNoRule} from './room.js'
import type {JournalFact, RefusalExplanation, RoomRule, RuleContext, RuleResult} from './rule.js'

type Check = RoomRule['check']

/** For one user; a room as such has none. */
function ofUser(check: (room: RoomDetail, user: string, context: RuleContext) => RuleResult | undefined): Check {
  return (room, context) => {
    const {userId} = context.values
    return userId === undefined ? undefined : check(room, String(userId), context)
  }
}

/** room §7 rule 3. */
function ended(room: RoomDetail): RuleResult | undefined {
  const state = stateOf(room)
  if (state === undefined || stateRules['attendee.token'].in[state].allowed !== 'no') return undefined
  return {
    allowed: 'no',
    reason: 'ended',
    why: `the room is ${state}: it issues no tokens and cannot change`,
    try: createAnother,
    by: 'anyone with the application token',
    isFinal: true,
  }
}

/** A present user was admitted. */
const isInside = ofUser((room, user) =>
  recordOf(room, user)?.is_present === true
    ? {allowed: 'yes', reason: 'present', why: `${user} is in the room now`, isFinal: true}
    : undefined,
)

/** A block needs a MEETING and spares the host (room §8 rules 2, 3). */
export function canBeBlocked(room: RoomDetail, user: string): boolean {
  return stateOf(room) !== 'RESERVED' && hostOf(room) !== user
}

/** room §8 rule 5. The journal lacks blocks made elsewhere; a present user is not blocked. */
const notBlocked = ofUser((room, user, {journalFacts}) => {
  if (recordOf(room, user)?.is_present === true) return undefined
  const fact = journalFacts?.blocks.get(user)
  const advice = {
    try: {command: ['attendee restore', room.room_id, user]} as const,
    by: `${hostWords(room)}`,
  }
  if (fact !== undefined && fact.holds !== 'no') {
    const entitled = fact.by === 'refusal' ? entitlement(room, user) : undefined
    const isBlocked = fact.holds === 'yes' || entitled !== undefined
    return {
      allowed: isBlocked ? 'no' : 'unknown',
      reason: 'blocked',
      why: entitled
        ? `${entitled}, and a token was refused with T001 at ${fact.at}: ${user} is blocked`
        : factText(user, fact),
      ...advice,
    }
  }
  if (fact || !canBeBlocked(room, user)) return undefined
  return {
    allowed: 'yes',
    why: `no record says that ${user} is blocked`,
    ifRefused: {why: `${user} may have been blocked from another machine`, ...advice},
  }
})

/** T001 for a user who is entitled to a token: a block, which only a MEETING has, and which an ENDED room keeps (room §8, §9). */
function onlyBlocked(room: RoomDetail, user: string, entitled: string): RefusalExplanation {
  if (!canBeBlocked(room, user)) return {why: `${entitled}; that may have just changed`, try: again}
  const restore = {command: ['attendee restore', room.room_id, user]} as const
  return {why: `${entitled}, so ${user} is blocked`, try: stateOf(room) === 'ENDED' ? createAnother : restore}
}

const openToAll = 'the room is public'

/** Why only a block is left as the reason for T001 (room §1 rule 2, §7 rule 1). */
function entitlement(room: RoomDetail, user: string): string | undefined {
  const record = recordOf(room, user)
  if (record?.is_reserved === true || record?.is_invited === true) return `${user} is on the attendee list`
  return room.is_public === true ? openToAll : undefined
}

function factText(user: string, {holds, by, at}: JournalFact): string {
  if (by !== 'change') return `${user} may be blocked: a token was refused with T001 at ${at}`
  if (holds === 'maybe') return `${user} may be blocked: the answer to a change from this machine at ${at} was lost`
  return `${user} was blocked from this machine at ${at}`
}

/** room §7 rule 1, §1 rule 2. Without this reason for T001, only a block is left. */
const admitted = ofUser((room, user) => {
  const record = recordOf(room, user)
  const entitled = entitlement(room, user)
  if (entitled !== undefined) {
    const ifRefused = onlyBlocked(room, user, entitled)
    if (entitled !== openToAll) return {allowed: 'yes', reason: 'listed', why: entitled, ifRefused}
    return {allowed: 'yes', reason: 'public', why: 'the room is open to anyone', source: 'room §1 rule 2', ifRefused}
  }
  const isPrivate = room.is_public === false
  const unlisted = `${isPrivate ? 'the room is private' : 'the service does not say whether the room is public'}, and ${user} is not on its attendee list`
  return {
    allowed: isPrivate && !record && room.attendees != null ? 'no' : 'unknown',
    ...(record ? {undocumented: 'answer'} : {}),
    reason: 'not-listed',
    why: record ? `the room is private, and ${user} was in it without being reserved or invited` : unlisted,
    ...addition(room, user),
  }
})

/** A full list has to grow first (room §6 rule 3). */
function addition(room: RoomDetail, user: string): Pick<RuleResult, 'try' | 'by'> {
  const add = ['attendee add', room.room_id, user] as const
  if (listSize(room, {values: {attendees: [user]}})?.allowed !== 'no') {
    return {try: {command: add}, by: 'any requester, host or not'}
  }
  return {try: {...raise(room), next: add}, by: `${hostWords(room)}, as the list is full`}
}

/** room §7 rule 3, which does not say who counts. Without a user: for a user who is not present. */
function seatLeft(room: RoomDetail, {values: {userId: user}}: RuleContext): RuleResult | undefined {
  const most = room.max_attendee_count
  if (typeof most !== 'number' || recordOf(room, user)?.is_present === true) return undefined
  const present = presentCount(room) ?? 0
  const counted = `${present} of ${most} present`
  if (present < most) {
    if (user === undefined) return undefined
    const listed = attendeesOf(room)
    if (listed >= most && entitlement(room, String(user)) === openToAll) {
      return {
        allowed: 'unknown',
        undocumented: 'answer',
        reason: 'list-full',
        why: `${areOf(listed)} on the list, and max_attendee_count is ${most}`,
        try: raise(room),
        by: hostWords(room),
      }
    }
    return {allowed: 'yes', why: counted}
  }
  return {
    allowed: 'no',
    reason: 'full',
    why: `the room is full: ${counted}`,
    try: raise(room),
    by: hostWords(room),
  }
}

function areOf(number: number): string {
  return `${number} ${number === 1 ? 'is' : 'are'}`
}

/** Above the present maximum and the number of attendees (room §4 rule 3). */
function raise({room_id: roomId, max_attendee_count: most, attendees}: RoomDetail): AdvisedCommand {
  const number = Math.max(Number(most ?? 0), attendees?.length ?? 0) + 1
  return {command: ['room update', roomId, '--max', String(number)]}
}

/** The table of create and room §1 rule 7. */
const joinable = ofUser((room, user) => {
  if (room.is_joinable !== false) return undefined
  const isHost = hostOf(room) === user
  const fixed = isFixed(room)
  const closed = 'participants cannot enter until is_joinable is true'
  const open = fixed ? `${closed}, which cannot change while the room is ${room.room_status}` : closed
  return {
    allowed: isHost ? 'unknown' : 'no',
    reason: 'not-joinable',
    why: isHost ? `${open}; one text still lets the host enter, the other no user` : open,
    ...(fixed
      ? {}
      : {
          try: {command: ['room update', room.room_id, '--joinable']},
          by: `${hostWords(room)}, or the creator`,
        }),
  }
})

/** Operation validity by state: in MEETING and IDLE. It does not say whether the platform admin may still change it. */
function isFixed(room: RoomDetail): boolean {
  const state = stateOf(room)
  return state === 'MEETING' || state === 'IDLE'
}

/** Transitions from IDLE back to MEETING are not shown. */
function started(room: RoomDetail): RuleResult | undefined {
  const state = stateOf(room)
  if (state === 'MEETING') return undefined
  if (state === 'RESERVED') {
    return {allowed: 'yes', reason: 'not-started', why: 'the room has not started: the first to enter starts it'}
  }
  if (state === undefined) {
    return {allowed: 'unknown', reason: 'state-unknown', why: whyNoRule(room)}
  }
  const why = 'everybody has left the room; whether an IDLE room can be entered again is not documented'
  return {allowed: 'unknown', reason: 'idle', why}
}

/** The document has reserved times, but no rule that they keep anybody out. A meeting continues. */
function withinReservation(room: RoomDetail, {now}: RuleContext): RuleResult | undefined {
  const {room_id: roomId, reserved_start_time: start, reserved_end_time: end} = room
  const state = stateOf(room)
  if (now === undefined || state === 'MEETING') return undefined
  const begins = moment(start)
  const ends = moment(end)
  if (state === 'RESERVED' && begins && begins > now) {
    return {
      allowed: 'unknown',
      reason: 'too-early',
      why: `the reservation begins at ${start}; whether anyone can enter before is not documented`,
      try: {command: ['room update', roomId, '--start', 'now']},
      by: `${hostWords(room)}`,
    }
  }
  if (!ends || ends >= now) return undefined
  return {
    allowed: 'unknown',
    reason: 'too-late',
    why: `the reservation ended at ${end}; whether anyone can enter after is not documented`,
    ...(isFixed(room) ? {} : {try: {command: ['room update', roomId, '--end', '+1h']}, by: hostWords(room)}),
  }
}

function hostWords(room: RoomDetail): string {
  const host = hostOf(room)
  return host === undefined ? 'the host (none at present)' : `${host} (host)`
}

/** Who gets a token (room §7), and who can enter with it, by precedence. */
export const admissionRules: readonly RoomRule[] = [
  requestRule('attendee.token', 'T001', 'room §7 rule 1', admitted),
  requestRule('attendee.token', 'T001', 'room §8 rule 5', notBlocked),
  requestRule('attendee.token', 'CE001', 'room §7 rule 3', seatLeft),
  requestRule('attendee.token', 'CE002', 'room, Errors', recordsCheck('yes')),
  requestRule('enter', 'T002', 'room §7 rule 3', ended),
  requestRule('enter', undefined, 'room, Attendee', isInside),
  requestRule('enter', 'T001', 'room §8 rule 5', notBlocked),
  requestRule('enter', 'T001', 'room §7 rule 1', admitted),
  requestRule('enter', 'CE001', 'room §7 rule 3', seatLeft),
  requestRule('enter', undefined, 'room §1, Request body', joinable),
  requestRule('enter', undefined, 'room, States and transitions', started),
  requestRule('enter', undefined, 'room, Room', withinReservation),
]
