import * as Flags from '@oclif/core/flags'
import {listAttendees} from '../../api/contract/attendee.js'
import {Failure} from '../../api/contract/failure.js'
import {RoomCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, repeatable, requesterFlags, roomAndUsersArg} from '../../cli/flags/flags.js'
import {pickRoom, pickUsers, readUsers} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'
import {bulkFlags} from '../../features/bulk/flags.js'
import {selectionFlag} from '../../features/room/roomFlags.js'
import {blockIn, mutateRooms, roomAndUsers} from '../../features/room/roomMutations.js'

export default class AttendeeBlock extends RoomCommand {
  static override aliases = ['room:block']
  static override summary = 'Remove attendees and block them'
  static override description =
    `Only the creator or the host may block, and only users present in a MEETING room, never the host. Blocked users are removed
at once and can neither get a token nor enter until they are restored. The service does not show who is blocked. With
--where, --older-than, --empty or --match, every argument is a user, and these select the rooms.`
  static override args = {'room user': roomAndUsersArg}
  static override flags = {
    ...requesterFlags,
    ...bulkFlags,
    'all-except': Flags.string({
      ...repeatable,
      helpValue: 'USER',
      summary: 'everybody present except the host and these users',
    }),
  }
  static override examples = commandExamples({
    'Remove ben': 'roomctl attendee block r-standup ben --yes',
    'Remove everybody except one user': 'roomctl room block r-standup --all-except ben --yes',
    'Remove a bot from every test room': "roomctl attendee block bot-1 --where 'status=MEETING and name~^test' --yes",
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AttendeeBlock)
    const session = await this.open(flags)
    const {room, users} = roomAndUsers(args['room user'], flags)
    const rooms = selectionFlag(flags) === undefined ? [await pickRoom(session, room, 'attendee.block')] : undefined
    const attendees = await blockTargets(session, rooms?.[0], users, flags['all-except'])
    await mutateRooms(session, flags, rooms, blockIn(attendees))
  }
}

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

async function everybodyBut(session: Session, roomId: string, except: readonly string[]): Promise<readonly string[]> {
  const attendees = await session.api.call(listAttendees, {path: {roomId}})
  const others = attendees.filter(
    ({user_id, is_host, is_present}) => is_present === true && is_host !== true && !except.includes(user_id),
  )
  if (others.length > 0) return others.map(({user_id}) => user_id)
  throw new Failure({
    exit: 'state',
    code: 'nobody',
    message: `nobody else is present in room ${roomId}; nothing was sent`,
    why: 'only users who are present can be blocked, and never the host',
    try: `roomctl attendee list ${roomId} --present`,
  })
}
