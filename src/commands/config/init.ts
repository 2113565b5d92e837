import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, yesFlag} from '../../cli/flags/flags.js'
import {initProfile} from '../../features/config/init.js'

export default class ConfigInit extends LocalCommand {
  static override summary = 'Set up a profile interactively'
  static override description =
    `Asks for the file that a colleague made with config profile export; then only the tokens are missing. Without one, asks for the
name of the profile, the address and token of each service, the application id and the requester. You can leave out any
service. Each token is tested with a read, as in doctor. If it is refused, roomctl asks again; if it cannot be tested, it is
"not checked". Answers are stored after the last one. In a script use config profile add, config set and config login.`
  static override flags = yesFlag
  static override examples = commandExamples({
    'The first profile': 'roomctl config init',
    'Another one': 'roomctl config init -p staging',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(ConfigInit)
    await initProfile(await this.open(flags, {editing: true}), flags.profile, (file, profile) =>
      this.open({...flags, profile}, {file}),
    )
  }
}
