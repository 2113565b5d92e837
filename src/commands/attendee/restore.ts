import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requesterFlags, roomAndUsersArg} from '../../cli/flags/flags.js'
import {readUsers} from '../../cli/prompts/pickers.js'
import {bulkFlags} from '../../features/bulk/flags.js'
import {mutateRooms, restoreIn, roomAndUsers} from '../../features/room/roomMutations.js'

export default class AttendeeRestore extends RoomctlCommand {
  static override aliases = ['room:restore']
  static override changes = true
  static override summary = 'Let blocked attendees enter again'
  static override description =
    `Only the host may restore, in a MEETING or IDLE room, and every user must be blocked. If flags choose the rooms, every
argument is a user. A - before the users reads room ids from stdin, which the flags filter.`
  static override args = {'room user': roomAndUsersArg}
  static override flags = {...requesterFlags, ...bulkFlags}
  static override examples = commandExamples({
    'Restore dora': 'roomctl attendee restore r-standup dora',
    'The same command under room': 'roomctl room restore r-standup dora --as ann -o json',
    'Restore dora wherever she may be blocked': 'roomctl attendee restore dora --match "Daily standup" --yes',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AttendeeRestore)
    const {rooms, users} = await roomAndUsers(session, 'attendee.restore', args['room user'], flags)
    const advice = 'name the users to restore; the service does not list blocked users'
    const {ids} = await readUsers(session, users, {advice})
    await mutateRooms(session, flags, rooms, restoreIn(ids))
  }
}
