import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import type {Metafile} from 'esbuild'

/** The licence of every package whose code is in the bundles, as those licences ask. */
export function thirdPartyNotices(root: string, metafiles: readonly Metafile[]): string {
  const notices = bundledPackages(metafiles)
    .map((folder) => notice(root, folder))
    .sort()
  const packages = new Set(notices)
  const head = `roomctl contains code of these ${packages.size} packages.\n`
  return [head, ...packages].join(`\n${'-'.repeat(80)}\n\n`)
}

/**
 * The software bill of materials, in CycloneDX 1.6: every package whose code is in the bundles, with its licence and the digest
 * of the lockfile. The same build makes the same bytes.
 */
export function billOfMaterials(root: string, metafiles: readonly Metafile[]): string {
  const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  const {packages} = read('package-lock.json')
  const components = bundledPackages(metafiles).map((folder) => ({
    ...component('library', read(`${folder}/package.json`)),
    hashes: hashesOf(packages[folder]?.integrity),
  }))
  const unique = new Map(components.map((one) => [one.purl, one]))
  const bill: Bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {component: component('application', read('package.json'))},
    components: [...unique.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** A bill of materials in CycloneDX 1.6, as far as both bills of a release have it. */
export interface Bill {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.6'
  readonly version: 1
  readonly metadata: {readonly component: object}
  readonly components: readonly object[]
}

function component(type: string, {name, version, license}: Record<'name' | 'version' | 'license', string>) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  // An expression such as `MIT OR Apache-2.0` is no id.
  const licence = / /.test(license) ? {expression: license} : {license: {id: license}}
  return {type, 'bom-ref': purl, name, version, purl, licenses: [licence]}
}

/** `sha512-BASE64`, as npm writes it (Subresource Integrity). */
function hashesOf(integrity = ''): {alg: string; content: string}[] {
  const [, base64 = ''] = /^sha512-(\S+)$/.exec(integrity) ?? []
  return base64 === '' ? [] : [{alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex')}]
}

/** The folders of the packages whose code is in the bundles, not merely read for them: `node_modules/a/node_modules/@b/c`. */
export function bundledPackages(metafiles: readonly Metafile[]): string[] {
  const inputs = metafiles.flatMap(({outputs}) =>
    Object.values(outputs).flatMap((output) => Object.entries(output.inputs)),
  )
  const files = inputs.flatMap(([file, {bytesInOutput}]) => (bytesInOutput > 0 ? [file] : []))
  return [...new Set(files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))]
}

/** Packages without a file of their licence, by a package of the same repository that has it. */
const licenceElsewhere: Readonly<Record<string, string>> = {'@tus/utils': '@tus/server'}

function notice(root: string, folder: string): string {
  const {name, version, license, repository} = packageIn(root, folder)
  // The MPL requires the address of the source.
  const source = license === 'MPL-2.0' ? `Its source: ${addressOf(repository).replace(/^git:/, 'https:')}\n\n` : ''
  return `${name} ${version} (${license})\n\n${source}${licenceOf(root, folder)}\n`
}

/** The text of the licence, which licences require; throws if it is missing. */
function licenceOf(root: string, folder: string): string {
  const {name, repository} = packageIn(root, folder)
  const file = readdirSync(path.join(root, folder)).find((one) => /^(licen[cs]e|copying)/i.test(one))
  if (file) return readFileSync(path.join(root, folder, file), 'utf8').trim()
  const other = licenceElsewhere[name]
  if (other === undefined)
    throw new Error(`${folder} has no licence text: name a package of its repository that has one`)
  const otherFolder = `node_modules/${other}`
  if (addressOf(packageIn(root, otherFolder).repository) !== addressOf(repository))
    throw new Error(`${other} is not of the repository of ${name}, whose licence it stands for`)
  return licenceOf(root, otherFolder)
}

interface Installed {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly repository: string | {readonly url: string}
}

function packageIn(root: string, folder: string): Installed {
  return JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
}

function addressOf(repository: Installed['repository']): string {
  return typeof repository === 'string' ? repository : repository.url
}
