import * as Flags from '@oclif/core/flags'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {applicationFlags, commandExamples} from '../../cli/flags/flags.js'
import {parseDurationFlag} from '../../cli/flags/parseValues.js'
import {requireApplicationId} from '../../cli/prompts/confirm.js'
import {showConfiguration} from '../../features/push/configuration.js'
import {expiresWithinFlag} from '../../features/push/flags.js'

export default class PushShow extends RoomctlCommand {
  static override summary = 'Show the push credentials of an application'
  static override description =
    `Shows the iOS credential, which is a certificate or a key, and the Android package with its server key. The server key is
masked in every format unless --reveal is given. With --expires-within, exits with 15 if the iOS certificate expires within
that time or has expired; a key does not expire.`
  static override flags = {
    ...applicationFlags,
    reveal: Flags.boolean({summary: 'show the server key unmasked'}),
    'expires-within': expiresWithinFlag,
  }
  static override examples = commandExamples({
    'As a card': 'roomctl push show --application-id app-1',
    'Warn before a certificate expires, for cron':
      'roomctl push show --application-id app-1 --expires-within 30d -o json',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(PushShow)
    const {'expires-within': within, reveal} = flags
    const session = await this.open(flags)
    await showConfiguration(session, await requireApplicationId(session), {
      reveal,
      within: within === undefined ? undefined : parseDurationFlag('--expires-within', within),
    })
  }
}
