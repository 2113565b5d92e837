import {RoomctlCommand} from '../cli/app/baseCommand.js'
import {confirmableFlags, optionalArg, requesterFlags} from '../cli/flags/flags.js'
import {undo} from '../features/history/undo.js'

export default class Undo extends RoomctlCommand {
  static override summary = 'Undo a change'
  static override description =
    `Blocking and restoring, an update of a room, a delegation, a presenter and a scheduled push have an inverse; of anything
else it says what to do instead. The room is read first, and where it is not as that change left it nothing is sent. Without
ENTRY the newest change of the profile that has an inverse is undone, after a question; --yes does that only where no newer
one is passed over. The inverse is itself a change in the journal, and an entry is undone only once. What was there before an
update is known where the room was read for it: not with --as USER, nor with --admin.`
  static override args = {entry: optionalArg('ENTRY', 'id of a change, as shown by history')}
  static override flags = {...requesterFlags, ...confirmableFlags}
  static override examples = [
    {
      description: 'Undo a block',
      command: '<%= config.bin %> attendee block r-standup ben --yes && <%= config.bin %> undo --yes',
    },
    {
      description: 'See what would be sent to undo the last change of a room',
      command:
        '<%= config.bin %> room delegate r-standup ben && <%= config.bin %> undo "$(<%= config.bin %> history --room r-standup --limit 1 -q)" --dry-run',
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Undo)
    await undo(await this.open(flags), flags, args.entry)
  }
}
