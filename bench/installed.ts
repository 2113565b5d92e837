import {existsSync, mkdirSync} from 'node:fs'
import path from 'node:path'
import {build} from 'esbuild'
import {npm} from '../scripts/npm.js'
import {installGlobally, pack} from '../scripts/pack.js'

/** The folder of installed packages; not under version control. */
export const benchFolder = path.resolve(import.meta.dirname, '../.bench')

/** Packs and installs the build; returns the script that `roomctl` runs. */
export function installRoomctl(): string {
  const root = path.resolve(import.meta.dirname, '..')
  return installGlobally(pack(root, benchFolder).tarball, path.join(benchFolder, 'roomctl'))
}

/** Installs a peer of exactly that version, once; returns the script it runs. */
export function installPeer(name: string, version: string, script: string): string {
  const prefix = path.join(benchFolder, 'peers', `${name}-${version}`)
  const file = path.join(prefix, 'node_modules', name, script)
  if (existsSync(file)) return file
  mkdirSync(prefix, {recursive: true})
  npm(['install', '--prefix', prefix, '--ignore-scripts', `${name}@${version}`])
  return file
}

/** Bundles a program of bench/peers as roomctl itself is bundled, so that its start costs no more than it must. */
export async function buildPeer(name: string): Promise<string> {
  const outfile = path.join(benchFolder, `${name}.cjs`)
  await build({
    entryPoints: [path.join(import.meta.dirname, `peers/${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    minify: true,
  })
  return outfile
}
