import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, rowFlags} from '../../cli/flags/flags.js'
import {presentList} from '../../cli/output/present.js'
import {confirmChange} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {readUploadIds, uploadIdsArg} from '../../features/asset/ledgerEntries.js'
import {assetBase} from '../../features/asset/paths.js'
import {previewResumed, resumeUploads} from '../../features/asset/runUploads.js'
import {readSendFlags, type SendOptions, sendFlags, withLedger} from '../../features/asset/uploadFlags.js'
import {presentAlike} from '../../features/mutation/dryRun.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import {assertUnfinished, isOfService, requireResumable, resumeCandidates} from '../../upload/run/resume.js'
import {resumedUploads, uploadRows} from '../../view/asset/transfers.js'

const {fresh: _, ...resumeFlags} = sendFlags

export default class AssetResume extends RoomctlCommand {
  static override changes = true
  static override summary = 'Resume interrupted uploads'
  static override rows = uploadRows
  static override description =
    `Resumes all unfinished uploads to this service in the ledger, or only the ones given. The offset comes from the service
(HEAD), or from the ledger if the service does not answer. A file that has changed since is refused, with the command to
upload it.`
  static override args = {id: uploadIdsArg}
  static override flags = {...rowFlags, ...resumeFlags, ...changeFlags}
  static override examples = commandExamples({
    'Resume every interrupted upload': 'roomctl asset resume',
    'In a CI job, with the ledger of the previous job':
      'roomctl asset resume --state-dir .roomctl-uploads --progress line',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AssetResume)
    const options = readSendFlags(session, {...flags, fresh: false, stamp: false})
    // Open from the choice on: what another process finishes after that is not sent again.
    const resumed = withLedger(session, options.stateDir, (ledger) =>
      resume(session, ledger, {options, ids: args.id ?? [], isPreview: flags['dry-run']}),
    )
    return options.report.whole(resumed)
  }
}

interface Resuming {
  readonly options: SendOptions
  readonly ids: readonly string[]
  readonly isPreview: boolean
}

async function resume(session: Session, ledger: Ledger, {options, ids, isPreview}: Resuming): Promise<void> {
  const {report} = options
  const entries = await selectEntries(session, ledger, ids)
  if (entries.length === 0) {
    report.finish([])
    return presentList(session, [], {...uploadRows, empty: 'no unfinished uploads to resume'})
  }
  const candidates = resumeCandidates(entries, await assetBase(session))
  if (isPreview) {
    const plans = await previewResumed(session, options, ledger, candidates.map(requireResumable))
    return presentAlike(session, plans, {service: 'asset', noun: 'upload'})
  }
  const jobs = candidates.map(({job}) => job)
  report.expect(jobs)
  const count = candidates.length === 1 ? `upload ${candidates[0]?.id}` : `${candidates.length} uploads`
  await confirmChange(session, options.answers, 'asset', `resume ${count}`)
  const outcomes = await resumeUploads(session, options, ledger, candidates)
  const idOf = new Map(candidates.map(({id, job}) => [job.key, id]))
  await report.present(outcomes, resumedUploads(idOf))
}

/** The unfinished uploads to resume; without a name those to this service, and the others are counted. */
async function selectEntries(session: Session, ledger: Ledger, ids: readonly string[]) {
  if (ids.length > 0) return assertUnfinished(await readUploadIds(session, ids, ledger))
  const all = ledger.unfinished()
  if (all.length === 0) return []
  const base = await assetBase(session)
  const own = all.filter((entry) => isOfService(entry, base))
  if (own.length < all.length) {
    const count = all.length - own.length
    session.warn(
      `${count} unfinished ${count === 1 ? 'upload goes' : 'uploads go'} to another service: name it with -p`,
    )
  }
  return own
}
