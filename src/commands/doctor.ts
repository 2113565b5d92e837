import {RoomctlCommand} from '../cli/app/baseCommand.js'
import {applicationFlags, commandExamples, overwriteFlag, rowFlags, valueFlag} from '../cli/flags/flags.js'
import {outputFile} from '../cli/output/outputFile.js'
import {commandContextOf} from '../cli/runtime/runtime.js'
import {diagnose, openForDoctor, presentDiagnosis, reportKind, writeReport} from '../features/doctor/diagnose.js'
import {diagnosisList} from '../view/system/doctor.js'

export default class Doctor extends RoomctlCommand {
  static override summary = 'Diagnose configuration and connectivity'
  static override rows = diagnosisList
  static override description =
    `Makes the real read of each service and shows the error that a command would end with, the certificate and the clock of the service;
beside it the profile and the modes of local files. Sends only reads and never changes the profile. Each line is ok, hint (for programs
an ok with a fix), warn or fail, with the fix. Exits with 15 if a line is warn or fail. Each check takes at most 5 s, or --timeout.
--report writes the findings with versions and settings for a ticket, without tokens and with ~ for the home folder; host and profile
names are kept.`
  static override flags = {
    ...rowFlags,
    ...applicationFlags,
    container: valueFlag('CONTAINER', 'container to check on the asset service'),
    report: valueFlag('FILE', 'write a report for a ticket; JSON if it ends in .json'),
    overwrite: overwriteFlag('report'),
  }
  static override examples = commandExamples({
    'All checks of the profile in use': 'roomctl doctor',
    'Problems only, for a script':
      'roomctl doctor -p sandbox -o json --query "[?state!=\'ok\'].{check: check, fix: fix}"',
    'A report for a ticket': 'roomctl doctor --report roomctl-report.txt',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(Doctor)
    const {session, found} = await openForDoctor(commandContextOf(this.config), flags)
    const {report, overwrite} = flags
    const file =
      report === undefined ? undefined : outputFile(session, report, {flag: '--report', kind: reportKind, overwrite})
    const all = await diagnose(session, found, flags.container)
    if (file) await writeReport(file, session, this.config.version, all)
    await presentDiagnosis(session, all)
  }
}
