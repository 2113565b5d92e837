import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, yesFlag} from '../../cli/flags/flags.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {unsetSetting} from '../../features/config/settings.js'

export default class ConfigUnset extends LocalCommand {
  static override summary = 'Remove a setting from a profile'
  static override description = 'The default applies again, or the environment variable if one is set.'
  static override args = {key: requiredArg('KEY', 'a setting; config list shows them')}
  static override flags = yesFlag
  static override examples = commandExamples({
    'Back to the default time limit': 'roomctl config unset timeout',
    'The built-in route of an operation': 'roomctl config unset route.push.show',
    'Act as the host again': 'roomctl config unset requester',
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(ConfigUnset, {editing: true})
    const view = await resultView(session, ['profile', 'key'])
    const changed = await unsetSetting(session, args.key)
    await presentDone(session, view, changed, changed.key, `unset ${changed.key} in profile ${changed.profile}`)
  }
}
