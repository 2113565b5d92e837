import {LocalCommand} from '../../cli/command.js'
import {presentDone} from '../../cli/present.js'
import {journalFile} from '../../journal/journal.js'
import {profilePath} from '../../profile/file.js'

export default class ConfigPath extends LocalCommand {
  static override summary = 'Print where the profile file lies'
  static override description = 'JSON shows the other places too: the journal, the sandbox’s state and the cache.'
  static override examples = [
    {description: 'The profile file', command: '<%= config.bin %> config path'},
    {description: 'All places', command: '<%= config.bin %> config path -o json'},
  ]

  async run(): Promise<void> {
    const {flags} = await this.parse(ConfigPath)
    const session = await this.open(flags, {editing: true})
    const {config, state, data, cache} = session.places
    const profile = profilePath(config)
    await presentDone(session, {profile, journal: `${state}/${journalFile}`, sandbox: data, cache}, profile, profile)
  }
}
