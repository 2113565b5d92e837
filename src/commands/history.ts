import * as Flags from '@oclif/core/flags'
import {LocalCommand} from '../cli/app/baseCommand.js'
import {commandExamples, repeatable} from '../cli/flags/flags.js'
import {showHistory} from '../features/history/history.js'

export default class History extends LocalCommand {
  static override summary = 'Show the changes made from this machine'
  static override description =
    `Every change is one line in a journal: time, profile, operation, target, user, outcome and reason (--reason), never message
contents or secrets. The newest is last. Shows all profiles; -p shows one. To share a journal between users, set journal.path; each line
then names its author.`
  static override flags = {
    since: Flags.string({helpValue: 'TIME', summary: 'only entries since this time: 2h (ago), 2026-12-01T09:00+09:00'}),
    until: Flags.string({helpValue: 'TIME', summary: 'only entries before this time'}),
    operation: Flags.string({
      helpValue: 'ID',
      ...repeatable,
      summary: 'only these operations or topics: room.end, push',
    }),
    room: Flags.string({helpValue: 'ROOM', summary: 'only changes to this room'}),
    outcome: Flags.string({options: ['done', 'failed', 'unknown'], ...repeatable, summary: 'only this outcome'}),
    limit: Flags.string({helpValue: 'N', summary: 'only the newest N'}),
  }
  static override examples = commandExamples({
    'Changes in the last 24 hours': 'roomctl history --since 1d',
    'Who was blocked in a room, for a script': 'roomctl history --room r-standup --operation attendee.block -o ndjson',
    'Changes with an unknown outcome, to be checked': 'roomctl history --outcome unknown',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(History)
    await showHistory(await this.open(flags), flags)
  }
}
