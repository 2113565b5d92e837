import {randomUUID} from 'node:crypto'
import {statSync} from 'node:fs'
import * as Flags from '@oclif/core/flags'
import {listContainer} from '../../api/contract/asset.js'
import type {Platform} from '../../api/contract/assetShapes.js'
import {Failure} from '../../api/contract/failure.js'
import {decodeText, readSmallFile} from '../../cli/files/readFile.js'
import {repeatable} from '../../cli/flags/flags.js'
import {type OutputFile, outputFile} from '../../cli/output/outputFile.js'
import {presentList} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {mapConcurrently} from '../../selection/run.js'
import {listedResources, type Presence, PresenceCheck, type VerifyLevel} from '../../upload/bytes/presence.js'
import {baseText} from '../../upload/ledger/entry.js'
import {digestOf} from '../../upload/source/localFile.js'
import {type LockLine, type LockRow, lockStart, lockText, parseLock, sortByBytes} from '../../upload/sync/lock.js'
import {type ListedFile, linkedFile} from '../../upload/sync/syncFile.js'
import {frozenView} from '../../view/asset/checks.js'
import {escapePath} from './paths.js'
import type {UploadOutcome} from './presentUploads.js'
import {withLedger} from './uploadFlags.js'

/** Flags of a sync that proves itself by a lock. */
export const lockFlags = {
  lock: Flags.string({
    helpValue: 'FILE',
    ...repeatable,
    summary: 'write the uuid and sha256 of each file to FILE after success; with --frozen, compare with it',
    exclusive: ['init'],
  }),
  frozen: Flags.boolean({
    summary: 'send nothing: compare --lock, folder and container; exit 15 on differences',
    exclusive: ['init', 'create', 'fresh', 'result'],
  }),
}

export const lockKind = {what: 'lock', starts: [lockStart], readers: 'umask'} as const

interface LockFlags {
  readonly lock?: readonly string[] | undefined
  readonly frozen: boolean
  readonly overwrite: boolean
  readonly 'dry-run': boolean
}

/** The locks that flags name. Raises a Failure (usage), and (file) where the lock of a sync cannot be written. */
export function readLockFlags(
  session: Session,
  {lock = [], frozen, overwrite, 'dry-run': preview}: LockFlags,
): {readonly read: readonly string[]; readonly written?: OutputFile} {
  const refuse = (message: string, advice: string) => new Failure({exit: 'usage', message, try: advice})
  if (lock.includes('')) throw refuse('--lock names no file', 'add its name: --lock FILE')
  if (frozen && lock.length === 0) throw refuse('--frozen needs a lock to compare with', 'add --lock FILE')
  if (!frozen && lock.length > 1) throw refuse('a sync writes one lock', 'name several only with --frozen')
  const [file] = lock
  if (frozen || file === undefined) return {read: lock}
  return {read: [], written: outputFile(session, file, {flag: '--lock', kind: lockKind, overwrite, preview})}
}

/** Writes the lock of a run, whole, if all of its files are in the container: undefined for one that is not. Raises a Failure (file). */
export async function writeLock(
  file: OutputFile,
  container: string,
  lines: readonly (LockLine | undefined)[],
): Promise<void> {
  const known = lines.filter((line) => line !== undefined)
  if (known.length < lines.length) return
  const text = lockText(escapePath(container), known)
  if (Buffer.byteLength(text) > lockLimits.maxBytes) throw tooLargeLock('the files were uploaded')
  await file.write(text)
}

/** Raises a Failure (file) where the lock of these files would be larger than one that is read. */
export function assertLockSize(container: string, files: readonly {readonly key: string}[]): void {
  const [uuid, sha256] = [randomUUID(), '0'.repeat(64)]
  const text = lockText(
    escapePath(container),
    files.map(({key: path}) => ({path, uuid, sha256, size: 0})),
  )
  if (Buffer.byteLength(text) > lockLimits.maxBytes) throw tooLargeLock('nothing was sent')
}

function tooLargeLock(consequence: string): Failure {
  return new Failure({
    exit: 'file',
    message: `the lock of these files would be larger than ${lockLimits.most}; ${consequence}`,
    try: lockLimits.ifLarger,
  })
}

/** The line of a file that is in the container; undefined for one that is not, or not as it should be. */
export function lockLineOf({outcome, job, result, reason}: UploadOutcome): LockLine | undefined {
  const isVerified = outcome === 'skipped' || (outcome === 'done' && reason === undefined)
  if (!isVerified || !result || result.sha256 === null) return undefined
  return {path: job.key, uuid: result.uuid, sha256: result.sha256, size: result.bytes}
}

/** A lock of this size has 125,000 lines. */
const lockLimits = {maxBytes: 16 * 1024 * 1024, most: '16 MiB', ifLarger: 'use a lock for each shard: --shard I/N'}

/** The lines of one lock or of several, as of shards. Raises a Failure (file) for what is no lock of this container. */
export function readLocks(files: readonly string[], container: string): ReadonlyMap<string, LockLine> {
  const all = new Map<string, LockLine>()
  for (const file of files) {
    const text = decodeText(readSmallFile(file, lockLimits).bytes, file)
    for (const [path, line] of parseLock(text, file, escapePath(container))) {
      const other = all.get(path)
      if (other !== undefined && other.uuid !== line.uuid) throw contradiction(file, path)
      all.set(path, line)
    }
  }
  return all
}

function contradiction(file: string, path: string): Failure {
  return new Failure({
    exit: 'file',
    code: 'lock',
    message: `cannot use the lock ${file}: another lock names another uuid for ${path}`,
    try: 'name the locks of one run, one for each shard',
  })
}

/** What a lock is compared with. */
interface FrozenRun {
  /** The address of the asset service. */
  readonly base: URL
  readonly container: string
  readonly files: readonly ListedFile[]
  /** Files of other shards, of which nothing is said. */
  readonly others: ReadonlySet<string>
  readonly lines: ReadonlyMap<string, LockLine>
  readonly level: VerifyLevel
  /** Of files that no manifest gives one. */
  readonly platform: Platform | undefined
  /** The folder of the ledger. */
  readonly stateDir: string
  /** Files that are read at once. */
  readonly concurrency: number
}

/** How a file differs, with the clause that explains it. */
interface Found extends Pick<LockRow, 'difference'> {
  readonly why: string
}

/** Compares locks, folder and container by GETs and HEADs alone, and ends with `found` where they differ. Raises a Failure. */
export async function presentFrozen(session: Session, run: FrozenRun): Promise<void> {
  const {container, files, lines, concurrency, level} = run
  const listed = listedResources(await session.api.call(listContainer, {path: {container}, query: {}}))
  const finished = await readFinished(session, run)
  const presence = new PresenceCheck(session, level)
  const inContainer = async (line: LockLine, file: ListedFile): Promise<Found | undefined> => {
    const {uuid, sha256, size} = line
    const resource = listed.get(uuid)
    if (!resource) return {difference: 'missing', why: 'in the lock, and not in the container'}
    const link = linkIn(lines, file)
    const {name, platform = run.platform} = file
    const known = finished.has(`${uuid} ${sha256}`) ? 'ledger' : 'lock'
    const wanted = {name, platform, sha256, size, isLinked: link !== undefined, known} as const
    return differenceIn(await presence.check({container, uuid}, wanted, resource), link)
  }
  const byPath = new Map(files.map((file) => [file.key, file]))
  const all = new Set([...lines.keys(), ...byPath.keys()])
  const paths = sortByBytes(
    [...all].filter((path) => !run.others.has(path)),
    (path) => path,
  )
  const found = await mapConcurrently(paths, concurrency, async (path) => {
    const [line, file] = [lines.get(path), byPath.get(path)]
    if (!line) return {path, difference: 'new', why: 'in the folder, and not in the lock'} as const
    if (!file) return {path, difference: 'missing', why: 'in the lock, and not in the folder'} as const
    const difference = (await compareFile(session, line, file)) ?? (await inContainer(line, file))
    return difference && {path, ...difference}
  })
  const differences = found.filter((one) => one !== undefined)
  const whys = new Map(differences.map(({path, why}) => [path, why]))
  const rows = differences.map(({path, difference}): LockRow => ({path, difference}))
  await presentList(
    session,
    rows,
    frozenView((path) => whys.get(path)),
  )
  if (rows.length > 0) session.endWith('found')
}

function differenceIn(presence: Presence, link: string | undefined): Found | undefined {
  if ('lack' in presence) {
    const {lack, why} = presence
    return {difference: lack === 'unproven' ? 'changed' : lack, why}
  }
  if (link === undefined || presence.link === link) return undefined
  return {difference: 'changed', why: `in the container it belongs to ${presence.link ?? 'no asset'}, not to ${link}`}
}

/** The uuids and digests of what this machine has uploaded whole under the names of the files. */
function readFinished(session: Session, {base, container, files, stateDir}: FrozenRun): Promise<ReadonlySet<string>> {
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

/** The uuid that a file must be linked to; undefined where it has no link, or one to a file of another lock. */
function linkIn(lines: FrozenRun['lines'], file: ListedFile): string | undefined {
  const linked = linkedFile(file)
  if (linked !== undefined) return lines.get(linked)?.uuid
  return file.link !== undefined && 'uuid' in file.link ? file.link.uuid : undefined
}
