import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import type {Metafile} from 'esbuild'

/** The licence of every package whose code is in the bundles, as those licences ask. */
export function thirdPartyNotices(root: string, metafiles: readonly Metafile[]): string {
  const folders = new Set(metafiles.flatMap(({inputs}) => Object.keys(inputs).flatMap(packageFolder)))
  const notices = [...folders].map((folder) => notice(path.join(root, folder))).sort()
  const head = 'roomctl contains code of these packages.\n'
  return [head, ...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`)
}

/** `node_modules/a/node_modules/@b/c/lib/x.js` lies in the package `node_modules/a/node_modules/@b/c`. */
function packageFolder(file: string): string[] {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)
  return found?.[1] ? [found[1]] : []
}

function notice(folder: string): string {
  const {name, version, license, repository} = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
  const text = file ? readFileSync(path.join(folder, file), 'utf8').trim() : ''
  // The MPL asks to say where the source is.
  const source = license === 'MPL-2.0' ? `Its source: ${repository.url.replace(/^git:/, 'https:')}\n\n` : ''
  return `${name} ${version} (${license})\n\n${source}${text}\n`
}
