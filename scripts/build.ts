import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {bundleAll} from './bundle.js'
import {documentedCommands} from './docs/commands.js'
import {manPages} from './man/pages.js'
import {makeManifest} from './manifest.js'
import {billOfMaterials, thirdPartyNotices} from './notices.js'
import {splitManifest} from './splitManifest.js'

/** Builds dist/ below `root`. oclif.manifest.json and meta.json are for the tests; the rest is in the package. */
export async function buildAll(root: string): Promise<void> {
  const [manifest, bundles] = await Promise.all([makeManifest(root), bundleAll(root)])
  const {heads, details} = splitManifest(manifest)
  const metafiles = bundles.map(({metafile}) => metafile)
  const files = new Map(bundles.map(({file, text}) => [file, text]))
  files.set('commands.json', JSON.stringify(heads))
  files.set('commandDetails.json', details)
  files.set('THIRD-PARTY-NOTICES.txt', thirdPartyNotices(root, metafiles))
  files.set('bom.json', billOfMaterials(root, metafiles))
  files.set('meta.json', JSON.stringify(metafiles))
  files.set('oclif.manifest.json', JSON.stringify(manifest, null, 2))
  const pjson = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  for (const [file, text] of manPages(root, pjson, documentedCommands(manifest))) files.set(`man/${file}`, text)
  writeAll(path.join(root, 'dist'), files)
}

/** Folders below dist/ that contain only build output. */
const folders = ['cold', 'man']

/** Replaces one file at a time, atomically, for a tool that runs meanwhile. */
function writeAll(dist: string, files: ReadonlyMap<string, string>): void {
  for (const folder of folders) mkdirSync(path.join(dist, folder), {recursive: true})
  for (const [file, text] of files) {
    const part = path.join(dist, `${file}.${process.pid}`)
    writeFileSync(part, text)
    renameSync(part, path.join(dist, file))
  }
  const left = folders.flatMap((folder) => readdirSync(path.join(dist, folder)).map((file) => `${folder}/${file}`))
  for (const file of left.filter((one) => !files.has(one))) rmSync(path.join(dist, file), {force: true})
}
