import {execFileSync} from 'node:child_process'
import {copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import type {Manifest} from '@oclif/core/interfaces'
import {build} from 'esbuild'
import {split} from '../src/cli/splitManifest.js'

/**
 * Asks oclif for the manifest of the commands under src/commands: their words, flags and arguments, so that help and
 * parsing never load them all. oclif reads JavaScript, so the source is first translated, file by file, into `work`, a
 * folder of its own below `root`: a manifest beside package.json would be taken for the truth in development, however
 * old it is.
 */
export async function makeManifest(root: string, work: string): Promise<string> {
  rmSync(work, {recursive: true, force: true})
  mkdirSync(work, {recursive: true})
  copyFileSync(path.join(root, 'package.json'), path.join(work, 'package.json'))
  await build({
    absWorkingDir: root,
    entryPoints: ['src/**/*.ts'],
    outbase: 'src',
    outdir: path.join(work, 'src'),
    format: 'esm',
    target: 'node20.19',
  })
  execFileSync(process.execPath, [path.join(root, 'node_modules/oclif/bin/run.js'), 'manifest'], {
    cwd: work,
    env: {...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: 'true'},
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return readFileSync(path.join(work, 'oclif.manifest.json'), 'utf8')
}

/** Writes oclif's manifest, for the tests and the pages, and what the published package reads instead of it. */
export function writeManifest(dist: string, text: string): void {
  const manifest: Manifest = JSON.parse(text)
  const {heads, details} = split(manifest)
  writeFileSync(path.join(dist, 'oclif.manifest.json'), JSON.stringify(manifest, null, 2))
  writeFileSync(path.join(dist, 'commands.json'), JSON.stringify(heads))
  writeFileSync(path.join(dist, 'commandDetails.json'), JSON.stringify(details))
}
