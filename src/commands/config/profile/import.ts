import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, switchFlag, valueFlag, yesFlag} from '../../../cli/flags/flags.js'
import {presentDone, resultView} from '../../../cli/output/present.js'
import {importProfileFile} from '../../../features/config/profileTransfer.js'

export default class ConfigProfileImport extends LocalCommand {
  static override summary = 'Import a profile'
  static override description =
    `Every value is validated. An import never contains a token, and a replaced profile loses its own, because the file decides
where requests go. An import that removes protected or readOnly from an existing profile, or allows plain http, asks for its
name; only --confirm NAME answers for protected.`
  static override args = {file: requiredArg('FILE', 'exported profile; - is stdin')}
  static override flags = {
    as: valueFlag('NAME', 'store the profile under another name'),
    overwrite: switchFlag('replace the profile of that name'),
    ...yesFlag,
    confirm: valueFlag('NAME', 'confirm with the name of a protected profile'),
  }
  static override examples = commandExamples({
    'From a file': 'roomctl config profile import live.json',
    'Under another name': 'roomctl config profile import live.json --as live-2',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigProfileImport)
    const {as, overwrite, yes, confirm} = flags
    const session = await this.open({...flags, as: undefined}, {editing: true})
    const view = await resultView(session, ['profile', 'changes'])
    const imported = await importProfileFile(session, args.file, {as, overwrite, yes, confirm})
    const name = imported.profile
    const sentence = `imported profile ${name}; log in with roomctl config login -p ${name}`
    await presentDone(session, view, imported, name, sentence)
  }
}
