import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, optionalArg} from '../../cli/flags/flags.js'
import {iosFlags, registerFile} from '../../features/push/registerFile.js'

export default class PushIos extends RoomctlCommand {
  static override changes = true
  static override aliases = ['push:ios-key', 'push:ios-cert']
  static override summary = 'Register an iOS key (.p8) or certificate (.p12) for push'
  static override description =
    `Recognises the file by its content and checks it before anything is sent: the form and ids of a key; the password, key,
bundle id and expiry of a certificate. An application has one iOS credential, which the new one probably replaces. roomctl
shows it and asks for the application id, which --confirm answers. With --prove it asks Apple first, and registers nothing
unless it is accepted. Afterwards it reads the configuration back to verify it. The password comes from stdin, a file,
ROOMCTL_P12_PASSWORD or a hidden prompt. The document puts it in the request URL, so it is never logged and never sent over
plain http. Without FILE, roomctl asks on a terminal for the application, file and ids, and whether to prove the key.
Nothing changes before the last question; Esc cancels.`
  static override args = {file: optionalArg('FILE', 'the .p8 or .p12 file')}
  static override flags = iosFlags
  static override examples = commandExamples({
    'Answer questions on a terminal': 'roomctl push ios',
    'Register a key only if Apple accepts it':
      'roomctl push ios AuthKey_KEY1234567.p8 --application-id app-2 --bundle-id com.example.rooms --team-id TEAM123456 --prove',
    'A certificate, with its password from a file':
      'roomctl push ios push.p12 --application-id app-2 --password-file password.txt',
    'See the request, and what it would replace, without sending it':
      'roomctl push ios AuthKey_KEY1234567.p8 --application-id app-1 --bundle-id com.example.rooms --team-id TEAM123456 --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(PushIos)
    await registerFile(session, flags, args.file)
  }
}
