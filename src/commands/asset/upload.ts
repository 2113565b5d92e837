import * as Args from '@oclif/core/args'
import {platforms} from '../../api/contract/assetShapes.js'
import {commandExamples, confirmableFlags, requiredFlag, rowFlags, valueFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {confirmChange} from '../../cli/prompts/confirm.js'
import {wrongUsage} from '../../failure.js'
import {containerArg, readContainerArg, readLinkFlag} from '../../features/asset/paths.js'
import {presentUploads, retryCommand} from '../../features/asset/presentUploads.js'
import {previewUploads, uploadFiles} from '../../features/asset/runUploads.js'
import {readSendFlags, sendFlags, stampFlag} from '../../features/asset/uploadFlags.js'
import {UploadCommand} from '../../features/asset/uploadReport.js'
import {presentAlike} from '../../features/mutation/dryRun.js'
import {safeText} from '../../text/text.js'
import {findLocalFiles} from '../../upload/source/files.js'
import {sameNames, uploadJob} from '../../upload/source/headers.js'
import {plannable} from '../../upload/sync/plan.js'
import {uploadRows} from '../../view/asset/transfers.js'

export default class AssetUpload extends UploadCommand {
  static override changes = true
  static override summary = 'Upload files to a container'
  static override rows = uploadRows
  static override description =
    `Sends each file in chunks (tus), with its name, platform and description. Run the same command again to resume: finished
chunks are not sent again, a file that has changed starts over, and a file proven to be in the container (see asset sync) is
skipped. Descriptions are stamped only if asset.stamp is true or --stamp is given.`
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
    ...rowFlags,
    platform: requiredFlag(platforms.join('|'), 'platform of the files'),
    description: valueFlag('TEXT', 'description of the files (default: the name of each)'),
    name: valueFlag('NAME', 'upload a single file under another name, with extension'),
    link: valueFlag('UUID', 'the asset file that a bundle belongs to: its uuid, or its uri'),
    stamp: stampFlag,
    ...sendFlags,
    ...confirmableFlags,
  }
  static override examples = commandExamples({
    'A bundle for iOS': "roomctl asset upload games/puzzle level2.bundle --platform ios --description 'Level 2'",
    'Two bundles of a catalog':
      'roomctl asset upload games/puzzle level2.bundle level3.bundle --platform ios --description new --link a-catalog',
    'See the request, and whether an upload would be resumed':
      'roomctl asset upload games/puzzle level2.bundle --platform ios --description new --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, raw, session} = await this.start(AssetUpload)
    const platform = parseChoice('--platform', flags.platform, platforms)
    const options = readSendFlags(session, flags)
    const report = this.report(session, options)
    const container = await readContainerArg(session, args.container)
    const found = findLocalFiles(args.file, container)
    if (flags.name !== undefined && found.length > 1) {
      const message = '--name takes one file, but several are given'
      throw wrongUsage(message, {try: 'upload it alone'})
    }
    const {name, description} = flags
    const link = await readLinkFlag(session, flags.link)
    const {headerEncoding: encoding} = options.settings
    const common = {container, platform, description, name, link, encoding}
    const files = found.map((file) => ({job: uploadJob(file, common), size: file.size}))
    if (flags['dry-run'])
      return presentAlike(session, await previewUploads(session, options, files), {service: 'asset', noun: 'file'})
    const jobs = files.map(({job}) => job)
    for (const twice of sameNames(jobs)) {
      session.warn(`warning: several files are uploaded as ${safeText(twice)}; only their uuid distinguishes them`)
    }
    report.expect(`asset upload to ${container}`, jobs, container)
    const count = files.length === 1 ? safeText(found[0]?.key) : `${files.length} files`
    await confirmChange(session, flags, 'asset', `upload ${count} to ${safeText(container)}`)
    const startedAt = session.runtime.now()
    const {base} = await session.api.access('asset')
    const run = {files: jobs.map(plannable), base, container, keepsOrder: true}
    const outcomes = await uploadFiles(session, {...options, answers: flags, report}, run)
    const again = (left: readonly string[]) => retryCommand('asset upload', raw, left)
    const facts = {startedAt, progress: options.progress, report, again, view: uploadRows}
    await presentUploads(session, outcomes, {...facts, rowOf: (row) => row})
  }
}
