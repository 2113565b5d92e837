import {createHash} from 'node:crypto'
import {existsSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {installNode} from '../nodes.js'

/** The Node inside the single file. */
export const binaryNode = '26.10.0'

/** A system that the single file is built for. */
export interface Target {
  /** Of Node's executable in the npm package, so that the registry cannot change the build. */
  readonly sha256: string
  /** GNU's name of the system, where GNU's strip makes the executable smaller. */
  readonly gnu?: string
}

export const targets: Readonly<Record<string, Target>> = {
  'linux-x64': {
    sha256: 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
    gnu: 'x86_64-linux-gnu',
  },
  'linux-arm64': {
    sha256: '71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03',
    gnu: 'aarch64-linux-gnu',
  },
  'win-x64': {sha256: 'cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4'},
  'darwin-arm64': {sha256: '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861'},
  'darwin-x64': {sha256: '083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31'},
}

/** The target that is this machine. */
export const ownTarget = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

export function targetNamed(name: string): Target {
  const target = targets[name]
  if (!target) throw new Error(`no target ${name}; there are ${Object.keys(targets).join(', ')}`)
  return target
}

export function executableName(target: string): string {
  return target.startsWith('win-') ? 'roomctl.exe' : 'roomctl'
}

/** The executables that this process has checked: each has more than 100 MB. */
const checked = new Set<string>()

/** Node's executable for a target, fetched from npm if missing, and checked. */
export function nodeOf(target: string, root: string): string {
  const file = installNode(target, binaryNode, path.join(root, `.bench/node${binaryNode}-${target}`))
  if (checked.has(file)) return file
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
  if (digest !== targetNamed(target).sha256) throw new Error(`${file} is not the Node ${binaryNode} that is built with`)
  checked.add(file)
  return file
}

/** The licence of Node, which not every package of it has. */
export function nodeLicence(root: string): string {
  const file = path.join(path.dirname(nodeOf(ownTarget, root)), '../LICENSE')
  if (!existsSync(file)) throw new Error(`the package of Node for ${ownTarget} has no licence`)
  return file
}
