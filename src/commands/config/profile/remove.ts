import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, yesFlag} from '../../../cli/flags/flags.js'
import {presentDone, resultView} from '../../../cli/output/present.js'
import {deleteProfile} from '../../../features/config/profiles.js'

export default class ConfigProfileRemove extends LocalCommand {
  static override summary = 'Remove a profile with its tokens'
  static override description =
    'Removes its settings, routes and tokens, also from the keyring. Asks for the name of the profile.'
  static override args = {name: requiredArg('NAME', 'name of the profile')}
  static override flags = {...yesFlag}
  static override examples = commandExamples({
    'Remove a profile that is no longer needed': 'roomctl config profile remove old --yes',
    'List the profiles first': 'roomctl config profile list',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(ConfigProfileRemove, {editing: true})
    const view = await resultView(session, ['profile'])
    await deleteProfile(session, args.name, flags.yes)
    await presentDone(session, view, {profile: args.name}, args.name, `removed profile ${args.name}`)
  }
}
