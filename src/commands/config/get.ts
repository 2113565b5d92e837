import {LocalCommand} from '../../cli/command.js'
import {wordArg} from '../../cli/flags.js'
import {presentDone} from '../../cli/present.js'
import {settingByKey} from '../../profile/settings.js'
import {safeText} from '../../view/text.js'

export default class ConfigGet extends LocalCommand {
  static override summary = 'Print the value of one setting'
  static override description =
    `The value that a command would use now, whatever it comes from. Nothing is printed where nothing sets it.`
  static override args = {key: wordArg('KEY', 'a setting; config list shows them')}
  static override examples = [
    {description: 'The time limit of a call', command: '<%= config.bin %> config get timeout'},
    {description: 'A value with its source', command: '<%= config.bin %> config get retries -o json'},
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigGet)
    const {key} = settingByKey(args.key)
    const session = await this.open(flags)
    const found = session.resolved.list().find((row) => row.key === key)
    const value = found?.value ?? null
    if (value === null && session.output.format === 'table') return
    const shown = {key, value, source: found?.source ?? 'default'}
    await presentDone(session, shown, String(value), safeText(value))
  }
}
