import {LocalCommand} from '../../cli/app/baseCommand.js'
import {cardFlags, commandExamples, requiredArg, timeFlags, valueFlag} from '../../cli/flags/flags.js'
import {presentOne} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {type CredentialReport, reportOf} from '../../credential/inspect.js'
import {idsOf, inspectFile, passwordFlags} from '../../features/push/credentialInput.js'
import {safeText} from '../../text/text.js'
import {credentialCard} from '../../view/push/credential.js'

export default class PushInspect extends LocalCommand {
  static override summary = 'Check a .p8 key or a .p12 certificate locally'
  static override rows = credentialCard({kind: 'unknown'})
  static override description =
    `Shows the type of the file, its bundle id, team and validity, and any problems. Exits with 14 if the file cannot work. A
.p12 is tried without a password first, then the password is asked for. A .p8 does not contain its team or environment.
Nothing is sent.`
  static override args = {file: requiredArg('FILE', 'the .p8 or .p12 file')}
  static override flags = {
    ...cardFlags,
    ...timeFlags,
    'bundle-id': valueFlag('ID', 'bundle id to check the file against'),
    'team-id': valueFlag('ID', 'team id to check the file against'),
    'key-id': valueFlag('ID', 'key id to check the file against'),
    ...passwordFlags,
  }
  static override examples = commandExamples({
    'Details of a key': 'roomctl push inspect AuthKey_KEY1234567.p8',
    'Whether a certificate fits an application, for a script':
      'roomctl push inspect push.p12 --password-file password.txt --bundle-id com.example.rooms -o json',
    'When a certificate expires, with the password from stdin':
      'roomctl push inspect push.p12 --password-stdin -o json --query not_after < password.txt',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PushInspect)
    const ids = idsOf(flags)
    const session = await this.open(flags)
    const {inspected} = await inspectFile(session, args.file, ids, flags)
    const report = reportOf(args.file, inspected)
    await presentOne(session, report, credentialCard(report))
    if (!report.usable) refuse(session, report)
  }
}

/** The result is out and says everything; who sees only stderr also sees there why the command fails. */
function refuse(session: Session, {file, findings}: CredentialReport): void {
  session.endWith('file')
  if (session.output.format !== 'table' || session.runtime.stdout.isTerminal) return
  for (const {level, message} of findings) {
    if (level === 'error') session.warn(`${session.style.red('error:')} ${safeText(`${file}: ${message}`)}`)
  }
}
