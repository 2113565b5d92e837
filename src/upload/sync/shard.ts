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
 * The files of a shard. Linked files and the files of a catalog stay together (connected components), so no shard waits for another;
 * the digest of their paths chooses the shard, the same on every machine.
 */
function filesOfShard<File extends Shardable>(
  files: readonly File[],
  {index, count}: ReturnType<typeof parseShard>,
): File[] {
  const rootOf = connect(files)
  const groups = grouped(files, ({key}) => rootOf(key))
  const own = new Set([...groups.values()].filter((group) => shardOf(group, count) === index).flat())
  return files.filter((file) => own.has(file))
}

function shardOf(group: readonly Pick<SyncFile, 'key'>[], count: number): number {
  const paths = group.map(({key}) => key.normalize('NFC')).sort()
  const digest = createHash('sha256').update(paths.join('\0')).digest()
  return (digest.readUIntBE(0, 6) % count) + 1
}

/** The representative of the group of a file, by its key: a union-find whose edges are links and catalogs. */
function connect(files: readonly Shardable[]): (key: string) => string {
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent
    // The way is made short, so that a long chain is walked once.
    for (let at = key; at !== root; ) {
      const next = parents.get(at) ?? root
      parents.set(at, root)
      at = next
    }
    return root
  }
  const join = (one: string, other: string) => {
    const [from, to] = [rootOf(one), rootOf(other)]
    if (from !== to) parents.set(from, to)
  }
  const catalogs = new Map<string, string>()
  for (const file of files) {
    const linked = linkedFile(file)
    if (linked !== undefined) join(file.key, linked)
    if (file.role !== 'catalog') continue
    // catalog_1.json, catalog_1.hash and catalog_1.bin are one catalog.
    const catalog = path.posix.join(path.posix.dirname(file.key), path.posix.parse(file.key).name)
    const first = catalogs.get(catalog)
    if (first === undefined) catalogs.set(catalog, file.key)
    else join(file.key, first)
  }
  return rootOf
}
