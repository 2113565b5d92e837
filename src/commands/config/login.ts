import {services} from '../../api/contract/operation.js'
import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, optionalArg, yesFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {login, loginFlags} from '../../features/config/login.js'

export default class ConfigLogin extends LocalCommand {
  static override summary = 'Store the token of a service in a profile'
  static override description =
    `Reads the token from stdin, a file, or a hidden question on a terminal, never from an argument. It can also come from a
command, which is run without a shell each time. It is kept in the profile file (0600), or in the system's keyring when the
setting tokenStore says keyring, and is bound to the origin of the service's address. The token is tried first by a read, as
in doctor: a refused one is not stored (exit 4), and a service that cannot be reached is a warning. A push token is tried
only if an application id is set.`
  static override args = {service: optionalArg('SERVICE', 'room, asset or push (default: room)')}
  static override flags = {...loginFlags, ...yesFlag}
  static override examples = commandExamples({
    'From stdin, in a script': 'printf %s "$TOKEN" | roomctl config login room',
    'From a password manager, read each time':
      "roomctl config login push --token-command 'op read op://ops/roomctl/token'",
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigLogin)
    const service = parseChoice('SERVICE', args.service ?? 'room', services)
    const session = await this.open(flags)
    const view = await resultView(session, ['profile', 'service', 'origin', 'store', 'checked'])
    const kept = await login(session, service, flags)
    const unchecked = kept.checked ? '' : ', not checked'
    const sentence = `stored the ${service} token of profile ${kept.profile} for ${kept.origin} (${kept.store}${unchecked})`
    await presentDone(session, view, {...kept}, service, sentence)
  }
}
