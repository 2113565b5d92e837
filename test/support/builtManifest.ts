import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import type {Manifest} from '@oclif/core/interfaces'
import {root} from './repository.js'

const cache = path.join(root, 'node_modules/.cache/roomctl')

let manifest: Promise<Manifest> | undefined

/**
 * The manifest of the commands, made (in about a second) when a file of src is newer than the last one, which stays in a cache folder.
 */
export function builtManifest(): Promise<Manifest> {
  manifest ??= readOrMake()
  return manifest
}

async function readOrMake(): Promise<Manifest> {
  const folder = path.join(cache, String(newestSource()))
  const manifestFile = path.join(folder, 'manifest.json')
  if (!existsSync(manifestFile)) await make(folder)
  return JSON.parse(readFileSync(manifestFile, 'utf8'))
}

/** The time of the newest source, and how many there are: without a file that was deleted there is one less. */
function newestSource(): string {
  const files = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'})
  const times = [...files.map((file) => path.join('src', file)), 'package.json'].map(
    (file) => statSync(path.join(root, file)).mtimeMs,
  )
  // A point in a name is that of a folder that is being made.
  return `${files.length}-${Math.round(Math.max(...times))}`
}

/** Makes the folder under another name first: workers that find nothing make it at the same time. */
async function make(folder: string): Promise<void> {
  const own = `${folder}.${process.pid}`
  mkdirSync(own, {recursive: true})
  // Loaded where it is needed: seldom, and it takes as long to load as a file of tests takes to run.
  const {makeManifest} = await import('../../scripts/manifest.js')
  writeFileSync(path.join(own, 'manifest.json'), JSON.stringify(await makeManifest(root)))
  try {
    renameSync(own, folder)
  } catch {
    rmSync(own, {recursive: true, force: true})
  }
  for (const name of readdirSync(cache)) {
    if (!name.includes('.') && path.join(cache, name) !== folder)
      rmSync(path.join(cache, name), {recursive: true, force: true})
  }
}
