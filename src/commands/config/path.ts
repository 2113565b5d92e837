import {LocalCommand} from '../../cli/app/baseCommand.js'
import {presentResult, resultView} from '../../cli/output/present.js'
import {storagePaths} from '../../features/config/settings.js'

export default class ConfigPath extends LocalCommand {
  static override summary = 'Print the path of the profile file'
  static override description = 'JSON shows the other places too: the journal, the sandbox’s state and the cache.'
  static override examples = [
    {description: 'The profile file', command: '<%= config.bin %> config path'},
    {description: 'All paths', command: '<%= config.bin %> config path -o json'},
  ]

  async run(): Promise<void> {
    const {flags} = await this.parse(ConfigPath)
    const session = await this.open(flags, {editing: true})
    const view = await resultView(session, ['profile', 'journal', 'sandbox', 'cache'])
    const shown = storagePaths(session)
    await presentResult(session, view, shown, shown.profile, shown.profile)
  }
}
