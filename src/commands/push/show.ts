import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {applicationFlags, cardFlags, commandExamples, switchFlag} from '../../cli/flags/flags.js'
import {requireApplicationId} from '../../cli/prompts/confirm.js'
import {showConfiguration} from '../../features/push/configuration.js'
import {configurationCard} from '../../view/push/configuration.js'

export default class PushShow extends RoomctlCommand {
  static override summary = 'Show the push credentials of an application'
  static override rows = configurationCard('')
  static override description =
    `Shows the iOS credential, which is a certificate or a key, and the Android package with its server key. The server key is
masked in every format unless --reveal is given. push audit exits 15 when a certificate is due; a key does not expire.`
  static override flags = {
    ...cardFlags,
    ...applicationFlags,
    reveal: switchFlag('show the server key unmasked'),
  }
  static override examples = commandExamples({
    'As a card': 'roomctl push show --application-id app-1',
    'What is registered for iOS, for a script':
      'roomctl push show --application-id app-1 -o json --query ios_apns_type',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(PushShow)
    const session = await this.open(flags)
    await showConfiguration(session, await requireApplicationId(session), flags.reveal)
  }
}
