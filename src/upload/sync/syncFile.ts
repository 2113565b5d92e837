import type {Platform} from '../../api/contract/assetShapes.js'
import type {Role} from '../../api/contract/manifest.js'

/** What a bundle belongs to: another file of the same run, or a resource that the service has. */
export type Link = {readonly file: string} | {readonly uuid: string}

/** A file to be synced, as a manifest or a folder names it; what neither says comes from the flags. */
export interface ListedFile {
  /** Its path below the folder, with `/` between the parts: what results call it. */
  readonly key: string
  readonly path: string
  readonly role: Role
  readonly name: string
  readonly platform?: Platform
  readonly description?: string
  readonly link?: Link
  /** What the file must be, in hex. */
  readonly sha256?: string
}

/** A file to be synced, with all that its upload says of it. */
export interface SyncFile extends ListedFile {
  readonly platform: Platform
  readonly description: string
}

export interface FileList {
  readonly source: string
  /** The container that a manifest is meant for, as it is written there. */
  readonly container?: string
  readonly files: readonly ListedFile[]
  /** What a person should know of files that are left out or not linked; sentences without a full stop. */
  readonly notes: readonly string[]
}

type Linked = Pick<ListedFile, 'key' | 'link'>

export function linkedFile({link}: Linked): string | undefined {
  return link !== undefined && 'file' in link ? link.file : undefined
}

/** Topological order of the links; then what others wait for, then the largest, then by name. The links must be without a cycle. */
export function uploadOrder<File extends Linked>(files: readonly File[], sizeOf: (file: File) => number): File[] {
  const byKey = new Map(files.map((file) => [file.key, file]))
  const needed = new Set(files.map(linkedFile))
  const depths = new Map<string, number>()
  const depthOf = (file: File): number => {
    // A loop, since a chain of links may be longer than the stack is deep.
    const chain: File[] = []
    let at: File | undefined = file
    while (at !== undefined && !depths.has(at.key)) {
      chain.push(at)
      at = byKey.get(linkedFile(at) ?? '')
    }
    const below = at === undefined ? -1 : (depths.get(at.key) ?? -1)
    for (const [steps, {key}] of chain.reverse().entries()) depths.set(key, below + 1 + steps)
    return depths.get(file.key) ?? 0
  }
  const ranked = files.map((file) => ({
    file,
    depth: depthOf(file),
    waited: needed.has(file.key) ? 0 : 1,
    size: sizeOf(file),
  }))
  return ranked
    .sort(
      (one, other) =>
        one.depth - other.depth ||
        one.waited - other.waited ||
        other.size - one.size ||
        compareText(one.file.key, other.file.key),
    )
    .map(({file}) => file)
}

/** The keys of a circle of links, where there is one. */
export function findCycle(files: readonly Linked[]): string[] | undefined {
  const byKey = new Map(files.map((file) => [file.key, file]))
  const sound = new Set<string>()
  for (const file of files) {
    const way: string[] = []
    const onWay = new Set<string>()
    let at: Linked | undefined = file
    while (at !== undefined && !sound.has(at.key)) {
      if (onWay.has(at.key)) return way.slice(way.indexOf(at.key))
      way.push(at.key)
      onWay.add(at.key)
      at = byKey.get(linkedFile(at) ?? '')
    }
    for (const key of way) sound.add(key)
  }
  return undefined
}

/** The order of the code units: the same on every machine, whatever its language. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
