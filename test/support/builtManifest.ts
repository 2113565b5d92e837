import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import type {Manifest} from '@oclif/core/interfaces'
import {root} from './repository.js'

const cache = path.join(root, 'node_modules/.cache/roomctl')
const name = 'manifest.json'

let manifest: Promise<Manifest> | undefined

/**
 * The manifest of the commands, made (in about a second) when a file of src is newer than the last one, which stays in a cache folder.
 */
export function builtManifest(): Promise<Manifest> {
  manifest ??= readOrMake()
  return manifest
}

async function readOrMake(): Promise<Manifest> {
  const folder = folderOfNewest()
  if (!existsSync(path.join(folder, name))) keep(folder, await made())
  return JSON.parse(readFileSync(path.join(folder, name), 'utf8'))
}

/** Takes the manifest of a build that is up to date, so that no worker makes it again. */
export function takeManifest(built: string): void {
  const folder = folderOfNewest()
  if (!existsSync(path.join(folder, name))) keep(folder, readFileSync(built, 'utf8'))
}

const folderOfNewest = () => path.join(cache, newestSource())

/** The time of the newest source, and how many there are: without a file that was deleted there is one less. */
function newestSource(): string {
  const files = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'})
  const times = [...files.map((file) => path.join('src', file)), 'package.json'].map(
    (file) => statSync(path.join(root, file)).mtimeMs,
  )
  // A point in a name is that of a folder that is being made.
  return `${files.length}-${Math.round(Math.max(...times))}`
}

async function made(): Promise<string> {
  // Loaded where it is needed: seldom, and it takes as long to load as a file of tests takes to run.
  const {makeManifest} = await import('../../scripts/manifest.js')
  return JSON.stringify(await makeManifest(root))
}

/** Makes the folder under another name first: workers that find nothing make it at the same time. */
function keep(folder: string, text: string): void {
  const own = `${folder}.${process.pid}`
  mkdirSync(own, {recursive: true})
  writeFileSync(path.join(own, name), text)
  try {
    renameSync(own, folder)
  } catch {
    rmSync(own, {recursive: true, force: true})
  }
  for (const other of readdirSync(cache)) {
    if (!other.includes('.') && path.join(cache, other) !== folder)
      rmSync(path.join(cache, other), {recursive: true, force: true})
  }
}
