import {createConfiguration} from '../../../api/contract/appConfig.js'
import {RoomctlCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples} from '../../../cli/flags/flags.js'
import {changeConfiguration, configurationFlags} from '../../../features/config/appConfig.js'

export default class ConfigAppCreate extends RoomctlCommand {
  static override changes = true
  static override summary = 'Create the service configuration of an application'
  static override description =
    `The service keeps a configuration for each application, which probably overrides values of new rooms. All fields are optional.
The method and path are undocumented and assumed; change them with config set route.appConfig.create.`
  static override flags = configurationFlags
  static override examples = commandExamples({
    'At most 50 attendees, hosts elected': 'roomctl config app create --application-id app-1 --max 50 --elect-host',
    'See the request without sending it': 'roomctl config app create --application-id app-1 --host first --dry-run',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(ConfigAppCreate)
    await changeConfiguration(await this.open(flags), flags, createConfiguration, 'created')
  }
}
