import type {Dirent} from 'node:fs'
import {readdir} from 'node:fs/promises'
import path from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import {manifestNames, type Role} from '../../api/contract/manifest.js'
import {isDraft} from '../../storage/disk/replaceFile.js'
import type {FileList, ListedFile} from './syncFile.js'
import {compareText} from './syncFile.js'

interface ScanResult {
  readonly files: ListedFile[]
  /** What is not taken, by the reason; paths below the folder. */
  readonly left: Map<string, string[]>
}

/** Names that a note spells out; the rest is counted. */
const namesShown = 5

/**
 * What a folder without a manifest holds, in all its folders, sorted by path: `*.bundle` are bundles, `catalog*.json`,
 * `.hash` and `.bin` are catalogs, the rest are assets. Hidden files and folders, symbolic links and what is no file are left
 * out, and so is everything below `except` (absolute paths). A bundle is linked only where there is no doubt: to the one
 * asset beside it that has its name but for the extension. Raises a Failure (file) for a folder that cannot be read.
 */
export async function scanFolder(folder: string, except: readonly string[] = []): Promise<FileList> {
  const found: ScanResult = {files: [], left: new Map()}
  const root = path.resolve(folder)
  const waiting = ['']
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const entries = await entriesOf(path.join(root, below), folder)
    for (const entry of entries) {
      const key = path.posix.join(below, entry.name)
      if (!except.includes(path.join(root, key)) && addEntry(found, entry, key, root)) waiting.push(key)
    }
  }
  const sorted = found.files.sort((one, other) => compareText(one.key, other.key))
  const files = linkBundles(sorted)
  return {source: folder, files, notes: [...leftNotes(found.left), ...linkNote(files)]}
}

/** Puts an entry among what was found; true for a folder that is to be looked into. */
function addEntry({files, left}: ScanResult, entry: Dirent, key: string, root: string): boolean {
  const why = reasonToLeave(entry)
  if (why !== undefined) left.set(why, [...(left.get(why) ?? []), key])
  else if (entry.isDirectory()) return true
  else files.push({key, path: path.join(root, key), role: roleOf(entry.name), name: entry.name.normalize('NFC')})
  return false
}

/** The role that a file's name tells. */
function roleOf(name: string): Role {
  if (/\.bundle$/iu.test(name)) return 'bundle'
  return /^catalog.*\.(?:json|hash|bin)$/iu.test(name) ? 'catalog' : 'asset'
}

async function entriesOf(folder: string, given: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, {withFileTypes: true})
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    const why = `${folder}: ${code === 'EACCES' ? 'permission denied' : code}`
    throw new Failure({exit: 'file', message: `cannot read the folder ${given}`, why}, {cause: error})
  }
}

function reasonToLeave(entry: Dirent): string | undefined {
  if (entry.name.startsWith('.')) return 'hidden entries'
  if (entry.isSymbolicLink()) return 'symbolic links'
  if (entry.isDirectory()) return undefined
  if (!entry.isFile()) return 'special files'
  if (isDraft(entry.name)) return 'incomplete manifests'
  return (manifestNames as readonly string[]).includes(entry.name) ? 'manifests of another folder' : undefined
}

/** Bundles with their links. Another guess could tie one to a picture that only happens to lie beside it. */
function linkBundles(files: readonly ListedFile[]): ListedFile[] {
  const assets = new Map<string, string[]>()
  for (const {key, role} of files) {
    if (role === 'asset') assets.set(stemOf(key), [...(assets.get(stemOf(key)) ?? []), key])
  }
  return files.map((file) => {
    const [asset, ...others] = file.role === 'bundle' ? (assets.get(stemOf(file.key)) ?? []) : []
    return asset !== undefined && others.length === 0 ? {...file, link: {file: asset}} : file
  })
}

/** The path without the extension. */
function stemOf(key: string): string {
  return key.slice(0, key.length - path.posix.extname(key).length)
}

function leftNotes(left: ReadonlyMap<string, readonly string[]>): string[] {
  return [...left].map(([why, keys]) => {
    const sorted = [...keys].sort(compareText)
    const more = sorted.length - namesShown
    return `ignored ${why}: ${sorted.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  })
}

function linkNote(files: readonly ListedFile[]): string[] {
  const alone = files.filter(({role, link}) => role === 'bundle' && link === undefined).length
  if (alone === 0) return []
  const bundles = alone === 1 ? '1 bundle is' : `${alone} bundles are`
  return [`${bundles} without an asset link because the names are ambiguous; set it in the manifest`]
}
