import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {type Import, readImports} from './docs/imports.js'

/** What `npm run size` counts of the files below src/. Files are named by their path below the root. */
export interface Size {
  readonly files: number
  readonly lines: number
  readonly medianLines: number
  /** Files of under 40 lines that one other file imports, and no more. */
  readonly smallImportedOnce: readonly string[]
  readonly largestFolder: {readonly name: string; readonly files: number}
  /** Folders that import each other, directly or over others, at any depth. */
  readonly folderCycles: readonly string[]
  /** Exported names that more than one file exports. */
  readonly repeatedExports: readonly string[]
}

const smallLines = 40

/** Counts the source below `root`. */
export function measureSize(root: string): Size {
  const files = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'})
    .map((file) => path.posix.join('src', file.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.ts'))
  const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
  const lines = new Map([...texts].map(([file, text]) => [file, text.trimEnd().split('\n').length]))
  const imports = readImports(root)
  const counts = [...lines.values()].sort((a, b) => a - b)
  const [largest = '', inLargest = 0] = [...countBy(files, path.posix.dirname)].sort(([, a], [, b]) => b - a)[0] ?? []
  return {
    files: files.length,
    lines: counts.reduce((sum, count) => sum + count, 0),
    medianLines: counts[Math.floor(counts.length / 2)] ?? 0,
    smallImportedOnce: smallImportedOnce(lines, imports),
    largestFolder: {name: largest, files: inLargest},
    folderCycles: folderCycles(imports),
    repeatedExports: repeatedExports(texts),
  }
}

/** The sizes as lines for people. With `details`, what is counted is named below its count. */
export function sizeTable(size: Size, {details}: {details: boolean}): string {
  const {largestFolder} = size
  const named = (count: string, names: readonly string[]) => [
    count,
    ...(details ? names.map((name) => `  ${name}`) : []),
  ]
  return [
    `files                                ${size.files}`,
    `lines                                ${size.lines}`,
    `median lines of a file               ${size.medianLines}`,
    ...named(`imported once and under ${smallLines} lines   ${size.smallImportedOnce.length}`, size.smallImportedOnce),
    `largest folder                       ${largestFolder.files} (${largestFolder.name})`,
    ...named(`folder cycles                        ${size.folderCycles.length}`, size.folderCycles),
    ...named(`repeated export names                ${size.repeatedExports.length}`, size.repeatedExports),
  ].join('\n')
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

function smallImportedOnce(lines: ReadonlyMap<string, number>, imports: readonly Import[]): string[] {
  const importers = new Map<string, Set<string>>()
  for (const {from, to} of imports) importers.set(to, (importers.get(to) ?? new Set()).add(from))
  return [...lines]
    .filter(([file, count]) => count < smallLines && importers.get(file)?.size === 1)
    .map(([file]) => file)
    .sort()
}

/** `export function x`, `export async function x`, `export const x`, `export class X`, `export interface X`, `export type X` */
const exported = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gmu

function repeatedExports(texts: ReadonlyMap<string, string>): string[] {
  const places = new Map<string, string[]>()
  for (const [file, text] of texts) {
    for (const name of new Set([...text.matchAll(exported)].map(([, one = '']) => one))) {
      places.set(name, [...(places.get(name) ?? []), file])
    }
  }
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name}: ${files.join(', ')}`)
    .sort()
}

/** Cycles among the folders of each depth: at depth 2 src/api/client stands for all below it. */
function folderCycles(imports: readonly Import[]): string[] {
  const found = new Set<string>()
  for (let depth = 2; depth <= 5; depth += 1) {
    const folderOf = (file: string) => path.posix.dirname(file).split('/').slice(0, depth).join('/')
    const edges = new Map<string, Set<string>>()
    for (const {from, to} of imports) {
      const [importer, imported] = [folderOf(from), folderOf(to)]
      if (importer !== imported) edges.set(importer, (edges.get(importer) ?? new Set()).add(imported))
    }
    const reached = new Map([...edges.keys()].map((folder) => [folder, reachableFrom(folder, edges)]))
    for (const [folder, others] of reached) {
      const cycle = [...others].filter((other) => reached.get(other)?.has(folder))
      if (others.has(folder)) found.add([...new Set([folder, ...cycle])].sort().join(' ↔ '))
    }
  }
  return [...found].sort()
}

/** The folders that can be reached by imports; the folder itself is one of them where it lies on a cycle. */
function reachableFrom(folder: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>()
  const waiting = [...(edges.get(folder) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...(edges.get(next) ?? []))
  }
  return seen
}
