import {LocalCommand} from '../cli/app/baseCommand.js'
import {commandExamples, optionalArg, rowFlags, timeFlags} from '../cli/flags/flags.js'
import {historyFlags, showHistory} from '../features/history/history.js'
import {historyList} from '../view/system/history.js'

export default class History extends LocalCommand {
  static override summary = 'Show the changes made from this machine'
  static override rows = historyList
  static override description =
    `Every change is one line in a journal: time, profile, operation, target, user and outcome, never message contents or secrets.
The column REVERSE shows the command that reverses a change. The newest change is first. Shows all profiles; -p shows one.
For a log that several people share, feed it with history --asc -o ndjson.`
  static override args = {room: optionalArg('ROOM', 'only changes to this room')}
  static override flags = {...historyFlags, ...rowFlags, ...timeFlags}
  static override examples = commandExamples({
    'Changes in the last 24 hours': 'roomctl history --since 1d',
    'Who was blocked in a room, for a script': 'roomctl history r-standup --operation attendee.block -o ndjson',
    'Changes with an unknown outcome, to be checked': 'roomctl history --outcome unknown',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(History)
    await showHistory(await this.open(flags), {...flags, ...args})
  }
}
