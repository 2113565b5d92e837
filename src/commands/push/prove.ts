import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, rowFlags, serviceFlags, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {assertLocallyWritable} from '../../cli/session/readOnly.js'
import type {Session} from '../../cli/session/session.js'
import {presentLed} from '../../features/mutation/dryRun.js'
import {
  assertProvable,
  idFlags,
  idsOf,
  openCredentialFile,
  passwordFlags,
  withIds,
} from '../../features/push/credentialInput.js'
import {proofFlags, proofTargets} from '../../features/push/flags.js'
import {presentProof, previewProof, proveCredential, questionsOf} from '../../features/push/prove.js'
import {proofList} from '../../view/push/proof.js'

export default class PushProve extends LocalCommand {
  static override summary = 'Ask Apple whether it accepts a key or certificate'
  static override rows = proofList
  static override description =
    `Sends one push to a device that does not exist, signed with the key of a .p8 or over a connection with the certificate of a
.p12. Apple judges the credential first, so BadDeviceToken means that it accepted everything before the device. No device gets
anything, and the push service is not called.

Verdicts: accepted means that Apple accepts the key and ids, and does not refuse the topic. ids-or-key means a wrong id, or a
key that is revoked, new or of another team. The others are topic, clock (of this machine), expired and revoked
(certificates), wrong-environment, unreachable, and unknown (says nothing about the credential).

Exits with 0 if all is accepted, with 10 if nothing was reached, and with 15 otherwise. The file is checked first; one that
cannot work is not sent anywhere. By default the credential goes only to Apple. --server names another host; unless that is
this machine or a subdomain of push.apple.com, add --confirm HOST.`
  static override args = {file: requiredArg('FILE', 'the .p8 or .p12 file')}
  static override flags = {
    ...rowFlags,
    ...idFlags,
    ...passwordFlags,
    ...proofFlags,
    timeout: serviceFlags.timeout,
    'ca-file': serviceFlags['ca-file'],
    'dry-run': switchFlag('show the requests and their hosts; connect to nothing'),
    confirm: valueFlag('HOST', 'confirm a host of --server that is not Apple’s'),
  }
  static override examples = commandExamples({
    'Whether Apple accepts a key in production':
      'roomctl push prove AuthKey_KEY1234567.p8 --bundle-id com.example.rooms --team-id TEAM123456',
    'A certificate in both environments, for a script':
      'roomctl push prove push.p12 --password-file password.txt --environment both -o json',
  })

  /** It changes nothing, but sends a POST. */
  protected override assertAllowed(session: Session, flags: {readonly 'dry-run'?: unknown}): void {
    if (!flags['dry-run']) assertLocallyWritable(session)
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PushProve)
    const ids = idsOf(flags)
    const session = await this.open(flags)
    const doing = `prove ${args.file}`
    const opened = await openCredentialFile(session, args.file, ids, {doing, password: flags})
    assertProvable(opened, doing)
    const {credential} = await withIds(session, opened, ids, doing)
    const targets = await proofTargets(session, flags, flags)
    if (flags['dry-run']) {
      return presentLed(session, previewProof(credential, targets), questionsOf(credential, targets))
    }
    await presentProof(session, await proveCredential(session, credential, targets))
  }
}
