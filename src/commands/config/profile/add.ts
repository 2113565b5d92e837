import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, switchFlag, valueFlag, yesFlag} from '../../../cli/flags/flags.js'
import {presentDone, resultView} from '../../../cli/output/present.js'
import {createProfile} from '../../../features/config/profiles.js'

export default class ConfigProfileAdd extends LocalCommand {
  static override summary = 'Add a profile'
  static override description =
    `The first profile becomes the one in use. Every change on a protected profile asks for its name; a read-only profile sends no
changes.`
  static override args = {name: requiredArg('NAME', 'name of the profile')}
  static override flags = {
    'room-url': valueFlag('URL', 'address of the room service'),
    'asset-url': valueFlag('URL', 'address of the asset service'),
    'push-url': valueFlag('URL', 'address of the push service'),
    'application-id': valueFlag('ID', 'default application id'),
    requester: valueFlag('USER|host|creator', 'the requester of room operations'),
    ...yesFlag,
    'allow-http': switchFlag('allow plain http to other machines'),
    protected: switchFlag('confirm every change with the profile name'),
    'read-only': switchFlag('refuse to send changes'),
  }
  static override examples = commandExamples({
    'A profile for the live service':
      'roomctl config profile add live --room-url https://rooms.example.com/media --protected',
    'A read-only profile': 'roomctl config profile add support --room-url https://rooms.example.com/media --read-only',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(ConfigProfileAdd, {editing: true})
    const view = await resultView(session, ['profile'])
    await createProfile(session, args.name, {
      'room.url': flags['room-url'],
      'asset.url': flags['asset-url'],
      'push.url': flags['push-url'],
      applicationId: flags['application-id'],
      requester: flags.requester,
      allowHttp: flags['allow-http'] ? 'true' : undefined,
      protected: flags.protected ? 'true' : undefined,
      readOnly: flags['read-only'] ? 'true' : undefined,
    })
    await presentDone(session, view, {profile: args.name}, args.name, `added profile ${args.name}`)
  }
}
