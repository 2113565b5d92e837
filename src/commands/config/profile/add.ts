import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, switchFlag, valueFlag, yesFlag} from '../../../cli/flags/flags.js'
import {presentDone, resultView} from '../../../cli/output/present.js'
import {createProfile} from '../../../features/config/profiles.js'

export default class ConfigProfileAdd extends LocalCommand {
  static override summary = 'Add a profile'
  static override description =
    `The first profile becomes the one in use. A read-only profile sends no changes. Other settings follow with config set: with
the setting protected, every change asks for the name of the profile.`
  static override args = {name: requiredArg('NAME', 'name of the profile')}
  static override flags = {
    'room-url': valueFlag('URL', 'address of the room service'),
    'push-url': valueFlag('URL', 'address of the push service'),
    'application-id': valueFlag('ID', 'default application id'),
    ...yesFlag,
    'read-only': switchFlag('refuse to send changes'),
  }
  static override examples = commandExamples({
    'A profile for the live service': 'roomctl config profile add live --room-url https://rooms.example.com/media',
    'A read-only profile': 'roomctl config profile add support --room-url https://rooms.example.com/media --read-only',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(ConfigProfileAdd, {editing: true})
    const view = await resultView(session, ['profile'])
    await createProfile(session, args.name, {
      'room.url': flags['room-url'],
      'push.url': flags['push-url'],
      applicationId: flags['application-id'],
      readOnly: flags['read-only'] ? 'true' : undefined,
    })
    await presentDone(session, view, {profile: args.name}, args.name, `added profile ${args.name}`)
  }
}
