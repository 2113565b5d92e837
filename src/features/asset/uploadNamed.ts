import type {Platform} from '../../api/contract/assetShapes.js'
import {confirmChange} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {safeText} from '../../text/text.js'
import {findLocalFiles} from '../../upload/files/findFiles.js'
import {sameNames, uploadJob} from '../../upload/files/headers.js'
import {plannable} from '../../upload/sync/plan.js'
import {uploadRows} from '../../view/asset/transfers.js'
import {presentAlike} from '../mutation/dryRun.js'
import {readContainerArg, readLinkFlag} from './paths.js'
import {type ParsedWord, retryCommand} from './retryCommand.js'
import {listToCompare, previewUploads, sendFiles} from './runUploads.js'
import type {SendOptions} from './uploadFlags.js'

interface UploadRequest {
  readonly container: string
  readonly files: readonly string[]
  readonly platform: Platform
  readonly description?: string | undefined
  readonly name?: string | undefined
  readonly link?: string | undefined
  readonly 'dry-run': boolean
}

/** Uploads the files that were typed, in their order, and shows the outcome of each. `typed`: the command line. Throws Failure. */
export async function uploadNamed(
  session: Session,
  options: SendOptions,
  request: UploadRequest,
  typed: readonly ParsedWord[],
): Promise<void> {
  const {report, answers} = options
  const container = await readContainerArg(session, request.container)
  const found = findLocalFiles(request.files, container)
  const {name, description, platform} = request
  if (name !== undefined && found.length > 1) {
    throw wrongUsage('--name takes one file, but several are given', {try: 'upload it alone'})
  }
  const link = await readLinkFlag(session, request.link)
  const {headerEncoding: encoding} = options.settings
  const common = {container, platform, description, name, link, encoding}
  const files = found.map((file) => ({job: uploadJob(file, common), size: file.size}))
  if (request['dry-run']) {
    return presentAlike(session, await previewUploads(session, options, files), {service: 'asset', noun: 'file'})
  }
  const jobs = files.map(({job}) => job)
  for (const twice of sameNames(jobs)) {
    session.warn(`warning: several files are uploaded as ${safeText(twice)}; only their uuid distinguishes them`)
  }
  report.expect(`asset upload to ${container}`, jobs, container)
  const count = files.length === 1 ? safeText(found[0]?.key) : `${files.length} files`
  await confirmChange(session, answers, 'asset', `upload ${count} to ${safeText(container)}`)
  const {base} = await session.api.access('asset')
  const list = () => listToCompare(session, options.settings, container)
  const sent = {files: jobs.map(plannable), base, container, list, isInOrder: true} as const
  const outcomes = await sendFiles(session, options, sent)
  await report.present(outcomes, {view: uploadRows, again: (left) => retryCommand('asset upload', typed, left)})
}
