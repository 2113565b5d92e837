import type {RoomDetail} from '../../api/contract/room.js'
import {stateRules} from '../../api/contract/states.js'
import {abilitiesIn} from '../../api/rules/predict.js'
import {presenterIn} from '../../api/rules/room.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {readHistory} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import type {JournalEntry} from '../../storage/journal.js'
import type {Ability, LastKnown, SetHere} from '../../view/room/room.js'

type Reading = Pick<Session, 'places' | 'resolved' | 'warn'>

/**
 * Who is blocked in a room and who presents, as far as the journal tells: the documents have no field for either, and another machine
 * may have changed it since. A service that shows the room's metadata says itself who presents (room §12). Whoever is in the room is blocked no more. A journal that cannot be read is said, and tells nothing.
 */
export async function journalFacts(session: Reading, room: RoomDetail): Promise<LastKnown> {
  const {room_id: roomId, attendees, metadata} = room
  const changes = await changesOf(session, roomId)
  const told = presenterIn(metadata)
  const present = new Set(attendees?.filter(({is_present}) => is_present === true).map(({user_id: user}) => user))
  return {
    blocked: blockedBy(changes).filter(({user}) => !present.has(user)),
    presenter: told === undefined ? presenterBy(changes) : told === null ? undefined : {user: told},
  }
}

function blockedBy(changes: readonly JournalEntry[]): SetHere[] {
  const blocked = new Map<string, SetHere>()
  for (const entry of changes) {
    const users = Array.isArray(entry.targets.attendees) ? entry.targets.attendees.map(String) : []
    for (const user of users) {
      if (entry.operation === 'attendee.block') blocked.set(user, setBy(entry, user))
      if (entry.operation === 'attendee.restore') blocked.delete(user)
    }
  }
  return [...blocked.values()]
}

function presenterBy(changes: readonly JournalEntry[]): SetHere | undefined {
  const last = changes.findLast(({operation}) => operation === 'room.presenter')
  const user = last?.targets.user_id
  return last && typeof user === 'string' ? setBy(last, user) : undefined
}

function setBy({at}: JournalEntry, user: string): SetHere {
  return {user, at}
}

/** What was done to a room with this profile, the newest last. */
async function changesOf(session: Reading, roomId: string): Promise<JournalEntry[]> {
  const changes: JournalEntry[] = []
  const {places, resolved} = session
  try {
    for await (const entry of readHistory({places, resolved, warn: () => undefined}, roomId)) {
      const isDone = entry.outcome === 'done' && entry.profile === resolved.name
      if (isDone && entry.targets.roomId === roomId) changes.push(entry)
    }
  } catch (error) {
    session.warn(`warning: ${toFailure(error).message}`)
  }
  return changes
}

/** What a room lets somebody do, operation by operation. `as`: a user, or the role `host` or `creator`. */
export function abilitiesOf(room: RoomDetail, as: string): Ability[] {
  return abilitiesIn(room, as).map(({operation, requester, allowed, why, code}) => ({
    action: operation,
    allowed,
    why,
    as: requester ?? null,
    code: code ?? null,
    source: stateRules[operation].source,
  }))
}
