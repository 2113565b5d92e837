import {listAttendees} from '../../api/contract/attendee.js'
import {Failure} from '../../api/contract/failure.js'
import type {AttendeeRecord} from '../../api/contract/room.js'
import {pickUsers, readUsers} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'

/**
 * Whom a block is meant for: the users named, `-` for stdin, everybody present but the host and `except`, or the one
 * picked on a terminal among those who can be blocked (room §8: present, and not the host). Without a room users are named.
 */
export async function blockTargets(
  session: Session,
  roomId: string | undefined,
  given: readonly string[],
  except: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (roomId === undefined) return blockedEverywhere(session, given, except)
  if (except !== undefined) {
    if (given.length === 0) return everybodyBut(session, roomId, except)
    throw new Failure({exit: 'usage', message: 'USER and --all-except cannot be given together'})
  }
  if (given.length === 0) return pickUsers(session, roomId, 'attendee.block')
  return (await readUsers(session, given, {advice: `roomctl attendee list ${roomId} --present`})).ids
}

/** Who is present differs from room to room, so in several rooms users are named. */
async function blockedEverywhere(
  session: Session,
  given: readonly string[],
  except: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (except === undefined) return (await readUsers(session, given, {advice: 'name the users to block'})).ids
  throw new Failure({exit: 'usage', message: '--where and --all-except cannot be given together'})
}

function canBeBlocked({is_host, is_present}: AttendeeRecord): boolean {
  return is_present === true && is_host !== true
}

async function everybodyBut(session: Session, roomId: string, except: readonly string[]): Promise<readonly string[]> {
  const attendees = await session.api.call(listAttendees, {path: {roomId}})
  const others = attendees.filter((attendee) => canBeBlocked(attendee) && !except.includes(attendee.user_id))
  if (others.length > 0) return others.map(({user_id}) => user_id)
  throw new Failure({
    exit: 'state',
    code: 'nobody',
    message: `nobody else is present in room ${roomId}; nothing was sent`,
    why: 'only users who are present can be blocked, and never the host',
    try: `roomctl attendee list ${roomId} --present`,
  })
}
