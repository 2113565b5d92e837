import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {assertWritableFile, writePrivate} from '../../../cli/files/writeFile.js'
import {commandExamples, optionalArg, requiredArg} from '../../../cli/flags/flags.js'
import {presentText} from '../../../cli/output/present.js'
import {exportedProfile} from '../../../features/config/profiles.js'
import {safeText} from '../../../text/text.js'
import {jsonText} from '../../../view/format/json.js'

export default class ConfigProfileExport extends LocalCommand {
  static override summary = 'Print a profile without its secrets, for a colleague'
  static override description =
    'JSON with settings and routes; tokens stay where they are. A FILE is written for you alone (0600), and never replaced.'
  static override args = {
    name: requiredArg('NAME', 'name of the profile'),
    file: optionalArg('FILE', 'file to write (default: stdout)'),
  }
  static override examples = commandExamples({
    'Into a file': 'roomctl config profile export live live.json',
    'From one machine to another': 'roomctl config profile export live | ssh ops roomctl config profile import -',
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(ConfigProfileExport, {editing: true})
    const text = jsonText(await exportedProfile(session, args.name))
    if (args.file === undefined) return presentText(session, text.trimEnd())
    assertWritableFile(args.file, {advice: 'name another file'})
    writePrivate(args.file, text)
    await presentText(session, `exported profile ${args.name} to ${safeText(args.file)}`)
  }
}
