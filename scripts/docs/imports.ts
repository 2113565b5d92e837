import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'

/** An import of one file of ours by another; paths below the root, with `/`. */
export interface Import {
  readonly from: string
  readonly to: string
}

const statement = /import\s+(?:type\s+)?(?:\{[^}]*\}|[^'"]*?)\s*(?:from\s+)?'(\.[^']+)'|import\('(\.[^']+)'\)/gu

/** The files of `src`, as their paths below the root. */
export function sourceFiles(root: string): string[] {
  return readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'})
    .map((file) => path.posix.join('src', file.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.ts'))
    .sort()
}

/** Every import between the files below `src`, in the order of the files. */
export function readImports(root: string): Import[] {
  return sourceFiles(root).flatMap((from) =>
    [...readFileSync(path.join(root, from), 'utf8').matchAll(statement)].map(([, still, later]) => ({
      from,
      to: path.posix.join(path.posix.dirname(from), still ?? later ?? '').replace(/\.js$/u, '.ts'),
    })),
  )
}
