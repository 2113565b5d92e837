import {execFileSync} from 'node:child_process'
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import path from 'node:path'
import type {Manifest} from '@oclif/core/interfaces'
import {build} from 'esbuild'

/**
 * Asks oclif for the manifest of the commands under src/commands: their words, flags and arguments, so that help and
 * parsing never load them all. oclif reads JavaScript, so the source is first translated, file by file, into a folder of
 * its own: a manifest beside package.json would be taken for the truth in development, however old it is.
 */
export async function makeManifest(root: string): Promise<Manifest> {
  mkdirSync(path.join(root, 'dist'), {recursive: true})
  const work = mkdtempSync(path.join(root, 'dist/work-'))
  try {
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
    return JSON.parse(readFileSync(path.join(work, 'oclif.manifest.json'), 'utf8'))
  } finally {
    rmSync(work, {recursive: true, force: true})
  }
}
