import {RoomctlCommand} from '../cli/app/baseCommand.js'
import {commandExamples, confirmableFlags, optionalArg, requesterFlags, timeFlags} from '../cli/flags/flags.js'
import {undo} from '../features/history/undo.js'

export default class Undo extends RoomctlCommand {
  static override changes = true
  static override summary = 'Undo a change'
  static override description =
    `Blocking, restoring, room updates, delegations, presenters and scheduled pushes can be undone; for anything else roomctl
says what to do instead. The room is read first, and nothing is sent if it has changed since. Without ENTRY, the newest
change of the profile that can be undone is undone after a confirmation; --yes does so only if there is no newer one. The
undo is itself a journal entry, and an entry can be undone once. An update can be undone only if the room was read for it:
not with --as USER or --admin.`
  static override args = {entry: optionalArg('ENTRY', 'id of a change, as shown by history')}
  static override flags = {...timeFlags, ...requesterFlags, ...confirmableFlags}
  static override examples = commandExamples({
    'Undo a block': 'roomctl attendee block r-standup ben --yes && roomctl undo --yes',
    'See what would be sent to undo the last change of a room':
      'roomctl room delegate r-standup ben && roomctl undo "$(roomctl history --room r-standup --limit 1 -q)" --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Undo)
    await undo(await this.open(flags), flags, args.entry)
  }
}
