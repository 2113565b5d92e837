import {createHash} from 'node:crypto'
import {copyFileSync, existsSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {archivesOf} from '../binary/archive.js'
import {binaryBillName} from '../binary/bill.js'
import {targets} from '../binary/targets.js'
import {pack} from '../pack.js'
import {waysIn} from './ways.js'

/**
 * Writes what a release is published with into `folder`: the tarball, the bill of materials, the ways to install it, and the checksums
 * of all, in the form that sha256sum checks. The archives of the single file and their bills are there already, by the task `binary`. Builds nothing.
 */
export function writeRelease(root: string, folder: string): void {
  const {version, description, license, repository} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const ofBinaries = Object.keys(targets).flatMap((target) =>
    [...archivesOf(version, target), binaryBillName(version, target)].map((name) => ({
      name,
      advice: `npm run task -- binary ${target} --archive`,
    })),
  )
  const missing = ofBinaries.filter(({name}) => !existsSync(path.join(folder, name)))
  if (missing[0]) throw new Error(`${folder}/${missing[0].name} is missing: ${missing[0].advice}`)
  const tarball = path.basename(pack(root, folder).tarball)
  const bill = tarball.replace(/\.tgz$/u, '.cdx.json')
  copyFileSync(path.join(root, 'dist/bom.json'), path.join(folder, bill))
  const digestOf = (name: string) => digestOfFile(path.join(folder, name))
  const names = [tarball, bill, ...ofBinaries.map(({name}) => name)]
  const digests = new Map(names.map((name) => [name, digestOf(name)]))
  const url = repository.url.replace(/^git\+|\.git$/gu, '')
  const ways = waysIn({version, description, license, url, digests})
  for (const [name, text] of ways) {
    writeFileSync(path.join(folder, name), text)
    digests.set(name, digestOf(name))
  }
  writeFileSync(path.join(folder, 'SHA256SUMS'), [...digests].map(([name, digest]) => `${digest}  ${name}\n`).join(''))
}

function digestOfFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
