import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {list} from '../../api/contract/asset.js'
import {platforms} from '../../api/contract/assetShapes.js'
import {Failure} from '../../api/contract/failure.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {confirmChange} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {containerArg, readContainerArg} from '../../features/asset/paths.js'
import {presentUploads, retryCommand} from '../../features/asset/presentUploads.js'
import {journalUpload, runUploads} from '../../features/asset/runUploads.js'
import {readSendFlags, sendFlags} from '../../features/asset/uploadFlags.js'
import {presentPreviews} from '../../features/mutation/dryRun.js'
import {safeText} from '../../text/text.js'
import {verifyUpload} from '../../upload/bytes/verify.js'
import type {Ledger} from '../../upload/ledger/entry.js'
import {openLedger} from '../../upload/ledger/ledger.js'
import type {UploadJob, UploadSettings} from '../../upload/model/job.js'
import {createPlan} from '../../upload/run/createPlan.js'
import {UploadProgress} from '../../upload/run/progress.js'
import {withUploads} from '../../upload/run/withUploads.js'
import {checkFiles, type LocalFile} from '../../upload/source/files.js'
import {jobOf, sameNames} from '../../upload/source/jobs.js'
import {type Already, alreadyThere, uploadRest} from '../../upload/sync/already.js'
import {uploadRows} from '../../view/asset/uploadResults.js'
import {checkOutput} from '../../view/format/output.js'

export default class AssetUpload extends RoomctlCommand {
  static override summary = 'Upload files to a container'
  static override description =
    `Sends each file in chunks by the resumable upload protocol, with its name, platform and description, which the
document requires (asset, Create upload headers). A run that was cut off is gone on with by the same command: the ledger
knows how far each file came, a file that has changed since begins anew, and one that ledger and listing together prove to
be in the container is skipped; --fresh uploads it again. Results tell file, uuid, bytes and sha256.`
  static override args = {
    container: containerArg,
    file: Args.string({
      name: 'FILE',
      description: 'files to upload',
      multiple: true,
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    platform: Flags.string({required: true, helpValue: platforms.join('|'), summary: 'platform of the files'}),
    description: Flags.string({required: true, helpValue: 'TEXT', summary: 'description of the files'}),
    name: Flags.string({helpValue: 'NAME', summary: 'send a single file under another name, with its extension'}),
    link: Flags.string({helpValue: 'UUID', summary: 'the asset file that a bundle belongs to: its uuid, or its uri'}),
    ...sendFlags,
    ...changeFlags,
  }
  static override examples = [
    {
      description: 'A bundle for iOS',
      command: "<%= config.bin %> asset upload games/puzzle level2.bundle --platform ios --description 'Level 2'",
    },
    {
      description: 'Two bundles of a catalog',
      command:
        '<%= config.bin %> asset upload games/puzzle level2.bundle level3.bundle --platform ios --description new --link a-catalog',
    },
    {
      description: 'See the request, and whether an upload would be gone on with',
      command: '<%= config.bin %> asset upload games/puzzle level2.bundle --platform ios --description new --dry-run',
    },
  ]

  async run(): Promise<void> {
    const {args, flags, raw} = await this.parse(AssetUpload)
    const session = await this.open(flags)
    const platform = parseChoice('--platform', flags.platform, platforms)
    const sending = readSendFlags(session, flags)
    const {settings, verify: level, progress} = sending
    const container = await readContainerArg(session, args.container)
    const files = checkFiles(args.file, container)
    if (flags.name !== undefined && files.length > 1) throw nameForSeveral()
    const {name, link, description} = flags
    const encoding = settings.headerEncoding
    const jobs = files.map((file) => jobOf(file, {container, platform, description, name, link, encoding}))
    if (flags['dry-run']) return presentPreviews(session, await plans(session, sending, files, jobs))
    await checkOutput(uploadRows.columns, session.output)
    for (const twice of sameNames(jobs)) {
      session.warn(`warning: several files are sent as ${safeText(twice)}, and nothing but their uuid tells them apart`)
    }
    const count = files.length === 1 ? safeText(files[0]?.key) : `${files.length} files`
    await confirmChange(session, flags, `upload ${count} to ${safeText(container)}`)
    const {runtime, api} = session
    const startedAt = runtime.now()
    const watch = new UploadProgress(runtime.now, {files: 0, bytes: 0, named: files.length})
    const sizes = new Map(files.map(({key, size}) => [key, size]))
    const uploaded = await runUploads(session, sending, watch, (world) =>
      withUploads(world, async ({ledger, uploader}) =>
        uploadRest(uploader, jobs, {
          ...world,
          already: await inContainer(session, jobs, container, {ledger, settings}),
          begins: (rest) =>
            watch.add(
              rest.length,
              rest.reduce((sum, {key}) => sum + (sizes.get(key) ?? 0), 0),
            ),
          verify: (job, result) => verifyUpload({...world, api}, job, result, {level}),
          settled: (one) => journalUpload(session, one),
        }),
      ),
    )
    const again = (left: readonly string[]) => retryCommand('asset upload', raw, left)
    await presentUploads(session, uploaded, {startedAt, progress, again})
  }
}

/** Those of the files that need no upload; none where all are to be uploaded anew. */
async function inContainer(
  {api, runtime}: Session,
  jobs: readonly UploadJob[],
  container: string,
  {ledger, settings}: {readonly ledger: Ledger; readonly settings: UploadSettings},
) {
  if (settings.fresh) return new Map<string, Already>()
  const {base} = await api.access('asset')
  const listing = () => api.call(list, {path: {container}, query: {}})
  return alreadyThere(jobs, {base, container, ledger, list: listing, signal: runtime.signal})
}

async function plans(
  {api, runtime, warn}: Session,
  {settings, stateDir}: {readonly settings: UploadSettings; readonly stateDir: string},
  files: readonly LocalFile[],
  jobs: readonly UploadJob[],
) {
  const access = await api.access('asset')
  const ledger = await openLedger(stateDir, {now: runtime.now, warn: warn})
  try {
    const all = []
    for (const [at, job] of jobs.entries()) {
      all.push(await createPlan(job, files[at]?.size ?? 0, {access, ledger, settings}))
    }
    return all
  } finally {
    await ledger.close()
  }
}

function nameForSeveral(): Failure {
  return new Failure({exit: 'usage', message: '--name is for one file, and several are given', try: 'upload it alone'})
}
