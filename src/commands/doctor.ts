import {RoomctlCommand} from '../cli/app/baseCommand.js'
import {applicationFlags, commandExamples, optionalArg, rowFlags} from '../cli/flags/flags.js'
import {commandContextOf} from '../cli/runtime/runtime.js'
import {diagnose, openForDoctor, presentDiagnosis} from '../features/doctor/diagnose.js'
import {diagnosisList} from '../view/system/doctor.js'

export default class Doctor extends RoomctlCommand {
  static override summary = 'Diagnose configuration and connectivity'
  static override rows = diagnosisList
  static override description =
    `Makes one real read of each service and shows what failed. Also checks the profile file, and lists what 0.3.0 left behind.
Sends only reads and never changes the profile. Each line is ok, hint (for programs an ok with a fix), warn or fail, with the
fix. Exits with 15 if a line is warn or fail. Each check takes at most 5 s, or --timeout.`
  static override args = {container: optionalArg('CONTAINER', 'container to check on the asset service')}
  static override flags = {...rowFlags, ...applicationFlags}
  static override examples = commandExamples({
    'All checks of the profile in use': 'roomctl doctor',
    'Problems only, for a script':
      'roomctl doctor -p sandbox -o json --query "[?state!=\'ok\'].{check: check, fix: fix}"',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Doctor)
    const {session, diagnoses: findings} = await openForDoctor(commandContextOf(this.config), flags)
    await presentDiagnosis(session, await diagnose(session, findings, args.container))
  }
}
