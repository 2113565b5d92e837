import {resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import {platforms} from '../../api/contract/assetShapes.js'
import {commandExamples, confirmableFlags, optionalArg, overwriteFlag, repeatable} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {presentDone, presentList, resultView} from '../../cli/output/present.js'
import {confirmChange} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {readExclusions} from '../../features/asset/exclusions.js'
import {
  assertLockSize,
  lockFlags,
  lockLineOf,
  presentFrozen,
  readLockFlags,
  readLocks,
  writeLock,
} from '../../features/asset/lock.js'
import {parseContainer} from '../../features/asset/paths.js'
import {presentUploads, retryCommand} from '../../features/asset/presentUploads.js'
import {assertManifestContainer, previewSync, readInitArgs, readSyncArgs, syncFiles} from '../../features/asset/sync.js'
import {readSendFlags, sendFlags, stampFlag, stateFolder} from '../../features/asset/uploadFlags.js'
import {reportedFiles, UploadCommand} from '../../features/asset/uploadReport.js'
import {counted, safeText} from '../../text/text.js'
import {completeFiles, readFileList, unusedFlags} from '../../upload/sync/fileList.js'
import {type InitFacts, initManifest} from '../../upload/sync/initManifest.js'
import {shardFilter} from '../../upload/sync/shard.js'
import {frozenView} from '../../view/asset/checks.js'
import {syncPlan, syncResults} from '../../view/asset/transfers.js'
import {checkOutput} from '../../view/format/output.js'

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
    const filling = {platform, description: flags.description}
    // What roomctl keeps is none of the files, and neither is what this run writes.
    const except = [
      ...Object.values(session.places),
      stateFolder(session, flags['state-dir']),
      ...reportedFiles(flags),
      ...(flags.lock ?? []).map((file) => resolve(file)),
    ]
    const typed = {container: args.container, from: args['dir|manifest']}
    if (flags.init) {
      const place = await readInitArgs(session, typed)
      const isExcluded = await readExclusions(session, place.folder, flags.exclude)
      return init(session, place, {...filling, except, isExcluded, overwrite: flags.overwrite})
    }

    const locks = readLockFlags(session, flags)
    const inShard = shardFilter(flags.shard)
    const options = readSendFlags(session, {...flags, sha256: true}, {stamps: true})
    const report = this.report(session, options)
    if (flags.frozen) await checkOutput(frozenView(() => undefined).columns, session.output)
    else if (flags['dry-run']) await checkOutput(syncPlan.columns, session.output)
    else await checkOutput(syncResults.columns, session.output)
    const {container: given, from} = await readSyncArgs(session, typed)
    const {base} = await session.api.access('asset')
    const container = parseContainer(given, base)
    const lines = flags.frozen ? readLocks(locks.read, container) : new Map()
    const found = await readFileList(from, except, await readExclusions(session, from, flags.exclude))
    assertManifestContainer(container, found, base)
    for (const note of [...found.notes, ...unusedFlags(found, filling)]) session.warn(safeText(note))
    if (flags.frozen) {
      const {concurrency, verify: level, stateDir} = options
      const files = inShard(found.files)
      const own = new Set(files)
      const run = {
        files,
        others: new Set(found.files.flatMap((file) => (own.has(file) ? [] : [file.key]))),
        base,
        container,
        lines,
        concurrency,
        level,
        platform,
        stateDir,
      }
      return presentFrozen(session, run)
    }
    const files = inShard(completeFiles(found, filling, options.settings.headerEncoding))
    const run = {files, base, container, create: flags.create}
    if (flags['dry-run']) return presentList(session, await previewSync(session, options, run), syncPlan)
    if (locks.written) assertLockSize(container, files)
    report.expect(`asset sync to ${container}`, files, container)
    const count = counted(files.length, 'file')
    await confirmChange(session, flags, 'asset', `sync ${count} to ${safeText(container)}`)
    const startedAt = session.runtime.now()
    const outcomes = await syncFiles(session, {...options, answers: flags}, run)
    const again = () => retryCommand('asset sync', raw, [from])
    const {progress} = options
    await presentUploads(session, outcomes, {startedAt, progress, report, again, view: syncResults})
    if (locks.written) await writeLock(locks.written, container, outcomes.map(lockLineOf))
  }
}

async function init(
  session: Session,
  {container, folder}: Awaited<ReturnType<typeof readInitArgs>>,
  facts: Omit<InitFacts, 'container'>,
): Promise<void> {
  const view = await resultView(session, ['file', 'files'])
  const {file, files, notes} = await initManifest(folder, {...facts, container})
  for (const note of notes) session.warn(safeText(note))
  const count = counted(files, 'file')
  await presentDone(session, view, {file, files}, file, `wrote ${safeText(file)}, which names ${count}`)
}
