import * as Flags from '@oclif/core/flags'
import {LocalCommand} from '../../../cli/command.js'
import {editProfiles} from '../../../cli/editProfile.js'
import {wordArg} from '../../../cli/flags.js'
import {readText} from '../../../cli/people.js'
import {presentDone} from '../../../cli/present.js'
import {checkAddress} from '../../../http/address.js'
import {importProfile, placeImport} from '../../../profile/export.js'

export default class ConfigProfileImport extends LocalCommand {
  static override summary = 'Add a profile that somebody exported'
  static override description =
    `Everything in it is checked as if it were typed. An import never brings a token, and a replaced profile loses
its own: whoever wrote the file decides where requests go.`
  static override args = {file: wordArg('FILE', 'the exported JSON; - reads stdin')}
  static override flags = {
    as: Flags.string({helpValue: 'NAME', summary: 'store it under another name'}),
    replace: Flags.boolean({summary: 'replace the profile of that name'}),
  }
  static override examples = [
    {description: 'From a file', command: '<%= config.bin %> config profile import live.json'},
    {description: 'Under another name', command: '<%= config.bin %> config profile import live.json --as live-2'},
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigProfileImport)
    const session = await this.open({...flags, as: undefined}, {editing: true})
    const read = importProfile(await readText(session, args.file))
    const name = flags.as ?? read.name
    for (const service of ['room', 'asset', 'push'] as const) {
      const address = read.profile[`${service}.url`]
      if (address !== undefined) checkAddress(address, {allowHttp: read.profile.allowHttp === true})
    }
    await editProfiles(session, (file) => placeImport(file, {...read, name}, {replace: flags.replace}))
    await presentDone(
      session,
      {profile: name},
      name,
      `imported profile ${name}; log in with roomctl config login -p ${name}`,
    )
  }
}
