import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, optionalArg, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {wrongUsage} from '../../failure.js'
import {proveFlags, registeringFlags} from '../../features/push/flags.js'
import {registerFile, registerKeyIds} from '../../features/push/registerFile.js'

export default class PushIosKey extends RoomctlCommand {
  static override changes = true
  static override summary = 'Register an iOS key file (.p8) for push'
  static override description =
    `Checks the file before anything is sent: an EC P-256 key in PKCS#8 that can sign, in valid PEM, and ids that are not
swapped. An application has one iOS credential: a key probably replaces a certificate or another key. Shows what it replaces and then
asks for the application id, which --confirm answers. With --prove it asks Apple about the key first, and registers nothing
unless it is accepted. Afterwards it reads the configuration back to verify it. Without FILE a terminal is asked for
application, file, ids, route and proof; nothing changes before the last question, and Esc cancels.`
  static override args = {file: optionalArg('FILE', 'the .p8 file')}
  static override flags = {
    ...registeringFlags,
    'bundle-id': valueFlag('ID', 'bundle id of the iOS application'),
    'team-id': valueFlag('ID', 'team id, ten characters'),
    'key-id': valueFlag('ID', 'key id (default: that of the file name AuthKey_<ID>.p8)'),
    'no-file': switchFlag('send only the ids; one variant of the document makes the file optional'),
    ...proveFlags,
  }
  static override examples = commandExamples({
    'Be asked for everything, on a terminal': 'roomctl push ios-key',
    'Register a key only if Apple accepts it':
      'roomctl push ios-key AuthKey_KEY1234567.p8 --application-id app-2 --bundle-id com.example.rooms --team-id TEAM123456 --prove',
    'A key whose id is in its name':
      'roomctl push ios-key AuthKey_KEY1234567.p8 --application-id app-2 --bundle-id com.example.rooms --team-id TEAM123456',
    'See the request, and what it would replace, without sending it':
      'roomctl push ios-key AuthKey_KEY1234567.p8 --application-id app-1 --bundle-id com.example.rooms --team-id TEAM123456 --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PushIosKey)
    if (!flags['no-file']) return registerFile((more) => this.open({...flags, ...more}), flags, 'key', args.file)
    const both = args.file === undefined ? (flags.prove ? '--prove' : undefined) : 'FILE'
    if (both !== undefined) throw wrongUsage(`${both} and --no-file cannot be given together`)
    await registerKeyIds(await this.open(flags), flags)
  }
}
