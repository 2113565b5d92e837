import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, yesFlag} from '../../cli/flags/flags.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {setSetting} from '../../features/config/settings.js'

export default class ConfigSet extends LocalCommand {
  static override summary = 'Change a setting of a profile'
  static override description =
    `The value is checked before it is stored. Tokens are not settings: config login stores them. A token is bound to the origin
it was stored for, and is not sent if the address changes to another origin. route.ID sets the method and path of an
operation of config route list: the path names its parameters in braces.`
  static override args = {
    key: requiredArg('KEY', 'a setting; config list shows them'),
    value: requiredArg('VALUE', 'its value'),
  }
  static override flags = yesFlag
  static override examples = commandExamples({
    'The address of the room service': 'roomctl config set room.url https://rooms.example.com/media',
    'The route of an operation': "roomctl config set route.push.show 'GET /v1/config'",
    'Wait longer for answers': 'roomctl config set timeout 2m',
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(ConfigSet, {editing: true})
    const view = await resultView(session, ['profile', 'key', 'value'])
    const {changed, verb} = await setSetting(session, args.key, args.value)
    await presentDone(session, view, changed, changed.key, `${verb} ${changed.key} in profile ${changed.profile}`)
  }
}
