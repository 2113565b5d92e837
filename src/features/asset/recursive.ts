import {lstatSync} from 'node:fs'
import path from 'node:path'
import type {Session} from '../../cli/session/session.js'
import {fileFailure, onFailure} from '../../failure.js'
import {makeFolders, systemReason} from '../../storage/disk/privateFile.js'
import {counted, grouped, safeText, someOf} from '../../text/text.js'
import {utcMoment} from '../../text/time.js'
import {type DownloadRow, downloadAll, trashedReason} from '../../upload/download/download.js'
import {safeFileName} from '../../upload/download/fileName.js'
import {isTrashed, type ResourcePath} from '../../upload/download/openBytes.js'
import {sweepParts} from '../../upload/download/partFile.js'
import {PresenceCheck, readMetaIfThere} from '../../upload/download/presence.js'
import {digestOf} from '../../upload/files/localFile.js'
import {stampOf} from '../../upload/model/job.js'
import type {AssetRow} from '../../view/asset/listing.js'
import {presentDownloads, startDownloadProgress} from './download.js'
import {endsReads, readTree} from './listing.js'
import {type NamedResource, parseResource} from './paths.js'

interface TreeDownload {
  readonly container: string
  readonly dir: string
  readonly overwrite: boolean
  readonly failFast: boolean
  readonly concurrency: number
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
  const {container, dir, overwrite, failFast, concurrency} = run
  const {base} = await session.api.access('asset')
  const rows = await readTree(session, container)
  const isWhole = rows.every(({error}) => error === undefined)
  const {folders, resources, strays, notes: renamed} = await placeResources(session, rows, dir, base)
  for (const note of shownNotes(renamed)) session.warn(`note: ${safeText(note)}`)
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
  await presentTree(session, all)
  if (!isWhole || strays.length > 0) session.endWith('partial')
}

/** More would not be read. */
const mostNotes = 20

function shownNotes(notes: readonly string[]): string[] {
  const left = notes.length - mostNotes
  return [
    ...notes.slice(0, mostNotes),
    ...(left > 0 ? [`${counted(left, 'other name')} changed; -o json has all files`] : []),
  ]
}

async function presentTree(session: Session, all: readonly DownloadRow[]): Promise<void> {
  const trashed = all.filter(({reason}) => reason === trashedReason)
  const others = all.filter(({reason}) => reason !== trashedReason)
  await presentDownloads(session, others)
  if (trashed.length === 0) return
  const names = trashed.map(({resource}) => safeText(resource))
  session.warn(`note: left out ${counted(names.length, 'resource')} in the trash: ${someOf(names, mostNotes)}`)
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
  const unchanged = {outcome: 'skipped', reason: 'unchanged', proven_by: 'stamp'} as const
  return {resource: text, file, bytes: stats.size, sha256, ...unchanged}
}

/** The targets of the resources of a tree, and notes about other names. `strays`: uris outside this service. */
async function placeResources(session: Session, rows: readonly AssetRow[], dir: string, base: URL) {
  const names = new FileNames()
  const folders: string[] = []
  const files: UnnamedFile[] = []
  // The folder of each depth: a container precedes its contents.
  const around = ['']
  for (const row of rows) {
    const {kind, name, depth = 0, repeated, error} = row
    const below = around[depth] ?? ''
    if (kind !== 'container') files.push(...unnamedFile(row, below, base))
    else if (row.path !== null && !repeated && !error) {
      const key = path.posix.join(below, names.claim(below, name ?? ''))
      around[depth + 1] = key
      folders.push(key)
    }
  }
  // After all folders: a file yields its name to a container.
  const named = await nameVersions(session, files, names)
  const resources = files.map(({row, below, place}): PlacedResource => {
    const name = named.get(row) ?? place.uuid
    const key = path.posix.join(below, name)
    const stamp = stampOf(row.description)
    return {...place, text: row.path ?? row.uri, folder: path.join(dir, below), name, key, stamp}
  })
  const strays = rows.filter(({kind, path: own, uuid}) => (kind === 'container' ? own : uuid) === null)
  return {
    folders: ['', ...folders].map((key) => path.join(dir, key)),
    resources,
    strays: strays.map(({uri}) => uri),
    notes: names.notes,
  }
}

interface UnnamedFile {
  readonly row: AssetRow
  readonly below: string
  readonly place: ResourcePath
  readonly name: string
  readonly safe: string
}

function unnamedFile(row: AssetRow, below: string, base: URL): UnnamedFile[] {
  if (row.uuid === null) return []
  const place = parseResource(row.uri, base)
  const name = row.name ?? place.uuid
  return [{row, below, place, name, safe: safeFileName(name)}]
}

/** The names of files: of several with one name the newest has it, and the others have their uuids in theirs. */
async function nameVersions(session: Session, files: readonly UnnamedFile[], names: FileNames) {
  const groups = [...grouped(files, ({below, safe}) => placeKey(below, safe)).values()]
  const versions = groups.filter((group) => group.length > 1).flat()
  const created = new Map<UnnamedFile, number>()
  const {concurrency} = session.resolved.values
  await session.waiting.readEach('versions', versions, concurrency, async (file) => {
    const isUnread = onFailure(
      (failure) => !endsReads(failure),
      () => undefined,
    )
    const kept = await readMetaIfThere(session, file.place).catch(isUnread)
    if (kept && !isTrashed(kept)) created.set(file, utcMoment(kept.createdAt)?.getTime() ?? 0)
  })
  const ageOf = (file: UnnamedFile) => created.get(file) ?? -1
  const ranked = groups.map((group) => group.toSorted((one, other) => ageOf(other) - ageOf(one)))
  const named = new Map<AssetRow, string>()
  // A plain name is for a file that has it.
  for (const [newest] of ranked) {
    if (newest) named.set(newest.row, names.claim(newest.below, newest.name, newest.place.uuid))
  }
  for (const [newest, ...older] of ranked) {
    for (const {row, below, name, place} of older) named.set(row, names.claim(below, name, place.uuid, false))
    // One in the trash is not downloaded.
    const others = older.filter((file) => created.has(file)).map(({row}) => named.get(row))
    if (!newest || others.length === 0) continue
    const plain = path.posix.join(newest.below, named.get(newest.row) ?? '')
    const count = others.length + 1
    names.notes.push(`${plain} is the newest of ${count} files of that name; also saved: ${others.join(', ')}`)
  }
  return named
}

/** Names that differ in their case alone are one name on many file systems. */
function placeKey(below: string, name: string): string {
  return path.posix.join(below, name).normalize('NFC').toLowerCase()
}

/** Assigns each name of a folder once. */
class FileNames {
  readonly notes: string[] = []
  readonly #taken = new Set<string>()

  claim(below: string, wanted: string, uuid?: string, isNoted = true): string {
    const safe = safeFileName(wanted)
    let name = safe
    for (let count = 1; this.#taken.has(placeKey(below, name)); count += 1) name = otherName(safe, uuid, count)
    this.#taken.add(placeKey(below, name))
    if (isNoted && name !== wanted.normalize('NFC'))
      this.notes.push(`${path.posix.join(below, wanted)} is saved as ${name}`)
    return name
  }
}

/** `level~1c2d3e4f.bundle`, and on; `level~2` of a folder. */
function otherName(name: string, uuid: string | undefined, count: number): string {
  const extension = uuid === undefined ? '' : path.extname(name)
  const marks = uuid === undefined ? [] : [uuid.slice(0, 8), uuid]
  const mark = marks[count - 1] ?? count - marks.length + 1
  return safeFileName(`${name.slice(0, name.length - extension.length)}~${mark}${extension}`)
}
