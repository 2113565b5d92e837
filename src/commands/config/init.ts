import {LocalCommand} from '../../cli/app/baseCommand.js'
import {initProfile} from '../../features/config/init.js'

export default class ConfigInit extends LocalCommand {
  static override summary = 'Set up a profile interactively'
  static override description =
    `Asks for the name of the profile, the addresses, the token and the requester, checks each answer, stores them
and reads the room list once to see that they work. In a script use config profile add, config set and config login.`
  static override examples = [
    {description: 'The first profile', command: '<%= config.bin %> config init'},
    {description: 'Another one', command: '<%= config.bin %> config init -p staging'},
  ]

  async run(): Promise<void> {
    const {flags} = await this.parse(ConfigInit)
    await initProfile(await this.open(flags, {editing: true}), flags.profile, (profile) =>
      this.open({...flags, profile}),
    )
  }
}
