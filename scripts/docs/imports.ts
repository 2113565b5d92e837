import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'

/** An import of one file of ours by another; paths below the root, with `/`. */
export interface Import {
  readonly from: string
  readonly to: string
  /** What it is called there; empty for `import()` and for a whole module. */
  readonly names: readonly string[]
}

const statement = /import\s+(?:type\s+)?(?:\{([^}]*)\}|[^'"]*?)\s*(?:from\s+)?'(\.[^']+)'|import\('(\.[^']+)'\)/gu

/** Every import between the files below `src`, in the order of the files. */
export function readImports(root: string): Import[] {
  const files = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'})
    .map((file) => path.posix.join('src', file.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.ts'))
    .sort()
  return files.flatMap((from) =>
    [...readFileSync(path.join(root, from), 'utf8').matchAll(statement)].map(([, names = '', still, later]) => ({
      from,
      to: path.posix.join(path.posix.dirname(from), still ?? later ?? '').replace(/\.js$/u, '.ts'),
      names: names
        .split(',')
        .map(nameThere)
        .filter((name) => name !== ''),
    })),
  )
}

/** `type Input` and `list as listRooms` name Input and list. */
function nameThere(text: string): string {
  const [name = ''] = text
    .trim()
    .replace(/^type\s+/u, '')
    .split(/\s+as\s+/u)
  return name
}
