import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requiredArg} from '../../cli/flags/flags.js'
import {presentResult, resultView} from '../../cli/output/present.js'
import {requireProfile} from '../../cli/session/serviceClients.js'
import {effectiveSetting} from '../../features/config/settings.js'
import {safeText} from '../../text/text.js'

export default class ConfigGet extends LocalCommand {
  static override summary = 'Print the value of one setting'
  static override description =
    `The value that a command would use now, from any source. Nothing is printed if it is not set.`
  static override args = {key: requiredArg('KEY', 'a setting; config list shows them')}
  static override examples = commandExamples({
    'The time limit of a call': 'roomctl config get timeout',
    'A value with its source': 'roomctl config get retries -o json',
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(ConfigGet)
    requireProfile(session.resolved)
    const setting = effectiveSetting(session, args.key)
    const {format} = session.output
    if (setting.value === null && (format === 'table' || format === 'ids')) return
    const view = await resultView(session, ['key', 'value', 'source'])
    const value = safeText(setting.value)
    await presentResult(session, view, setting, value, value)
  }
}
