import {existsSync, readdirSync, statSync} from 'node:fs'
import path from 'node:path'
import type {TestProject} from 'vitest/node'
import {npm} from '../../scripts/npm.js'
import {takeManifest} from './builtManifest.js'
import {needsBuild} from './builtTests.js'
import {root} from './repository.js'

/**
 * Builds dist/ before the tests where something is newer: they run the command classes by the manifest, and stories run
 * the binary.
 */
export function setup(project: TestProject): void {
  if (!needsBuild(project)) return
  const built = path.join(root, 'dist/oclif.manifest.json')
  const sources = ['src', 'bin', 'scripts'].flatMap((folder) =>
    readdirSync(path.join(root, folder), {recursive: true, encoding: 'utf8'}).map((file) =>
      path.join(root, folder, file),
    ),
  )
  const newest = Math.max(...[...sources, path.join(root, 'package.json')].map((file) => statSync(file).mtimeMs))
  if (!existsSync(built) || statSync(built).mtimeMs <= newest) npm(['run', '--silent', 'build'], {cwd: root})
  takeManifest(built)
}
