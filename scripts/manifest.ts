import {copyFileSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import path from 'node:path'
import {Plugin} from '@oclif/core/config'
import type {Manifest} from '@oclif/core/interfaces'
import {build} from 'esbuild'

/**
 * Asks oclif for the manifest of the commands under src/commands: their words, flags and arguments, so that help and
 * parsing never load them all. oclif reads JavaScript, so the source is first bundled into a folder of its own: a manifest
 * beside package.json would be taken for the truth in development, however old it is.
 */
export async function makeManifest(root: string): Promise<Manifest> {
  mkdirSync(path.join(root, 'dist'), {recursive: true})
  const work = mkdtempSync(path.join(root, 'dist/work-'))
  try {
    copyFileSync(path.join(root, 'package.json'), path.join(work, 'package.json'))
    await build({
      absWorkingDir: root,
      entryPoints: ['src/commands/**/*.ts'],
      outbase: 'src',
      outdir: path.join(work, 'src'),
      bundle: true,
      splitting: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
    })
    const plugin = new Plugin({
      root: work,
      type: 'core',
      ignoreManifest: true,
      errorOnManifestCreate: true,
      respectNoCacheDefault: true,
    })
    await plugin.load()
    return sortedManifest(JSON.parse(JSON.stringify(plugin.manifest)))
  } finally {
    rmSync(work, {recursive: true, force: true})
  }
}

/** The manifest with its commands by id: oclif lists them in the order in which their files happened to be read. */
export function sortedManifest({commands, ...manifest}: Manifest): Manifest {
  const ids = Object.keys(commands).sort()
  return {...manifest, commands: Object.fromEntries(ids.flatMap((id) => (commands[id] ? [[id, commands[id]]] : [])))}
}
