import {createHash} from 'node:crypto'
import path from 'node:path'
import {wrongUsage} from '../../failure.js'
import {grouped} from '../../text/text.js'
import {linkedFile, type SyncFile} from '../model/job.js'

type Shardable = Pick<SyncFile, 'key' | 'link' | 'role'>

/** Chooses the files of `--shard I/N`. Throws Failure (usage). */
export function shardFilter(text: string): <File extends Shardable>(files: readonly File[]) => readonly File[] {
  const shard = parseShard(text)
  return (files) => filesOfShard(files, shard)
}

function parseShard(text: string) {
  const [, index, count] = (/^(\d{1,9})\/(\d{1,9})$/u.exec(text) ?? []).map(Number)
  if (index !== undefined && count !== undefined && index >= 1 && index <= count) return {index, count}
  throw wrongUsage(`--shard takes I/N with I from 1 to N, such as 2/5, not ${JSON.stringify(text.slice(0, 40))}`)
}

/**
 * The files of a shard. A bundle stays with the file that it links to, and the files of a catalog together, so no shard waits for
 * another; the digest of their paths chooses the shard, the same on every machine.
 */
function filesOfShard<File extends Shardable>(
  files: readonly File[],
  {index, count}: ReturnType<typeof parseShard>,
): File[] {
  const byKey = new Map(files.map((file) => [file.key, file]))
  const groups = grouped(files, (file) => groupOf(byKey.get(linkedFile(file) ?? '') ?? file))
  const own = new Set([...groups.values()].filter((group) => shardOf(group, count) === index).flat())
  return files.filter((file) => own.has(file))
}

function shardOf(group: readonly Pick<SyncFile, 'key'>[], count: number): number {
  const paths = group.map(({key}) => key.normalize('NFC')).sort()
  const digest = createHash('sha256').update(paths.join('\0')).digest()
  return (digest.readUIntBE(0, 6) % count) + 1
}

/** catalog_1.json, catalog_1.hash and catalog_1.bin are one catalog. */
function groupOf({key, role}: Shardable): string {
  if (role !== 'catalog') return key
  return `catalog ${path.posix.join(path.posix.dirname(key), path.posix.parse(key).name)}`
}
