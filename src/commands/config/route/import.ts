import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, requiredArg} from '../../../cli/flags/flags.js'
import {presentDone, resultView} from '../../../cli/output/present.js'
import {importProfileRoutes} from '../../../features/config/profileTransfer.js'
import {counted} from '../../../text/text.js'

export default class ConfigRouteImport extends LocalCommand {
  static override summary = 'Override the routes that a file lists'
  static override description =
    `The file is JSON or YAML: operation ids with routes, each as config route set takes it, or an exported profile. All routes are
checked first, and one that is wrong imports none. Other routes of the profile stay as they are.`
  static override args = {file: requiredArg('FILE', 'JSON or YAML file; - is stdin')}
  static override examples = commandExamples({
    'The routes of a push service': 'roomctl config route import routes.yaml',
    'From a pipe': `echo 'push.iosKey: POST /v2/apps/{application_id}/apns-key' | roomctl config route import -`,
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(ConfigRouteImport, {editing: true})
    const view = await resultView(session, ['profile', 'routes'])
    const imported = await importProfileRoutes(session, args.file)
    const ids = imported.routes.map(({operation}) => operation)
    const sentence = `imported ${counted(ids.length, 'route')} into profile ${imported.profile}: ${ids.join(', ')}`
    await presentDone(session, view, imported, ids, sentence)
  }
}
