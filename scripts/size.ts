import {existsSync, readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {type Import, readImports} from './docs/imports.js'
import type {LoadedFiles} from './loaded.js'

/** The counts of `npm run size` for src/. Files are named by their path below the root. */
export interface Size {
  readonly files: number
  readonly lines: number
  /** Of test/, support files included. */
  readonly testLines: number
  readonly medianLines: number
  /** Files of under 40 lines that one other file imports, and no more. */
  readonly smallImportedOnce: readonly string[]
  readonly largestFolder: {readonly name: string; readonly files: number}
  /** Folders that import each other, directly or over others, at any depth. */
  readonly folderCycles: readonly string[]
  /** Exported names that more than one file exports. */
  readonly repeatedExports: readonly string[]
  /** Names at the top level of five files and more that none of them exports: each with its number of files. */
  readonly homonyms: readonly string[]
  /** Uses of Object.create to change some members of an object: `file:line`. */
  readonly objectPatches: readonly string[]
  /** Old-fashioned words in comments, of scripts and bench too: `file:line word`. */
  readonly dialect: readonly string[]
  /** The interfaces of three and more optional members, the largest number first. */
  readonly optionalMembers: readonly {readonly name: string; readonly members: number}[]
}

const smallLines = 40

/** Counts the source below `root`. */
export function measureSize(root: string): Size {
  const texts = readTexts(root, 'src')
  const files = [...texts.keys()]
  const lines = lineCounts(texts)
  const imports = readImports(root)
  const counts = [...lines.values()].sort((a, b) => a - b)
  const [largest = '', inLargest = 0] = [...countBy(files, path.posix.dirname)].sort(([, a], [, b]) => b - a)[0] ?? []
  return {
    files: files.length,
    lines: sum(counts),
    testLines: sum([...lineCounts(readTexts(root, 'test')).values()]),
    medianLines: counts[Math.floor(counts.length / 2)] ?? 0,
    smallImportedOnce: smallImportedOnce(lines, imports),
    largestFolder: {name: largest, files: inLargest},
    folderCycles: folderCycles(imports),
    repeatedExports: repeatedExports(texts),
    homonyms: homonyms(texts),
    objectPatches: findLines(texts, /Object\.create\(/u),
    dialect: ['src', 'scripts', 'bench']
      .filter((folder) => existsSync(path.join(root, folder)))
      .flatMap((folder) => dialectIn(readTexts(root, folder))),
    optionalMembers: optionalMembers(texts),
  }
}

/** The sizes as lines for people. With `details`, the counted items are named below each count. */
export function sizeTable(size: Size, {details}: {details: boolean}): string {
  const {largestFolder, optionalMembers} = size
  const row = rowsWith(details)
  const most = optionalMembers[0]
  return [
    ...row('files', size.files),
    ...row('lines', size.lines),
    ...row('lines of tests', size.testLines),
    ...row('median lines of a file', size.medianLines),
    ...row(`imported once and under ${smallLines} lines`, size.smallImportedOnce.length, size.smallImportedOnce),
    ...row('largest folder', `${largestFolder.files} (${largestFolder.name})`),
    ...row('folder cycles', size.folderCycles.length, size.folderCycles),
    ...row('repeated export names', size.repeatedExports.length, size.repeatedExports),
    ...row(`private names in ${homonymFiles} and more files`, size.homonyms.length, size.homonyms),
    ...row('Object.create patches', size.objectPatches.length, size.objectPatches),
    ...row('dialect words in comments', size.dialect.length, size.dialect),
    ...row(
      'most optional members of an interface',
      most ? `${most.members} (${most.name})` : 0,
      optionalMembers.map(({name, members}) => `${members} ${name}`),
    ),
  ].join('\n')
}

/** The files that run for each command line as lines for people. With `details`, all that are loaded are named. */
export function loadedTable(counted: readonly LoadedFiles[], {details}: {details: boolean}): string {
  const row = rowsWith(details)
  return [
    'files that run (a function of theirs is called after they are loaded) and files loaded, by V8 coverage of a run from the source:',
    ...counted.flatMap(({line, exit, run, loaded}) => {
      const name = line.split(' ').slice(0, 2).join(' ')
      const counts = `${run.length} run, ${loaded.length} loaded${exit === 0 ? '' : `, exit ${exit}`}`
      return row(
        name,
        counts,
        loaded.map((file) => `${run.includes(file) ? 'run   ' : 'loaded'} ${file}`),
      )
    }),
  ].join('\n')
}

/** Draws a row: its name, its count, and with `details` the counted items below it. */
function rowsWith(details: boolean) {
  return (name: string, count: number | string, counted: readonly string[] = []) => [
    `${name.padEnd(40)}${count}`,
    ...(details ? counted.map((one) => `  ${one}`) : []),
  ]
}

/** The files of TypeScript below a folder of the root, as paths below the root, with their texts. */
function readTexts(root: string, folder: string): Map<string, string> {
  return new Map(
    readdirSync(path.join(root, folder), {recursive: true, encoding: 'utf8'})
      .map((file) => path.posix.join(folder, file.replaceAll('\\', '/')))
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  )
}

function lineCounts(texts: ReadonlyMap<string, string>): Map<string, number> {
  return new Map([...texts].map(([file, text]) => [file, text.trimEnd().split('\n').length]))
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
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

const homonymFiles = 5

/** `function x`, `async function x`, `const x` at the top level, not exported. */
const declared = /^(?:async )?(?:function\*?|const|let) (\w+)/gmu

function homonyms(texts: ReadonlyMap<string, string>): string[] {
  const names = [...texts.values()].flatMap((text) => [
    ...new Set([...text.matchAll(declared)].map(([, name = '']) => name)),
  ])
  return [...countBy(names, (name) => name)]
    .filter(([, files]) => files >= homonymFiles)
    .sort(([one, files], [other, more]) => more - files || one.localeCompare(other))
    .map(([name, files]) => `${files} ${name}`)
}

function findLines(texts: ReadonlyMap<string, string>, wanted: RegExp): string[] {
  return [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, at) => (wanted.test(line) ? [`${file}:${at + 1}`] : [])),
  )
}

/** A whole line of a comment, or the comment after code. */
const comment = /^\s*(?:\/\*\*?|\*)(.*)|(?:^|\s)\/\/ (.*)/u
const dialect = new RegExp(
  `\\b(?:${[
    ...['begun', 'anew', 'stands', 'stood', 'tells?', 'told', 'came of', 'comes of', 'became of', 'gone on', 'goes on'],
    ...[
      'lies',
      'g[ai]ves? back',
      'given back',
      'raise[sd]?',
      'nobody',
      'somebody',
      'so much',
      'so many (?!th)',
      'hear[sd]?',
    ],
    ...['likewise', 'believe[sd]?', '(?:is|are) none', 'nothing but', 'where there (?:is|are)'],
    ...['is said', 'are said', 'again and again', 'at hand', 'whom', 'a clause without a full stop'],
  ].join('|')})\\b`,
  'giu',
)

function dialectIn(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, at) => {
      const [, block, after] = comment.exec(line) ?? []
      return [...(block ?? after ?? '').matchAll(dialect)].map(([word]) => `${file}:${at + 1} ${word.toLowerCase()}`)
    }),
  )
}

/** An interface as Biome lays it out, with its members two spaces deep. */
const interfaces = /^(?:export )?interface (\w+).*\{\n([\s\S]*?)^\}/gmu

function optionalMembers(texts: ReadonlyMap<string, string>): Size['optionalMembers'] {
  return [...texts.values()]
    .flatMap((text) => [...text.matchAll(interfaces)])
    .map(([, name = '', body = '']) => ({name, members: [...body.matchAll(/^ {2}(?:readonly )?\w+\?[:(]/gmu)].length}))
    .filter(({members}) => members > 2)
    .sort((a, b) => b.members - a.members)
}

/** Cycles among the folders of each depth: at depth 2 src/api/client includes all below it. */
function folderCycles(imports: readonly Import[]): string[] {
  const found = new Set<string>()
  for (let depth = 2; depth <= 5; depth += 1) {
    const folderOf = (file: string) => {
      const folder = path.posix.dirname(file)
      // failure.ts and advice.ts are below all folders, and main.ts above them.
      return folder === 'src' ? file : folder.split('/').slice(0, depth).join('/')
    }
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

/** The folders reachable by imports; includes the folder itself if it is on a cycle. */
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
