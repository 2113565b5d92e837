import {readFileSync} from 'node:fs'
import {isDeepStrictEqual} from 'node:util'
import type {Advice} from '../../advice.js'
import {catalog} from '../../api/contract/asset.js'
import type {ResourceMeta} from '../../api/contract/assetShapes.js'
import {type Failure, failureWith, fileFailure, withFacts} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {unlessError} from '../../text/text.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import type {FetchContext, ResourcePath} from './openBytes.js'
import {differenceOf, digestOfResource, keptOf, readMeta, type VerifyLevel} from './presence.js'

export interface VerifyOptions {
  readonly level: VerifyLevel
  /** The local catalog that the resource's catalog view must show; absent: the file itself, if its name ends in .json. */
  readonly catalogPath?: string
}

/**
 * Proves an upload by reading it back, without a catalog by its metadata alone. Throws Failure with the outcome `applied`: `file` if
 * bytes differ, `network` if the service stored something else.
 */
export async function verifyUpload(
  context: FetchContext,
  job: UploadJob,
  result: UploadResult,
  {level, catalogPath}: VerifyOptions,
): Promise<void> {
  // The plan has proven it (presence.ts).
  const isProven = result.proof !== undefined
  if (level === 'none' || (isProven && level !== 'catalog')) return
  const resource = {container: job.container, uuid: result.uuid}
  try {
    if (!isProven) checkMeta(await readMeta(context, resource), job)
    if (level === 'catalog') await checkCatalog(context, resource, job, catalogPath)
    if (level === 'download') await checkBytes(context, resource, result)
  } catch (error) {
    const verb = `${job.key} was uploaded, but is not verified`
    throw withFacts(error, ({message}) => ({message: `${verb}: ${message}`, outcome: 'applied'}))
  }
}

const fields = {name: 'originalFileName', platform: 'platform', link: 'assetResourceFileId'} as const

function checkMeta(meta: ResourceMeta, job: UploadJob): void {
  const kept = keptOf(meta)
  const member = differenceOf(kept, job) ?? (kept.link === job.link ? undefined : 'link')
  if (member) throw storedDifferently(fields[member], meta[fields[member]], job[member])
}

/** The headers with underscores in their names, which some servers drop without a word. */
const underscored = {originalFileName: 'Original_File_Name', assetResourceFileId: 'Asset_Resource_File_Id'} as const

function storedDifferently(
  field: 'originalFileName' | 'platform' | 'assetResourceFileId',
  kept: string | null | undefined,
  sent: string | undefined,
): Failure {
  const header = field === 'platform' ? undefined : underscored[field]
  const lost = !kept && header !== undefined
  return failureWith('network', `the service keeps another ${field} than was sent`, {
    code: 'stored-otherwise',
    why: lost
      ? `it keeps none, so the header ${header} was lost on the way: nginx drops names with underscores`
      : `it keeps ${quoteOrNone(kept)}, and ${quoteOrNone(sent)} was sent`,
    try: lost ? 'set underscores_in_headers on; in the nginx in front of the service' : adviceFor(field, sent),
    outcome: 'applied',
  })
}

function adviceFor(field: string, sent: string | undefined): Advice | undefined {
  const encoded = field === 'originalFileName' && /[^\x20-\x7e]/u.test(sent ?? '')
  return encoded
    ? {sentence: 'with raw or percent, as the service expects', command: ['config set', 'asset.headerEncoding', 'raw']}
    : undefined
}

function quoteOrNone(value: string | null | undefined): string {
  return value ? JSON.stringify(value) : 'none'
}

async function checkCatalog(
  {api}: FetchContext,
  {container, uuid}: ResourcePath,
  job: UploadJob,
  catalogPath: string | undefined,
): Promise<void> {
  const local = catalogPath ?? (/\.json$/iu.test(job.name) ? job.path : undefined)
  if (local === undefined) return
  const here = jsonOf(local)
  const view = await api.call(catalog, {path: {container, common_uuid: uuid}, query: {type: 'catalog'}})
  if (isDeepStrictEqual(parseMetaJson(view.metaJson), here)) return
  throw contentDiffers(
    `the catalog that the service shows is not the content of ${local}`,
    'metaJson has other content',
  )
}

/** The content of a JSON file. Throws Failure (file), which does not repeat what the file holds. */
function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/u, ''))
  } catch (error) {
    const isNotJson = error instanceof SyntaxError
    const why = isNotJson ? 'it must be JSON to be compared with the catalog view' : systemReason(error)
    throw fileFailure(isNotJson ? `${path} is not JSON` : `cannot read ${path}`, {why})
  }
}

/** The content of metaJson is not shown: it may be the catalog itself, or its text. */
function parseMetaJson(metaJson: unknown): unknown {
  return typeof metaJson === 'string' ? unlessError(() => JSON.parse(metaJson), metaJson) : metaJson
}

async function checkBytes(context: FetchContext, resource: ResourcePath, result: UploadResult) {
  const {sha256, bytes} = await digestOfResource(context, resource)
  if (sha256 === result.sha256) return
  const size = bytes === result.bytes ? '' : `${bytes} bytes instead of ${result.bytes}, `
  throw contentDiffers(
    'the service returns other bytes than those of the file',
    `${size}sha256 ${sha256}, not ${result.sha256}`,
  )
}

function contentDiffers(message: string, why: string): Failure {
  return fileFailure(message, {code: 'bytes-differ', why, outcome: 'applied'})
}
