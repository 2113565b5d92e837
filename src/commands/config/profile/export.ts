import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, optionalArg, overwriteFlag, requiredArg, withMeaning} from '../../../cli/flags/flags.js'
import {outputFile} from '../../../cli/output/outputFile.js'
import {presentText} from '../../../cli/output/present.js'
import {exportedProfile} from '../../../features/config/profileTransfer.js'
import {safeText} from '../../../text/text.js'
import {jsonText} from '../../../view/format/json.js'

const exported = {what: 'exported profile', starts: [/^\{\n {2}"kind": "roomctl-profile"/u]}

export default class ConfigProfileExport extends LocalCommand {
  static override summary = 'Print a profile without its secrets, for a colleague'
  static override description =
    'JSON with settings and routes; tokens stay where they are. A FILE is written for you alone (0600).'
  static override args = {
    name: requiredArg('NAME', 'name of the profile'),
    file: optionalArg('FILE', 'file to write (default: stdout)'),
  }
  static override flags = {overwrite: withMeaning(overwriteFlag(), 'overwrite FILE')}
  static override examples = commandExamples({
    'Into a file': 'roomctl config profile export live live.json',
    'From one machine to another': 'roomctl config profile export live | ssh ops roomctl config profile import -',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(ConfigProfileExport, {editing: true})
    const text = jsonText(await exportedProfile(session, args.name))
    const file = outputFile(session, args.file ?? '-', {flag: 'FILE', kind: exported, overwrite: flags.overwrite})
    await file.write(text)
    await presentText(session, `exported profile ${args.name} to ${safeText(file.path)}`)
  }
}
