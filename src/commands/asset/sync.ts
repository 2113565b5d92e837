import {resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import {platforms} from '../../api/contract/assetShapes.js'
import {commandExamples, confirmableFlags, optionalArg, overwriteFlag, repeatable} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {presentFrozen} from '../../features/asset/frozen.js'
import {lockFlags, readLockFlags} from '../../features/asset/lock.js'
import {retryCommand} from '../../features/asset/presentUploads.js'
import {initFolder, presentSyncPlan, type SyncRequest, syncFiles} from '../../features/asset/sync.js'
import {readSendFlags, sendFlags, stampFlag, stateFolder} from '../../features/asset/uploadFlags.js'
import {reportedFiles, UploadCommand} from '../../features/asset/uploadReport.js'
import {shardFilter} from '../../upload/sync/shard.js'

// A sync always tells the sha256: a later one knows by it what is there.
const {sha256: _, ...syncFlags} = sendFlags

export default class AssetSync extends UploadCommand {
  static override summary = 'Sync a folder or manifest to a container'
  static override description =
    `Uploads files, and then the bundles that link to them by uuid. Skips a file only if it is proven to be there: the container
lists it, its metadata has the same name, platform and link, it is complete and not in the trash, and its content is proven by
the ledger or by a stamp, [sha256:DIGEST] at the end of its description, which a sync adds. --verify none trusts the listing
alone; meta reads the metadata and asks by HEAD whether an upload with a stamp is complete; catalog compares the catalog view,
too; download compares every byte. Run the same command again to resume, also on another machine with the same --state-dir. A
folder may have a manifest, roomctl.assets.yaml, which says which file is an asset, a catalog or a bundle and what it links to; --init writes
one. Without a manifest, *.bundle are bundles, catalog*.json, .hash and .bin are catalogs, and all others are assets. --exclude
and a file .roomctlignore in the folder leave files out, with the patterns of .gitignore; a bundle that links to an excluded
file is an error. --shard needs no coordinator: files that links or a catalog connect are in one shard, which their paths
decide. The service has no lock, so two runs of one shard at once can still upload a file twice; asset duplicates finds it. Here --timeout limits the time without progress and --retries the attempts after it (default 7).`
  static override args = {
    container: optionalArg('CONTAINER', 'path of the container, games/foo, or its uri; may be left out with --init'),
    'dir|manifest': optionalArg('DIR|MANIFEST', 'folder, or manifest in YAML or JSON'),
  }
  static override flags = {
    platform: Flags.string({
      helpValue: platforms.join('|'),
      summary: 'default platform for files without one in the manifest',
    }),
    description: Flags.string({
      helpValue: 'TEXT',
      summary: 'description of the files that the manifest gives none (default: the name of each)',
    }),
    init: Flags.boolean({
      summary: 'write roomctl.assets.yaml for a folder, and upload nothing',
      exclusive: ['dry-run'],
    }),
    create: Flags.boolean({summary: 'create the container and its parents if they are missing', exclusive: ['init']}),
    exclude: Flags.string({
      helpValue: 'GLOB',
      ...repeatable,
      summary: 'leave out what matches, as in .gitignore; repeatable',
    }),
    ...lockFlags,
    shard: Flags.string({
      helpValue: 'I/N',
      summary: 'sync only part I of N: the jobs of a CI matrix share a folder',
      exclusive: ['init'],
    }),
    stamp: stampFlag,
    ...syncFlags,
    overwrite: overwriteFlag('init', 'lock', 'result'),
    ...confirmableFlags,
  }
  static override examples = commandExamples({
    'Sync a folder; run it again after any interruption':
      "roomctl asset sync games/puzzle build/ios --platform ios --description 'Build 42'",
    'See what would be done, for a script':
      "roomctl asset sync games/puzzle build/ios --platform ios --description 'Build 42' --dry-run -o json",
    'Write a manifest to edit, for bundles that belong to an asset':
      'roomctl asset sync --init build/ios --platform ios',
  })

  async run(): Promise<void> {
    const {args, flags, raw, session} = await this.start(AssetSync)
    const platform = flags.platform === undefined ? undefined : parseChoice('--platform', flags.platform, platforms)
    const request: SyncRequest = {
      typed: {container: args.container, from: args['dir|manifest']},
      filling: {platform, description: flags.description},
      // What roomctl keeps is none of the files, and neither is what this run writes.
      except: [
        ...Object.values(session.places),
        stateFolder(session, flags['state-dir']),
        ...reportedFiles(flags),
        ...(flags.lock ?? []).map((file) => resolve(file)),
      ],
      exclude: flags.exclude,
      inShard: shardFilter(flags.shard),
      create: flags.create,
    }
    if (flags.init) return initFolder(session, request, flags.overwrite)
    const locks = readLockFlags(session, flags)
    const options = readSendFlags(session, {...flags, sha256: true}, {stamps: true})
    const report = this.report(session, options)
    if (flags.frozen) return presentFrozen(session, options, request, locks.read)
    if (flags['dry-run']) return presentSyncPlan(session, options, request)
    const again = (from: string) => retryCommand('asset sync', raw, [from])
    await syncFiles(session, {...options, answers: flags}, request, {report, lock: locks.written, again})
  }
}
