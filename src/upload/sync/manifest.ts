import {type FileHandle, open, realpath, stat} from 'node:fs/promises'
import path from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import {type Manifest, type ManifestFile, uuidLink} from '../../api/contract/manifest.js'
import {assetFileId, originalFileName} from '../source/headers.js'
import {readShape} from './manifestShape.js'
import {type ManifestText, manifestFailure, type Problem, parseManifest} from './manifestText.js'
import {circleOf} from './order.js'
import type {FileList, Link, ListedFile} from './syncFile.js'

/** More than ten thousand files take; a file of this size is something else. */
const largest = 16 * 1024 * 1024

/**
 * Reads a manifest (YAML or JSON) and checks all that can be known without the service: its shape, that every path lies
 * below its folder and is a file, and that links lead somewhere and not in a circle. Raises a Failure (file) that names
 * line, member and what is expected there.
 */
export async function loadManifest(file: string): Promise<FileList> {
  const text = await parseManifest(await readWhole(file), file)
  const shape = readShape(text.value)
  if ('problems' in shape) throw manifestFailure(file, shape.problems, text)
  const {manifest} = shape
  const folder = path.dirname(path.resolve(file))
  const files = manifest.files.map((entry) => listedFile(entry, manifest, folder))
  assertSound(file, text, [...manifest.files.flatMap(ownProblems), ...linkProblems(manifest.files, files)])
  assertSound(file, text, await diskProblems(files, folder))
  return {
    source: file,
    ...(manifest.container === undefined ? {} : {container: manifest.container}),
    files,
    notes: [],
  }
}

function assertSound(file: string, text: ManifestText, problems: readonly Problem[]): void {
  if (problems.length > 0) throw manifestFailure(file, problems, text)
}

function listedFile(entry: ManifestFile, manifest: Manifest, folder: string): ListedFile {
  const key = keyOf(entry.path)
  const platform = entry.platform ?? manifest.platform
  const description = entry.description ?? manifest.description
  return {
    key,
    path: path.join(folder, key),
    role: entry.role,
    name: (entry.name ?? path.posix.basename(key)).normalize('NFC'),
    ...(platform === undefined ? {} : {platform}),
    ...(description === undefined ? {} : {description}),
    ...(entry.link === undefined ? {} : {link: linkOf(entry.link)}),
    ...(entry.sha256 === undefined ? {} : {sha256: entry.sha256.toLowerCase()}),
  }
}

/** `./a//b` is the same file as `a/b`. */
function keyOf(written: string): string {
  return path.posix.normalize(written).replace(/^\.\//u, '')
}

function linkOf(written: string): Link {
  return written.startsWith(uuidLink) ? {uuid: written.slice(uuidLink.length)} : {file: keyOf(written)}
}

/** What is wrong with a file whatever the others are. */
function ownProblems(entry: ManifestFile, index: number): Problem[] {
  const at = (member: keyof ManifestFile, text: string | undefined) =>
    text === undefined ? [] : [{at: ['files', index, member], text}]
  const name = entry.name ?? path.posix.basename(keyOf(entry.path))
  return [
    ...at('path', pathProblem(entry.path)),
    ...at(
      entry.name === undefined ? 'path' : 'name',
      problemOf(() => originalFileName(name)),
    ),
    ...at('link', linkProblem(entry)),
  ]
}

function pathProblem(written: string): string | undefined {
  if (written.includes('\\')) return 'there is a \\ in it; the parts of a path have / between them on every system'
  if (path.posix.isAbsolute(written) || path.win32.isAbsolute(written)) return 'it must be relative to the manifest'
  if (written.split('/').includes('..')) return 'it must lie in the folder of the manifest, without ..'
  return undefined
}

/** Only bundle files have an asset file (asset, Common resource metadata). */
function linkProblem({link, role}: ManifestFile): string | undefined {
  if (link === undefined) return undefined
  if (role !== 'bundle') return `a file of the role ${role} has no link: only a bundle belongs to an asset file`
  const target = linkOf(link)
  return 'uuid' in target ? problemOf(() => assetFileId(target.uuid)) : undefined
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.facts.message
    throw error
  }
}

/** Paths that stand there twice, links that lead nowhere, and circles. */
function linkProblems(entries: readonly ManifestFile[], files: readonly ListedFile[]): Problem[] {
  const first = new Map<string, number>()
  const twice: Problem[] = []
  for (const [index, {key}] of files.entries()) {
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, index)
    else twice.push({at: ['files', index, 'path'], text: `files[${earlier}] is the same file`})
  }
  const nowhere = files.flatMap(({link}, index): Problem[] => {
    if (link === undefined || 'uuid' in link || first.has(link.file)) return []
    const text = `${entries[index]?.link} is no path of this manifest; a resource of the service is named ${uuidLink}UUID`
    return [{at: ['files', index, 'link'], text}]
  })
  if (twice.length > 0 || nowhere.length > 0) return [...twice, ...nowhere]
  const circle = circleOf(files)
  if (circle === undefined) return []
  const [start = ''] = circle
  const text = `the links go round in a circle: ${[...circle, start].join(' -> ')}`
  return [{at: ['files', first.get(start) ?? 0, 'link'], text}]
}

/** Files that are not there, are no files, or lie elsewhere by a symbolic link. */
async function diskProblems(files: readonly ListedFile[], folder: string): Promise<Problem[]> {
  const inside = `${await realpath(folder)}${path.sep}`
  const problems: Problem[] = []
  for (const [index, file] of files.entries()) {
    const text = await diskProblem(file.path, inside)
    if (text !== undefined) problems.push({at: ['files', index, 'path'], text})
  }
  return problems
}

async function diskProblem(file: string, inside: string): Promise<string | undefined> {
  try {
    const real = await realpath(file)
    if (!`${real}${path.sep}`.startsWith(inside)) return 'a symbolic link leads out of the folder of the manifest'
    return (await stat(real)).isFile() ? undefined : 'it is no file'
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'there is no such file' : `it cannot be read (${code})`
  }
}

async function readWhole(file: string): Promise<string> {
  const unreadable = (why: string | undefined, cause?: unknown) =>
    new Failure({exit: 'file', message: `cannot read the manifest ${file}`, why}, {cause})
  let handle: FileHandle | undefined
  try {
    handle = await open(file, 'r')
    const {size} = await handle.stat()
    if (size > largest) throw unreadable(`it has ${size} bytes, which no manifest has`)
    return new TextDecoder('utf-8', {fatal: true}).decode(await handle.readFile())
  } catch (error) {
    if (error instanceof Failure) throw error
    if (error instanceof TypeError) throw unreadable('it is not text in UTF-8', error)
    const {code} = error as NodeJS.ErrnoException
    throw unreadable(code === 'ENOENT' ? 'there is no such file' : code, error)
  } finally {
    await handle?.close()
  }
}
