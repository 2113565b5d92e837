import type {Advice} from '../../advice.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples} from '../../cli/flags/flags.js'
import {parseDurationFlag} from '../../cli/flags/parseValues.js'
import type {CommonFlags, Session} from '../../cli/session/session.js'
import {legacyFcm} from '../../credential/serverKey.js'
import {failureWith, wrongUsage} from '../../failure.js'
import {auditCredentials, auditFlags} from '../../features/push/audit.js'
import {auditList} from '../../view/push/audit.js'

export default class PushAudit extends RoomctlCommand {
  static override summary = 'List push credentials that need attention'
  static override readsMany = true
  static override rows = ({profiles}: {readonly profiles?: string}) => auditList(profiles !== undefined)
  static override description =
    `Reads the push configuration of each application and shows one row per platform: ok, due, expired, shut down, unreadable or
none. Google shut the interface for server keys down from ${legacyFcm.shutdown} on. JSON has dead interface for shut down, and
missing for none. Exits with 15 if any
is due, expired, shut down or unreadable, or if an application has no credential at all. Without --applications-from, audits the application of each profile.
push inspect checks the files of credentials.`
  static override flags = auditFlags
  static override examples = commandExamples({
    'One application': 'roomctl push audit --application-id shop',
    'All applications of a list, for cron': 'roomctl push audit --applications-from applications.txt -o json',
    'Only what needs attention': `roomctl push audit --application-id app-1 --query "[?state!='ok']"`,
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(PushAudit)
    const withinMs = parseDurationFlag('--expires-within', flags['expires-within'])
    const profiles = await this.openProfiles(flags, flags.profiles)
    const session = await this.open(flags)
    await auditCredentials(session, profiles, flags, withinMs)
  }

  private async openProfiles(flags: CommonFlags, names: string | undefined): Promise<Session[]> {
    const wanted = [...new Set(names?.split(',').map((name) => name.trim()))]
    if (wanted.includes('')) throw wrongUsage('--profiles has an empty name')
    const sessions: Session[] = []
    for (const profile of wanted) {
      const session = await this.open({...flags, profile})
      if (!session.resolved.exists) {
        const advice: Advice = {command: ['config profile list']}
        throw failureWith('configuration', `unknown profile ${profile}`, {try: advice})
      }
      sessions.push(session)
    }
    return sessions
  }
}
