import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import type {Metafile} from 'esbuild'

/** The licence of every package whose code is in the bundles, as those licences ask. */
export function thirdPartyNotices(root: string, metafiles: readonly Metafile[]): string {
  const notices = bundledPackages(metafiles)
    .map((folder) => notice(path.join(root, folder)))
    .sort()
  const head = 'roomctl contains code of these packages.\n'
  return [head, ...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`)
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
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {component: component('application', read('package.json'))},
    components: [...unique.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  }
  return `${JSON.stringify(bill, null, 2)}\n`
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

/** The folders of the packages whose code is in the bundles: `node_modules/a/node_modules/@b/c`. */
function bundledPackages(metafiles: readonly Metafile[]): string[] {
  const files = metafiles.flatMap(({inputs}) => Object.keys(inputs))
  return [...new Set(files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))]
}

function notice(folder: string): string {
  const {name, version, license, repository} = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
  const text = file ? readFileSync(path.join(folder, file), 'utf8').trim() : ''
  // The MPL asks to say where the source is.
  const source = license === 'MPL-2.0' ? `Its source: ${repository.url.replace(/^git:/, 'https:')}\n\n` : ''
  return `${name} ${version} (${license})\n\n${source}${text}\n`
}
