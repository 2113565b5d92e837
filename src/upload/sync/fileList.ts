import {existsSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import path from 'node:path'
import type {Platform} from '../../api/contract/assetShapes.js'
import {manifestNames} from '../../api/contract/manifest.js'
import {type Failure, fileFailure, withFacts, wrongUsage} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {fileHeaders} from '../files/headers.js'
import {assertNoStamp, type FileList, type ListedFile, type SyncFile, type UploadSettings} from '../model/job.js'
import type {IsExcluded} from './ignoreRules.js'
import {loadManifest} from './manifest.js'
import {scanFolder, withoutExcluded} from './scan.js'
import {assertNames} from './unsendable.js'

/**
 * The files of a manifest, or of a folder: its manifest decides if there is one. `except`: absolute paths to leave out. Throws a
 * Failure (file).
 */
export async function readFileList(
  source: string,
  except: readonly string[] = [],
  isExcluded: IsExcluded = () => false,
): Promise<FileList> {
  const manifest = (await isFolder(source)) ? findManifest(source) : source
  return manifest === undefined
    ? scanFolder(source, except, isExcluded)
    : withoutExcluded(await loadManifest(manifest), isExcluded)
}

export function findManifest(folder: string): string | undefined {
  return manifestNames.map((name) => path.join(folder, name)).find((file) => existsSync(file))
}

export interface FlagValues {
  readonly platform?: Platform | undefined
  readonly description?: string | undefined
}

/** Throws Failure: `usage` without a platform and for what no header can carry, `file` without files and for names that cannot be sent. */
export function completeFiles(
  list: FileList,
  filling: FlagValues,
  encoding: UploadSettings['headerEncoding'],
): SyncFile[] {
  const {source, files, refused = []} = list
  if (files.length + refused.length === 0) throw fileFailure(`cannot sync ${source}: there are no files in it`)
  const whole = files.map((file) => {
    const platform = file.platform ?? filling.platform
    // Without a description a file is described by its name.
    const description = file.description ?? filling.description ?? file.name
    if (platform === undefined) throw missingPlatform(source, file)
    // The spread last (decision 0025).
    return {platform, description, ...file}
  })
  assertNames(list, whole, encoding)
  for (const file of whole) assertSendable(source, file, encoding)
  return whole
}

function missingPlatform(source: string, {key}: ListedFile): Failure {
  return wrongUsage(`cannot sync ${source}: the platform of ${key} is not set`, {
    why: 'the service requires one for every file',
    try: 'add --platform ios, android or windows, or set it in a manifest',
  })
}

function assertSendable(source: string, {link, ...file}: SyncFile, encoding: UploadSettings['headerEncoding']): void {
  assertNoStamp(file.description)
  try {
    fileHeaders({...file, ...(link && 'uuid' in link ? {link: link.uuid} : {})}, encoding)
  } catch (error) {
    const at = `cannot sync ${source}: ${file.key}`
    throw withFacts(error, ({message}) => ({message: `${at}: ${message}`, try: 'set it in a manifest'}))
  }
}

async function isFolder(source: string): Promise<boolean> {
  const cannot = (why: string, cause?: unknown) => fileFailure(`cannot sync ${source}`, {why}, {cause})
  const stats = await stat(source).catch((error: unknown) => {
    throw cannot(systemReason(error), error)
  })
  if (!stats.isDirectory() && !stats.isFile()) throw cannot('it is neither a folder nor a file')
  return stats.isDirectory()
}
