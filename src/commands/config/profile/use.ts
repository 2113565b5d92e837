import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, yesFlag} from '../../../cli/flags/flags.js'
import {presentDone, resultView} from '../../../cli/output/present.js'
import {selectProfile} from '../../../features/config/profiles.js'

export default class ConfigProfileUse extends LocalCommand {
  static override summary = 'Set the default profile'
  static override description = 'The flag -p and the variable ROOMCTL_PROFILE choose another one for a single command.'
  static override args = {name: requiredArg('NAME', 'name of the profile')}
  static override flags = yesFlag
  static override examples = commandExamples({
    'Use the built-in sandbox by default': 'roomctl config profile use sandbox',
    'Another profile for one command only': 'roomctl room list -p sandbox',
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(ConfigProfileUse, {editing: true})
    const view = await resultView(session, ['profile'])
    await selectProfile(session, args.name)
    await presentDone(session, view, {profile: args.name}, args.name, `profile ${args.name} is in use`)
  }
}
