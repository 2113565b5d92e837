import {LocalCommand} from '../../cli/command.js'
import {editedProfile, editProfiles} from '../../cli/editProfile.js'
import {wordArg} from '../../cli/flags.js'
import {warnOfOtherOrigin} from '../../cli/origins.js'
import {presentDone} from '../../cli/present.js'
import {checkAddress} from '../../http/address.js'
import {setValue} from '../../profile/edit.js'

export default class ConfigSet extends LocalCommand {
  static override summary = 'Set a setting of a profile'
  static override description =
    `The value is checked before it is stored. Tokens are not settings: config login stores them. A token is
bound to the origin it was stored for, and is not sent when an address moves to another one.`
  static override args = {
    key: wordArg('KEY', 'a setting; config list shows them'),
    value: wordArg('VALUE', 'its value'),
  }
  static override examples = [
    {
      description: 'The address of the room service',
      command: '<%= config.bin %> config set room.url https://rooms.example.com/media',
    },
    {description: 'Wait longer for answers', command: '<%= config.bin %> config set timeout 2m'},
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigSet)
    const session = await this.open(flags, {editing: true})
    const profile = editedProfile(session)
    if (args.key.endsWith('.url')) checkAddress(args.value, {allowHttp: session.resolved.values.allowHttp})
    await editProfiles(session, (file) => setValue(file, profile, args.key, args.value))
    warnOfOtherOrigin(session, args.key, args.value)
    await presentDone(
      session,
      {profile, key: args.key, value: args.value},
      args.key,
      `set ${args.key} in profile ${profile}`,
    )
  }
}
