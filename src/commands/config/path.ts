import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples} from '../../cli/flags/flags.js'
import {presentResult, resultView} from '../../cli/output/present.js'
import {storagePaths} from '../../features/config/settings.js'

export default class ConfigPath extends LocalCommand {
  static override summary = 'Print the path of the profile file'
  static override description = 'JSON shows the other places too: the journal, the sandbox’s state and the cache.'
  static override examples = commandExamples({
    'The profile file': 'roomctl config path',
    'All paths': 'roomctl config path -o json',
  })

  async run(): Promise<void> {
    const {session} = await this.start(ConfigPath, {editing: true})
    const view = await resultView(session, ['profile', 'journal', 'sandbox', 'cache'])
    const shown = storagePaths(session)
    await presentResult(session, view, shown, shown.profile, shown.profile)
  }
}
