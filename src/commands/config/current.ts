import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples} from '../../cli/flags/flags.js'
import {presentResult, resultView} from '../../cli/output/present.js'

export default class ConfigCurrent extends LocalCommand {
  static override summary = 'Print the name of the profile in use'
  static override description =
    'For a prompt or a script. Prints nothing and exits 3 if no profile is in use. To use another profile: config profile use.'
  static override examples = commandExamples({
    'The profile in use': 'roomctl config current -p sandbox',
    'The profile, and where its name comes from': 'roomctl config current -p sandbox -o json',
  })

  async run(): Promise<void> {
    const {session} = await this.start(ConfigCurrent, {editing: true})
    const view = await resultView(session, ['profile', 'source'])
    const {name: profile, nameSource: source, exists} = session.resolved
    if (!exists) return session.endWith('configuration')
    await presentResult(session, view, {profile, source}, profile, profile)
  }
}
