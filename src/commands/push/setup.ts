import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples} from '../../cli/flags/flags.js'
import {proofFlags, registeringFlags} from '../../features/push/flags.js'
import {setUpCredential} from '../../features/push/setup.js'

export default class PushSetup extends RoomctlCommand {
  static override summary = 'Register an iOS credential interactively'
  static override description =
    `Asks for the route if nobody has set it, the application, the file and what its name and content do not tell, and whether
Apple should be asked first (see push prove). Shows what it replaces, asks, registers and reads it back. Nothing is sent before the
last answer; Esc leaves. A route that was typed is stored in the profile once the service took the credential there. In a script
use push ios-key and push ios-cert.`
  static override flags = {...registeringFlags, server: proofFlags.server}
  static override examples = commandExamples({
    'Register a key or a certificate': 'roomctl push setup',
    'For one application of another profile': 'roomctl push setup -p live --application-id shop',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(PushSetup)
    await setUpCredential(await this.open(flags), flags, (answers) => this.open({...flags, ...answers}))
  }
}
