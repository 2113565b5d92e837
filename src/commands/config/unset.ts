import {LocalCommand} from '../../cli/command.js'
import {editedProfile, editProfiles} from '../../cli/editProfile.js'
import {wordArg} from '../../cli/flags.js'
import {presentDone} from '../../cli/present.js'
import {unsetValue} from '../../profile/edit.js'

export default class ConfigUnset extends LocalCommand {
  static override summary = 'Forget a setting of a profile'
  static override description = 'The default holds again, or the environment variable where one is set.'
  static override args = {key: wordArg('KEY', 'a setting; config list shows them')}
  static override examples = [
    {description: 'Back to the default time limit', command: '<%= config.bin %> config unset timeout'},
    {description: 'Act as the host again', command: '<%= config.bin %> config unset requester'},
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigUnset)
    const session = await this.open(flags, {editing: true})
    const profile = editedProfile(session)
    await editProfiles(session, (file) => unsetValue(file, profile, args.key))
    await presentDone(session, {profile, key: args.key}, args.key, `unset ${args.key} in profile ${profile}`)
  }
}
