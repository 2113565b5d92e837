import path from 'node:path'
import type {InferredFlags} from '@oclif/core/interfaces'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {
  commandExamples,
  concurrencyFlag,
  defaultedFlag,
  failFastFlag,
  overwriteFlag,
  rowFlags,
  severalArg,
  switchFlag,
  valueFlag,
} from '../../cli/flags/flags.js'
import {readConcurrency} from '../../cli/flags/parseValues.js'
import {assertOutput, isStdoutName} from '../../cli/output/outputFile.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, withFacts, wrongUsage} from '../../failure.js'
import {
  mostDownloads,
  openStdout,
  presentDownloads,
  readDownloadFlags,
  startDownloadProgress,
} from '../../features/asset/download.js'
import {assetBase, containerOf, findNamed, readContainerArg, readResourceArgs} from '../../features/asset/paths.js'
import {downloadTree} from '../../features/asset/recursive.js'
import {downloadAll, streamResource} from '../../upload/download/download.js'
import {downloadResults} from '../../view/asset/transfers.js'

export default class AssetDownload extends RoomctlCommand {
  static override summary = 'Download resources to files'
  static override rows = downloadResults
  static override description =
    `Downloads from the dataUrl in the metadata of a resource, or from ?type=asset. Files keep their uploaded names, made safe for
the file system, and are renamed into place only when complete. After a broken connection a download continues if a strong
ETag, --expect or a stamp proves that the content is the same. Otherwise, and in a new run, the file starts over. Bytes that
differ from the stamp of a resource are not kept. A resource in the trash is skipped. An unfinished upload fails if HEAD
reports it. Existing files are kept unless --overwrite is given. The token is sent only to the origin of the asset service.`
  static override args = {
    resource: severalArg('CONTAINER/UUID', 'resource paths or uris; - reads them from stdin, one per line'),
  }
  static override flags = {
    ...rowFlags,
    dir: defaultedFlag('DIR', '.', 'target folder; created if missing'),
    to: valueFlag('FILE', 'write one resource to this file; - is stdout', {exclusive: ['dir']}),
    overwrite: overwriteFlag(),
    expect: valueFlag('SHA256', 'keep the file only if its sha256 matches'),
    recursive: switchFlag('download a CONTAINER and the containers in it, as folders', {exclusive: ['to', 'expect']}),
    concurrency: concurrencyFlag(mostDownloads),
    'fail-fast': failFastFlag,
  }
  static override examples = commandExamples({
    'A picture, under its uploaded name': 'roomctl asset download games/puzzle/a-logo',
    'Two resources, replacing existing files':
      'roomctl asset download games/puzzle/a-level1 games/puzzle/a-catalog --overwrite -o json',
    'A container with its contents, as folders': 'roomctl asset download games/puzzle --recursive --dir out',
    'Print the start of a catalog without writing a file':
      'roomctl asset download games/puzzle/a-catalog --to - | head -c 80',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AssetDownload)
    if (flags.recursive) return downloadContainer(session, args.resource, flags)
    const named = args.resource?.length === 1 ? args.resource[0] : undefined
    const advise = (error: unknown) => adviseRecursive(session, error, named)
    const {all: paths, single} = await readResourceArgs(session, args.resource).catch(advise)
    const {expect, concurrency} = readDownloadFlags(session, flags, paths.length)
    const all = await findNamed(session, paths).catch(advise)
    const [first] = all
    if (flags.to !== undefined && isStdoutName(flags.to) && first) {
      const stdout = openStdout(session)
      return stdout.close(await streamResource(session, first, {write: stdout.write, expect}))
    }
    const {to, dir, overwrite, 'fail-fast': failFast} = flags
    if (to !== undefined) assertOutput(to, {overwrite}, '; nothing was sent')
    const place = to === undefined ? {folder: dir} : {folder: path.dirname(to), name: path.basename(to)}
    const expected = expect === undefined ? {} : {expect}
    const notes = await startDownloadProgress(session, all.length)
    const run = {...place, ...expected, ...notes, overwrite, failFast, concurrency, single}
    const rows = await downloadAll(session, all, run).catch(advise).finally(notes.stop)
    await presentDownloads(session, rows)
  }
}

/** Failures about a resource that is certainly none of a container. */
const resourceCodes: readonly unknown[] = ['trashed', 'no-such-name']

/** Names the flag for a container, if what was named is no resource. Throws the error, or the Failure with that advice. */
async function adviseRecursive(session: Session, error: unknown, named = ''): Promise<never> {
  const {exit, code} = error instanceof Failure ? error.facts : {}
  const isNone = (exit === 'missing' && !resourceCodes.includes(code)) || (exit === 'usage' && code !== 'several-named')
  if (!isNone || containerOf(named, await assetBase(session)) === undefined) throw error
  const sentence = code === 'container' ? undefined : 'if it is a container'
  throw withFacts(error, () => ({try: {sentence, command: ['asset download', named, '--recursive']}}))
}

type TreeFlags = InferredFlags<typeof AssetDownload.flags>

async function downloadContainer(session: Session, [first, ...others]: readonly string[] = [], flags: TreeFlags) {
  if (first === undefined || first === '-' || others.length > 0) {
    throw wrongUsage('--recursive takes one CONTAINER', {
      try: 'name one container, and the folder to write to with --dir',
    })
  }
  const {dir, overwrite, 'fail-fast': failFast} = flags
  const concurrency = readConcurrency(session, flags.concurrency, mostDownloads)
  await downloadTree(session, {
    container: await readContainerArg(session, first),
    dir,
    overwrite,
    failFast,
    concurrency,
  })
}
