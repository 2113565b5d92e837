import {resolve} from 'node:path'
import {platforms} from '../../api/contract/assetShapes.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {
  commandExamples,
  confirmableFlags,
  optionalArg,
  overwriteFlag,
  repeatableFlag,
  rowFlags,
  switchFlag,
  valueFlag,
} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {type OutputFile, outputFile} from '../../cli/output/outputFile.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {presentFrozen} from '../../features/asset/frozen.js'
import {lockKind} from '../../features/asset/lock.js'
import {assertContainerFirst} from '../../features/asset/retryCommand.js'
import {initFolder, presentSyncPlan, type SyncRequest, syncFiles} from '../../features/asset/sync.js'
import {readSendFlags, sendFlags, stampFlag, stateFolder} from '../../features/asset/uploadFlags.js'
import {reportedFiles} from '../../features/asset/uploadReport.js'
import {shardFilter} from '../../upload/sync/shard.js'
import {frozenView} from '../../view/asset/checks.js'
import {syncPlan, syncResults} from '../../view/asset/transfers.js'

// A sync always has the sha256 in its results: a later one recognises files by it.
const {sha256: _, ...syncFlags} = sendFlags

export default class AssetSync extends RoomctlCommand {
  static override changes = true
  static override readsMany = true
  static override summary = 'Sync a folder or manifest to a container'
  static override rows = (flags: {readonly frozen?: boolean; readonly 'dry-run'?: boolean}) =>
    flags.frozen ? frozenView(() => undefined) : flags['dry-run'] ? syncPlan : syncResults
  static override description =
    `Uploads files, then the bundles that link to them by uuid. Skips a file only if it is proven to be there: the container
lists it, its metadata has the same name, platform and link, it is complete and not in the trash, and the ledger or its stamp
proves its content. --verify none trusts the listing; meta reads the metadata, and asks by HEAD whether a stamped file is
complete; catalog compares its view, too; download compares every byte. Files are stamped unless asset.stamp is false. Run the same
command again to resume, also on another machine with the same --state-dir. A manifest in the folder, roomctl.assets.yaml,
says which file is an asset, a catalog or a bundle and what it links to. Without one, *.bundle are bundles, catalog*.json, .hash
and .bin are catalogs, and all others are assets. A file .roomctlignore excludes files, too; a bundle that links to one is an
error. --shard needs no coordinator: files that links or a catalog connect are in one shard. Two runs of one shard at once can
upload a file twice; asset duplicates finds it. --frozen exits 15 on differences.`
  static override args = {
    container: optionalArg('CONTAINER', 'path of the container, games/foo, or its uri'),
    'dir|manifest': optionalArg('DIR|MANIFEST', 'folder, or manifest in YAML or JSON'),
  }
  static override flags = {
    ...rowFlags,
    platform: valueFlag('NAME', `default platform: ${platforms.join(', ')}`),
    description: valueFlag('TEXT', 'default description (default: the name of each file)'),
    init: switchFlag('write roomctl.assets.yaml for a folder; upload nothing', {exclusive: ['dry-run']}),
    create: switchFlag('create the container and its parents if missing', {exclusive: ['init']}),
    exclude: repeatableFlag('GLOB', 'leave out what matches, as in .gitignore; repeatable'),
    lock: repeatableFlag('FILE', 'write uuid and sha256 of each file; with --frozen, compare', {exclusive: ['init']}),
    frozen: switchFlag('send nothing, compare --lock, folder and container', {
      exclusive: ['init', 'create', 'fresh', 'result'],
    }),
    shard: valueFlag('I/N', 'sync only part I of N, as one job of a CI matrix', {exclusive: ['init']}),
    stamp: stampFlag,
    ...syncFlags,
    overwrite: overwriteFlag('init', 'lock', 'result'),
    ...confirmableFlags,
  }
  static override examples = commandExamples({
    'Sync a folder; run it again after any interruption': 'roomctl asset sync games/puzzle build/ios --platform ios',
    'See what would be done': 'roomctl asset sync games/puzzle build/ios --platform ios --dry-run',
    'Write a manifest to edit, for bundles that belong to an asset':
      'roomctl asset sync --init build/ios --platform ios',
  })

  protected override assertAllowed(
    session: Session,
    flags: {readonly init?: boolean; readonly frozen?: boolean},
  ): void {
    if (!flags.init && !flags.frozen) super.assertAllowed(session, flags)
  }

  async run(): Promise<void> {
    const {args, flags, raw, session} = await this.start(AssetSync)
    assertContainerFirst('asset sync', raw)
    const platform = flags.platform === undefined ? undefined : parseChoice('--platform', flags.platform, platforms)
    const request: SyncRequest = {
      typed: {container: args.container, from: args['dir|manifest']},
      filling: {platform, description: flags.description},
      // Exclude roomctl's own files and the outputs of this run.
      except: [
        ...Object.values(session.paths),
        stateFolder(session, flags['state-dir']),
        ...reportedFiles(flags),
        ...(flags.lock ?? []).map((file) => resolve(file)),
      ],
      exclude: flags.exclude,
      inShard: flags.shard === undefined ? (files) => files : shardFilter(flags.shard),
      create: flags.create,
    }
    if (flags.init) return initFolder(session, request, flags.overwrite)
    const locks = readLockFlags(session, flags)
    const options = readSendFlags(session, {...flags, sha256: true}, {stamps: true})
    const {report} = options
    if (flags.frozen) return report.whole(presentFrozen(session, options, request, locks.read))
    if (flags['dry-run']) return report.whole(presentSyncPlan(session, options, request))
    return report.whole(syncFiles(session, options, request, {lock: locks.written, typed: raw}))
  }
}

interface LockFlags {
  readonly lock?: readonly string[] | undefined
  readonly frozen: boolean
  readonly overwrite: boolean
  readonly 'dry-run': boolean
}

/** The locks that flags name. Throws Failure (usage), and (file) if the lock of a sync cannot be written. */
function readLockFlags(
  session: Session,
  {lock = [], frozen, overwrite, 'dry-run': preview}: LockFlags,
): {readonly read: readonly string[]; readonly written?: OutputFile} {
  const refuse = (message: string, advice: string) => wrongUsage(message, {try: advice})
  if (lock.includes('')) throw refuse('--lock names no file', 'add its name: --lock FILE')
  if (frozen && lock.length === 0) throw refuse('--frozen needs a lock to compare with', 'add --lock FILE')
  if (!frozen && lock.length > 1) throw refuse('a sync writes one lock', 'name several only with --frozen')
  const [file] = lock
  if (frozen || file === undefined) return {read: lock}
  return {read: [], written: outputFile(session, file, {flag: '--lock', kind: lockKind, overwrite, preview})}
}
