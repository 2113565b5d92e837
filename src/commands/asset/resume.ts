import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags} from '../../cli/flags/flags.js'
import {presentList} from '../../cli/output/present.js'
import {confirmChange} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {readUploadIds, uploadIdsArg} from '../../features/asset/ledgerEntries.js'
import {presentUploads} from '../../features/asset/presentUploads.js'
import {journalUpload, runUploads} from '../../features/asset/runUploads.js'
import {readSendFlags, sendFlags} from '../../features/asset/uploadFlags.js'
import {presentPreviews} from '../../features/mutation/dryRun.js'
import {verifyUpload} from '../../upload/bytes/verify.js'
import {uploadAll} from '../../upload/engine/pool.js'
import type {LedgerEntry} from '../../upload/ledger/entry.js'
import {openLedger} from '../../upload/ledger/ledger.js'
import {UploadProgress} from '../../upload/run/progress.js'
import {isOfService, outcomesOf, resumables, resumePlans, unfinishedOnes} from '../../upload/run/resumable.js'
import {withUploads} from '../../upload/run/withUploads.js'
import {uploadRows} from '../../view/asset/uploadResults.js'
import {checkOutput} from '../../view/format/output.js'

const {fresh: _, ...resumeFlags} = sendFlags

export default class AssetResume extends RoomctlCommand {
  static override summary = 'Go on with uploads that were cut off'
  static override description =
    `All unfinished uploads of the ledger to this service, or those that are named. The service is asked how far each came
(tus, HEAD); where it does not answer that, the ledger tells. What was sent is proven to be what the file holds now: a file
that has changed since begins anew, and that is said.`
  static override args = {id: uploadIdsArg}
  static override flags = {...resumeFlags, ...changeFlags}
  static override examples = [
    {description: 'Go on with everything that was cut off', command: '<%= config.bin %> asset resume'},
    {
      description: 'In a CI job, with the ledger of the job before',
      command: '<%= config.bin %> asset resume --state-dir .roomctl-uploads --progress line',
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AssetResume)
    const session = await this.open(flags)
    const sending = readSendFlags(session, {...flags, fresh: false})
    await checkOutput(uploadRows.columns, session.output)
    const entries = await chosen(session, sending.stateDir, args.id ?? [])
    if (entries.length === 0) {
      return presentList(session, [], {...uploadRows, empty: 'there is no unfinished upload to go on with'})
    }
    const {runtime, api} = session
    const access = await api.access('asset')
    const found = resumables(entries, access.base)
    if (flags['dry-run']) return presentPreviews(session, await resumePlans(found, access, sending, runtime.now))
    const ready = found.flatMap((one) => ('size' in one ? one : []))
    const count = found.length === 1 ? `upload ${found[0]?.id}` : `${found.length} uploads`
    await confirmChange(session, flags, `resume ${count}`)
    const startedAt = runtime.now()
    const total = {files: ready.length, bytes: ready.reduce((sum, {size}) => sum + size, 0)}
    const uploaded = await runUploads(session, sending, new UploadProgress(runtime.now, total), (world) =>
      withUploads(world, ({uploader}) =>
        uploadAll(
          uploader,
          ready.map(({job}) => job),
          {
            ...world,
            verify: (job, result) => verifyUpload({...world, api}, job, result, {level: sending.verify}),
            settled: (one) => journalUpload(session, one),
          },
        ),
      ),
    )
    const idOf = new Map(found.map(({id, job}) => [job.key, id]))
    const again = (left: readonly string[]) => ['roomctl asset resume', ...left.map((key) => idOf.get(key))].join(' ')
    await presentUploads(session, outcomesOf(found, uploaded), {startedAt, progress: sending.progress, again})
  }
}

/** The unfinished uploads that are meant; without a name those to this service, and the others are counted. */
async function chosen(session: Session, stateDir: string, given: readonly string[]): Promise<readonly LedgerEntry[]> {
  const {now} = session.runtime
  const ledger = await openLedger(stateDir, {now, warn: (text) => session.warn(`warning: ${text}`)})
  const known = ledger.list()
  await ledger.close()
  if (given.length > 0) return unfinishedOnes(await readUploadIds(session, given, known))
  const all = known.filter(({done}) => done === undefined)
  if (all.length === 0) return []
  const {base} = await session.api.access('asset')
  const own = all.filter((entry) => isOfService(entry, base))
  if (own.length < all.length) {
    const count = all.length - own.length
    session.warn(
      `${count} unfinished ${count === 1 ? 'upload goes' : 'uploads go'} to another service: name it with -p`,
    )
  }
  return own
}
