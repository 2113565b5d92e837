import {lstatSync} from 'node:fs'
import path from 'node:path'
import type {Session} from '../../cli/session/session.js'
import {fileFailure} from '../../failure.js'
import {makeFolders, systemReason} from '../../storage/disk/privateFile.js'
import {counted, safeText} from '../../text/text.js'
import {type DownloadRow, downloadAll, trashedReason} from '../../upload/download/download.js'
import {safeFileName} from '../../upload/download/fileName.js'
import {sweepParts} from '../../upload/download/partFile.js'
import {PresenceCheck} from '../../upload/download/presence.js'
import {digestOf} from '../../upload/files/localFile.js'
import {stampOf} from '../../upload/model/job.js'
import type {AssetRow} from '../../view/asset/listing.js'
import {presentDownloads, startDownloadProgress} from './download.js'
import {readTree} from './listing.js'
import {type NamedResource, parseResource} from './paths.js'

interface TreeDownload {
  readonly container: string
  readonly dir: string
  readonly overwrite: boolean
  readonly failFast: boolean
  readonly concurrency: number
  /** Resources in the trash have rows, too. */
  readonly showsTrashed: boolean
}

interface PlacedResource extends NamedResource {
  readonly folder: string
  readonly name: string
  /** The same with `/` between the parts. */
  readonly key: string
  readonly stamp: string | undefined
}

/**
 * Downloads a tree into folders. No two resources share a file; an existing file is skipped if it is proven to be the resource, else
 * it has failed, unless `overwrite`. Throws Failure.
 */
export async function downloadTree(session: Session, run: TreeDownload): Promise<void> {
  const {container, dir, overwrite, failFast, concurrency, showsTrashed} = run
  const {base} = await session.api.access('asset')
  const rows = await readTree(session, container)
  const isWhole = rows.every(({error}) => error === undefined)
  const {folders, resources, strays} = placeResources(rows, dir, base)
  for (const uri of strays) session.warn(`note: skipped ${safeText(uri)}: it is not on the asset service`)
  for (const folder of folders) makeTreeFolder(folder)
  const presence = new PresenceCheck(session, 'meta')
  const present = new Map<string, DownloadRow>()
  if (!overwrite) {
    await session.waiting.readEach('files', resources, concurrency, async (resource) => {
      const row = await findDownloaded(session, resource, presence)
      if (row) present.set(resource.key, row)
    })
  }
  const missing = resources.filter(({key}) => !present.has(key))
  const notes = await startDownloadProgress(session, missing.length)
  const options = {folder: dir, ...notes, overwrite, failFast, concurrency, single: false}
  const placeOf = ({folder, name}: PlacedResource) => ({folder, name, makesFolder: true})
  const downloaded = await downloadAll(session, missing, {...options, placeOf}).finally(notes.stop)
  for (const [at, row] of downloaded.entries()) present.set(missing[at]?.key ?? '', row)
  const all = resources.flatMap(({key}) => present.get(key) ?? [])
  await presentTree(session, all, showsTrashed)
  if (!isWhole || strays.length > 0) session.endWith('partial')
}

async function presentTree(session: Session, all: readonly DownloadRow[], showsTrashed: boolean): Promise<void> {
  const shown = showsTrashed ? all : all.filter(({reason}) => reason !== trashedReason)
  await presentDownloads(session, shown, {showsTrashed})
  const hidden = all.length - shown.length
  if (hidden > 0) session.warn(`note: left out ${counted(hidden, 'resource')} in the trash; to name them: --trashed`)
}

function makeTreeFolder(folder: string): void {
  try {
    makeFolders(folder)
  } catch (error) {
    throw fileFailure(`cannot make the folder ${folder}`, {why: systemReason(error)})
  }
  sweepParts(folder)
}

/** The result of a resource whose file is there, as its stamp or the service proves. Throws Failure. */
async function findDownloaded(
  session: Session,
  {folder, name, text, container, uuid, stamp}: PlacedResource,
  presence: PresenceCheck,
): Promise<DownloadRow | undefined> {
  const file = path.join(folder, name)
  const stats = lstatSync(file, {throwIfNoEntry: false})
  if (!stats?.isFile()) return undefined
  const sha256 = await digestOf(file, session.runtime.signal)
  if (stamp !== undefined && stamp !== sha256) return undefined
  if (stamp === undefined && !('proof' in (await presence.check({container, uuid}, {sha256, isLinked: false})))) {
    return undefined
  }
  const reason = 'unchanged: proven by its stamp'
  return {resource: text, file, bytes: stats.size, sha256, outcome: 'skipped', reason}
}

/** The targets of the resources of a tree. `strays`: uris outside this service. */
function placeResources(rows: readonly AssetRow[], dir: string, base: URL) {
  const claim = nameClaims()
  const folders: string[] = []
  const files: {readonly row: AssetRow; readonly below: string}[] = []
  // The folder of each depth: a container precedes its contents.
  const around = ['']
  for (const row of rows) {
    const {kind, name, depth = 0, repeated, error} = row
    const below = around[depth] ?? ''
    if (kind !== 'container') files.push({row, below})
    else if (row.path !== null && !repeated && !error) {
      const key = path.posix.join(below, claim(below, safeFileName(name ?? '')))
      around[depth + 1] = key
      folders.push(key)
    }
  }
  // After all folders: a file yields its name to a container.
  const resources = files.flatMap(({row, below}): PlacedResource[] => {
    if (row.uuid === null) return []
    const place = parseResource(row.uri, base)
    const name = claim(below, safeFileName(row.name ?? place.uuid), place.uuid)
    const key = path.posix.join(below, name)
    return [
      {...place, text: row.path ?? row.uri, folder: path.join(dir, below), name, key, stamp: stampOf(row.description)},
    ]
  })
  const strays = rows.filter(({kind, path: own, uuid}) => (kind === 'container' ? own : uuid) === null)
  return {
    folders: ['', ...folders].map((key) => path.join(dir, key)),
    resources,
    strays: strays.map(({uri}) => uri),
  }
}

/** Assigns each name of a folder once, in the order of the listing, so that a later run assigns the same. */
function nameClaims(): (below: string, name: string, uuid?: string) => string {
  const taken = new Set<string>()
  return (below, name, uuid) => {
    for (const candidate of candidateNames(name, uuid)) {
      // Names that differ in their case alone are one name on many file systems.
      const key = path.posix.join(below, candidate).normalize('NFC').toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return candidate
    }
    throw new Error('names do not end')
  }
}

/** `level.bundle`, `level~1c2d3e4f.bundle`, and on. */
function* candidateNames(name: string, uuid: string | undefined): Generator<string> {
  yield name
  const extension = uuid === undefined ? '' : path.extname(name)
  const stem = name.slice(0, name.length - extension.length)
  const named = (mark: string | number) => safeFileName(`${stem}~${mark}${extension}`)
  if (uuid !== undefined) {
    yield named(uuid.slice(0, 8))
    yield named(uuid)
  }
  for (let count = 2; ; count += 1) yield named(count)
}
