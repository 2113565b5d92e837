import {statSync} from 'node:fs'
import {listContainer} from '../../api/contract/asset.js'
import {presentList} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {compareText} from '../../text/text.js'
import {listedResources, PresenceCheck, type PresenceResult} from '../../upload/download/presence.js'
import {digestOf} from '../../upload/files/localFile.js'
import {baseText} from '../../upload/ledger/entry.js'
import {type ListedFile, linkedFile} from '../../upload/model/job.js'
import type {LockLine, LockRow} from '../../upload/sync/lock.js'
import {frozenView} from '../../view/asset/checks.js'
import {readLocks} from './lock.js'
import {readSyncFiles, readSyncPlace, type SyncPlace, type SyncRequest} from './sync.js'
import {type SendOptions, withLedger} from './uploadFlags.js'

interface Found extends Pick<LockRow, 'difference'> {
  readonly why: string
}

/** Compares locks, folder and container by GETs and HEADs alone, and ends with `found` if they differ. Throws Failure. */
export async function presentFrozen(
  session: Session,
  {stateDir, concurrency, verify}: SendOptions,
  request: SyncRequest,
  locks: readonly string[],
): Promise<void> {
  const place = await readSyncPlace(session, request)
  const {container} = place
  const lines = readLocks(locks, container)
  const found = await readSyncFiles(session, request, place)
  const files = request.inShard(found.files)
  const listing = session.api.call(listContainer, {path: {container}, query: {}})
  const listed = listedResources(await listing)
  const finished = await readFinished(session, stateDir, place, files)
  const presence = new PresenceCheck(session, verify)
  const inContainer = async (line: LockLine, file: ListedFile): Promise<Found | undefined> => {
    const {uuid, sha256, size} = line
    const resource = listed.get(uuid)
    if (!resource) return {difference: 'missing', why: 'in the lock, and not in the container'}
    const link = linkIn(lines, file)
    const {name, platform = request.filling.platform} = file
    const known = finished.has(`${uuid} ${sha256}`) ? 'ledger' : 'lock'
    const wanted = {name, platform, sha256, size, isLinked: link !== undefined, known} as const
    return differenceIn(await presence.check({container, uuid}, wanted, resource), link)
  }
  const byPath = new Map(files.map((file) => [file.key, file]))
  // Ignore the files of other shards.
  const others = new Set(found.files.flatMap(({key}) => (byPath.has(key) ? [] : [key])))
  const all = [...new Set([...lines.keys(), ...byPath.keys()])].filter((path) => !others.has(path))
  const paths = all.toSorted(compareText)
  const compared = await session.waiting.readEach('files', paths, concurrency, async (path) => {
    const [line, file] = [lines.get(path), byPath.get(path)]
    if (!line) return {path, difference: 'new', why: 'in the folder, and not in the lock'} as const
    if (!file) return {path, difference: 'missing', why: 'in the lock, and not in the folder'} as const
    const difference = (await compareFile(session, line, file)) ?? (await inContainer(line, file))
    return difference && {path, ...difference}
  })
  const differences = compared.filter((one) => one !== undefined)
  const whys = new Map(differences.map(({path, why}) => [path, why]))
  const rows = differences.map(({path, difference}): LockRow => ({path, difference}))
  const view = frozenView((path) => whys.get(path))
  await presentList(session, rows, view)
  if (rows.length > 0) session.endWith('found')
}

function differenceIn(presence: PresenceResult, link: string | undefined): Found | undefined {
  if ('lack' in presence) {
    const {lack, why} = presence
    return {difference: lack === 'unproven' ? 'changed' : lack, why}
  }
  if (link === undefined || presence.link === link) return undefined
  return {difference: 'changed', why: `in the container it belongs to ${presence.link ?? 'no asset'}, not to ${link}`}
}

/** The uuids and digests of what this machine has uploaded whole under the names of the files. */
function readFinished(
  session: Session,
  stateDir: string,
  {base, container}: SyncPlace,
  files: readonly ListedFile[],
): Promise<ReadonlySet<string>> {
  const places = files.map(({name}) => ({base: baseText(base), container, name}))
  return withLedger(session, stateDir, (ledger) => {
    return new Set(ledger.finishedAs(places).map(({done}) => `${done?.uuid} ${done?.sha256}`))
  })
}

async function compareFile({runtime}: Session, line: LockLine, {path}: ListedFile): Promise<Found | undefined> {
  const size = statSync(path, {throwIfNoEntry: false})?.size
  const isSame = size === line.size && (await digestOf(path, runtime.signal)) === line.sha256
  return isSame ? undefined : {difference: 'changed', why: 'the file in the folder is not the one in the lock'}
}

/** The uuid that a file must be linked to; undefined if it has no link, or one to a file of another lock. */
function linkIn(lines: ReadonlyMap<string, LockLine>, file: ListedFile): string | undefined {
  const linked = linkedFile(file)
  if (linked !== undefined) return lines.get(linked)?.uuid
  return file.link !== undefined && 'uuid' in file.link ? file.link.uuid : undefined
}
