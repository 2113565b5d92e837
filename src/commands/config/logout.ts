import {services} from '../../api/contract/operation.js'
import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, optionalArg, yesFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {logout} from '../../features/config/login.js'

export default class ConfigLogout extends LocalCommand {
  static override summary = 'Remove the tokens of a profile'
  static override description =
    'Removes the token of one service, or of all three, from the profile and from the keyring.'
  static override args = {service: optionalArg('SERVICE', 'room, asset or push (default: all)')}
  static override flags = yesFlag
  static override examples = commandExamples({
    'Remove all tokens of the profile': 'roomctl config logout',
    'Remove one': 'roomctl config logout push',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigLogout)
    const chosen = args.service === undefined ? services : [parseChoice('SERVICE', args.service, services)]
    const session = await this.open(flags, {editing: true})
    const view = await resultView(session, ['profile', 'removed'])
    const {profile, removed} = await logout(session, chosen)
    const what = removed.length === 0 ? 'no token was stored' : `removed the ${removed.join(' and ')} token`
    await presentDone(session, view, {profile, removed}, profile, `${what} in profile ${profile}`)
  }
}
