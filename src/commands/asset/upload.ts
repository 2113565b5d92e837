import * as Args from '@oclif/core/args'
import type {InferredFlags} from '@oclif/core/interfaces'
import {type Platform, platforms} from '../../api/contract/assetShapes.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, requiredFlag, rowFlags, valueFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {confirmChange} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {containerArg, readContainerArg, readLinkFlag} from '../../features/asset/paths.js'
import {listToCompare, previewUploads, sendFiles} from '../../features/asset/runUploads.js'
import {readSendFlags, type SendOptions, sendFlags, stampFlag} from '../../features/asset/uploadFlags.js'
import {presentAlike} from '../../features/mutation/dryRun.js'
import {safeText} from '../../text/text.js'
import {findLocalFiles} from '../../upload/files/findFiles.js'
import {sameNames, uploadJob} from '../../upload/files/headers.js'
import {plannable} from '../../upload/sync/plan.js'
import {uploadRows} from '../../view/asset/transfers.js'

export default class AssetUpload extends RoomctlCommand {
  static override changes = true
  static override summary = 'Upload files to a container'
  static override rows = uploadRows
  static override description =
    `Sends each file in chunks (tus), with its name, platform and description. Run the same command again to resume.
Finished chunks are not sent again, and a file that has changed starts over. A file proven to be in the container is skipped
(see asset sync). Descriptions are stamped only if asset.stamp is true or --stamp is given.`
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
    link: valueFlag('UUID', 'uuid or uri of the asset file that a bundle belongs to'),
    stamp: stampFlag,
    ...sendFlags,
    ...changeFlags,
  }
  static override examples = commandExamples({
    'A bundle for iOS': "roomctl asset upload games/puzzle level2.bundle --platform ios --description 'Level 2'",
    'Two bundles of a catalog':
      'roomctl asset upload games/puzzle level2.bundle level3.bundle --platform ios --description new --link a-catalog',
    'See the request, and whether an upload would be resumed':
      'roomctl asset upload games/puzzle level2.bundle --platform ios --description new --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AssetUpload)
    const platform = parseChoice('--platform', flags.platform, platforms)
    const options = readSendFlags(session, flags)
    return options.report.whole(uploadFiles(session, options, {...flags, ...args, platform}))
  }

  protected override async checkGiven(_session: Session, {args}: {readonly args: UploadArgs}): Promise<void> {
    const {file, container} = args
    if (file && container !== undefined) findLocalFiles(file, {container, platform: undefined})
  }
}

type UploadArgs = Readonly<Partial<Pick<UploadRequest, 'container' | 'file'>>>

interface UploadRequest extends InferredFlags<typeof AssetUpload.flags> {
  readonly container: string
  readonly file: readonly string[]
  readonly platform: Platform
}

/** Uploads the files that were typed, in their order, and shows the outcome of each. Throws Failure. */
async function uploadFiles(session: Session, options: SendOptions, request: UploadRequest): Promise<void> {
  const {report, answers} = options
  const container = await readContainerArg(session, request.container)
  const {name, description, platform} = request
  const files = findLocalFiles(request.file, {container, platform})
  if (name !== undefined && files.length > 1) {
    throw wrongUsage('--name takes one file, but several are given', {try: 'upload it alone'})
  }
  const link = await readLinkFlag(session, request.link)
  const {headerEncoding: encoding} = options.settings
  const common = {container, platform, description, name, link, encoding}
  const jobs = files.map((file) => uploadJob(file, common))
  const {base} = await session.api.access('asset')
  const list = () => listToCompare(session, options.settings, container)
  const sent = {files: jobs.map(plannable), base, container, list, isInOrder: true} as const
  if (request['dry-run']) {
    return presentAlike(session, await previewUploads(session, options, sent), {service: 'asset', noun: 'file'})
  }
  for (const twice of sameNames(jobs)) {
    session.warn(`warning: several files are uploaded as ${safeText(twice)}; only their uuid distinguishes them`)
  }
  report.expect(jobs)
  const count = files.length === 1 ? safeText(files[0]?.key) : `${files.length} files`
  await confirmChange(session, answers, 'asset', `upload ${count} to ${safeText(container)}`)
  const outcomes = await sendFiles(session, options, sent)
  await report.present(outcomes, uploadRows)
}
