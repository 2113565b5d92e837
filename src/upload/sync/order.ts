import type {ListedFile} from './syncFile.js'

type Linked = Pick<ListedFile, 'key' | 'link'>

/** The file of the same run that a file links to. */
export function linkedFile({link}: Linked): string | undefined {
  return link !== undefined && 'file' in link ? link.file : undefined
}

/**
 * The files in the order in which their uploads begin: what is linked to before what links to it; among files that wait for
 * nothing more, those that others wait for, then the largest, then by name. The links must not go in a circle.
 */
export function inOrder<File extends Linked>(files: readonly File[], sizeOf: (file: File) => number): File[] {
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
        compare(one.file.key, other.file.key),
    )
    .map(({file}) => file)
}

/** The keys of a circle of links, where there is one. */
export function circleOf(files: readonly Linked[]): string[] | undefined {
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
export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
