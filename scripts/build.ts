import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {bundleAll} from './bundle.js'
import {makeManifest, writeManifest} from './manifest.js'
import {thirdPartyNotices} from './notices.js'

/** Builds everything that is published into dist/. */
async function buildAll(root: string): Promise<void> {
  const dist = path.join(root, 'dist')
  rmSync(dist, {recursive: true, force: true})
  mkdirSync(path.join(dist, 'cold'), {recursive: true})
  const [manifest, metafiles] = await Promise.all([makeManifest(root, path.join(dist, 'work')), bundleAll(root)])
  writeManifest(dist, manifest)
  writeFileSync(path.join(dist, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, metafiles))
  writeFileSync(path.join(dist, 'meta.json'), JSON.stringify(metafiles))
}

await buildAll(path.resolve(import.meta.dirname, '..'))
