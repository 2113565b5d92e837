import {platforms} from '../../api/contract/assetShapes.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {
  changeFlags,
  commandExamples,
  optionalArg,
  overwriteFlag,
  repeatableFlag,
  rowFlags,
  switchFlag,
  valueFlag,
} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import type {Session} from '../../cli/session/session.js'
import {presentSyncCheck, presentSyncPlan, type SyncRequest, syncFiles} from '../../features/asset/sync.js'
import {readSendFlags, sendFlags, stampFlag, stateFolder} from '../../features/asset/uploadFlags.js'
import {reportedFiles} from '../../features/asset/uploadReport.js'
import {shardFilter} from '../../upload/sync/shard.js'
import {syncDifferences, syncPlan, syncResults} from '../../view/asset/transfers.js'

export default class AssetSync extends RoomctlCommand {
  static override changes = true
  static override readsMany = true
  static override summary = 'Sync a folder or manifest to a container'
  static override rows = (flags: {readonly check?: boolean; readonly 'dry-run'?: boolean}) =>
    flags.check ? syncDifferences : flags['dry-run'] ? syncPlan : syncResults
  static override description =
    `Uploads files, then the bundles that link to them by uuid, and catalogs last. Skips a file only if the ledger or its stamp
proves its content, and the container lists it with the same name, platform and link. It must be complete and not in the
trash. --verify none trusts the listing; meta reads the metadata, and asks by HEAD whether a stamped file is complete;
catalog compares its view, too; download compares every byte. Files are stamped unless asset.stamp is false. Run the same
command again to resume, also on another machine with the same --state-dir. A manifest in the folder, roomctl.assets.yaml,
says which file is an asset, a catalog or a bundle and what it links to. Without one, *.bundle are bundles, catalog*.json,
.hash and .bin are catalogs, and all others are assets. A file .roomctlignore excludes files, too; a bundle that links to one
is an error. --shard needs no coordinator: linked files, and the files of a catalog, are in one shard. If two runs of the
same shard overlap, a file can be uploaded twice. --check exits 15 if a file is missing in the container, differs there or is
not proven to be the same.`
  static override args = {
    container: optionalArg('CONTAINER', 'path of the container, games/foo, or its uri'),
    'dir|manifest': optionalArg('DIR|MANIFEST', 'folder, or manifest in YAML or JSON'),
  }
  static override flags = {
    ...rowFlags,
    platform: valueFlag(platforms.join('|'), 'default platform'),
    description: valueFlag('TEXT', 'default description (default: the name of each file)'),
    create: switchFlag('create the container and its parents if missing'),
    exclude: repeatableFlag('GLOB', 'leave out what matches, as in .gitignore; repeatable'),
    check: switchFlag('send nothing; list what the container lacks', {
      exclusive: ['dry-run', 'create', 'fresh', 'result'],
    }),
    shard: valueFlag('I/N', 'sync only part I of N, as one job of a CI matrix'),
    stamp: stampFlag,
    ...sendFlags,
    overwrite: overwriteFlag('result'),
    ...changeFlags,
  }
  static override examples = commandExamples({
    'Sync a folder; run it again after any interruption': 'roomctl asset sync games/puzzle build/ios --platform ios',
    'See what would be done': 'roomctl asset sync games/puzzle build/ios --platform ios --dry-run',
    'Check that a container has all files; exits 15 if not':
      'roomctl asset sync games/puzzle build/ios --platform ios --check',
  })

  protected override assertAllowed(session: Session, flags: {readonly check?: boolean}): void {
    if (!flags.check) super.assertAllowed(session, flags)
  }

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AssetSync)
    const platform = flags.platform === undefined ? undefined : parseChoice('--platform', flags.platform, platforms)
    const request: SyncRequest = {
      typed: {container: args.container, from: args['dir|manifest']},
      filling: {platform, description: flags.description},
      // Exclude roomctl's own files and the outputs of this run.
      except: [...Object.values(session.paths), stateFolder(session, flags['state-dir']), ...reportedFiles(flags)],
      exclude: flags.exclude,
      inShard: flags.shard === undefined ? (files) => files : shardFilter(flags.shard),
      create: flags.create,
    }
    const options = readSendFlags(session, flags, {stamps: true})
    const {report} = options
    if (flags.check) return report.whole(presentSyncCheck(session, options, request))
    if (flags['dry-run']) return report.whole(presentSyncPlan(session, options, request))
    return report.whole(syncFiles(session, options, request))
  }
}
