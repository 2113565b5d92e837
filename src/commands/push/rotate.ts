import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requiredArg} from '../../cli/flags/flags.js'
import {idsOf} from '../../features/push/credentialInput.js'
import {rotateCredential, rotateFlags} from '../../features/push/rotate.js'

export default class PushRotate extends RoomctlCommand {
  static override changes = true
  static override summary = 'Replace an iOS credential and keep a way back'
  static override description =
    `Registers NEW, has Apple prove it, and registers OLD again if Apple does not accept it. The service never gives a key back, so
the file of the registered credential is needed before it is replaced. It is checked, compared with what is registered, and proven:
Apple must accept it (see push prove). Then NEW is registered, read back and proven. If that is not shown, the old credential is registered again, and the error says what is registered (exit 15, or 10
if nothing can be read). What somebody else registers meanwhile is left alone, and of two rotations of one application at a
time the second changes nothing (exit 7).

The ids default to the registered ones; the key id of a .p8 to that of its file name. A file that does not fit what is
registered, or that cannot work, ends with 14 before anything is sent. If NEW is registered already, it exits with 0. A killed
rotation is shown by push audit, and the same command finishes it.`
  static override args = {file: requiredArg('NEW', 'the .p8 or .p12 file of the new credential')}
  static override flags = rotateFlags
  static override examples = commandExamples({
    'Replace a key':
      'roomctl push rotate AuthKey_KEY7654321.p8 --rollback-file AuthKey_KEY1234567.p8 --application-id app-1 --confirm app-1',
    'See each request of it':
      'roomctl push rotate AuthKey_KEY7654321.p8 --rollback-file AuthKey_KEY1234567.p8 --application-id app-1 --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PushRotate)
    const ids = idsOf(flags)
    await rotateCredential(await this.open(flags), flags, args.file, ids)
  }
}
