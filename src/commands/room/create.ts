import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, timeFlags} from '../../cli/flags/flags.js'
import type {Session} from '../../cli/session/session.js'
import {type CreateFlags, createFlags, createRoomNamed, readCreateFlags} from '../../features/room/createRoom.js'

export default class RoomCreate extends RoomctlCommand {
  static override changes = true
  static override summary = 'Create a room'
  static override description =
    `The creator is --created-by, or the profile's requester. With --host creator, and in a private room, the creator must be an
attendee and is added automatically. By default the room is public and joinable, elects another host when its host leaves,
and has the service's limit of 30 attendees. The service may override values; --check reads the room back and shows what it
changed.`
  static override args = {name: requiredArg('NAME', 'name of the room')}
  static override flags = {...createFlags, ...timeFlags}
  static override examples = commandExamples({
    'A meeting for three, starting in two hours':
      'roomctl room create "Design review" --created-by ann -a ben -a carl --start +2h --for 1h',
    'A private room, its id for a script': 'roomctl room create Interview --created-by ann -a eve --private -q',
    'See the request without sending it': 'roomctl room create Standup --created-by ann --max 10 --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RoomCreate)
    await createRoomNamed(session, args.name, flags)
  }

  protected override async checkGiven(session: Session, {flags}: {readonly flags: CreateFlags}): Promise<void> {
    readCreateFlags(session, flags)
  }
}
