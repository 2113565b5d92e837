import {presenter} from '../../api/contract/roomChanges.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, requesterFlags, roomArg, userArg} from '../../cli/flags/flags.js'
import {giveRole} from '../../features/room/roomMutations.js'

export default class RoomPresenter extends RoomctlCommand {
  static override changes = true
  static override summary = 'Set the presenter of a room'
  static override description =
    `The requester must be host. The presenter is in the room's metadata, {"presenter":{"userId":"USER"}}, and a change of it triggers
RoomMetadataChanged. No documented answer shows the metadata.`
  static override args = {room: roomArg, user: userArg}
  static override flags = {...requesterFlags, ...changeFlags}
  static override examples = commandExamples({
    'Let ben present': 'roomctl room presenter r-standup ben',
    'The same as JSON': 'roomctl room presenter r-standup ben --as ann -o json',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RoomPresenter)
    await giveRole(session, flags, args, presenter, 'presenter')
  }
}
