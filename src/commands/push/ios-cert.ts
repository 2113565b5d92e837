import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, optionalArg} from '../../cli/flags/flags.js'
import {idFlags, passwordFlags} from '../../features/push/credentialInput.js'
import {proveFlags, registeringFlags} from '../../features/push/flags.js'
import {registerFile} from '../../features/push/registerFile.js'

export default class PushIosCert extends RoomctlCommand {
  static override changes = true
  static override summary = 'Register an iOS certificate (.p12) for push'
  static override description =
    `Checks the file before anything is sent: password, certificate and key, bundle id and expiry. Certificates for passes or
websites, for a wildcard or with an Ed25519 key are refused. The password comes from stdin, a file, ROOMCTL_P12_PASSWORD or
a hidden prompt; the document puts it in the request URL, so it is never logged and never sent over plain http. An
application has one iOS credential: a certificate probably replaces a key or another certificate. Shows what it replaces and then
asks for the application id, which --confirm answers. With --prove it asks Apple about the certificate first, and registers
nothing unless it is accepted. Afterwards it reads the configuration back to verify it. Without FILE a terminal is asked for
everything, as by push ios-key.`
  static override args = {file: optionalArg('FILE', 'the .p12 file')}
  static override flags = {
    ...registeringFlags,
    'bundle-id': idFlags['bundle-id'],
    ...passwordFlags,
    ...proveFlags,
  }
  static override examples = commandExamples({
    'With its password from a file':
      'roomctl push ios-cert push.p12 --application-id app-2 --password-file password.txt',
    'Replace the registered credential, for a script':
      'roomctl push ios-cert push.p12 --application-id app-1 --password-stdin --confirm app-1 < password.txt',
    'See the request, and what it would replace, without sending it':
      'roomctl push ios-cert push.p12 --application-id app-1 --password-file password.txt --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PushIosCert)
    await registerFile((answers) => this.open({...flags, ...answers}), flags, 'certificate', args.file)
  }
}
