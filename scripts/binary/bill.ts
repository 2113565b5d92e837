import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import type {Bill} from '../notices.js'
import {binaryNode, nodeOf, ownTarget, targetNamed} from './targets.js'

/** Members of `process.versions` that are numbers of interfaces, or Node itself. */
const notParts = ['node', 'modules', 'napi']

/** The name of the bill of materials of a single file. */
export function binaryBillName(version: string, target: string): string {
  return `roomctl-${version}-${target}.cdx.json`
}

/**
 * Writes the bill of materials of the single file for a target into `folder`, and returns its path: that of the npm package, and Node
 * with its own parts.
 */
export function writeBinaryBill(root: string, target: string, folder: string): string {
  const bill: Bill = JSON.parse(readFileSync(path.join(root, 'dist/bom.json'), 'utf8'))
  const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const file = path.join(folder, binaryBillName(version, target))
  writeFileSync(
    file,
    `${JSON.stringify({...bill, components: [...bill.components, nodeComponent(root, target)]}, null, 2)}\n`,
  )
  return file
}

function nodeComponent(root: string, target: string): object {
  const purl = genericPurl('node', binaryNode)
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version: binaryNode,
    purl,
    licenses: [{license: {id: 'MIT'}}],
    hashes: [{alg: 'SHA-256', content: targetNamed(target).sha256}],
    properties: [{name: 'roomctl:target', value: target}],
    components: partsOfNode(root),
  }
}

/** The parts by the Node of this machine, of the same version: those of other systems do not run here. */
function partsOfNode(root: string): object[] {
  const printed = execFileSync(nodeOf(ownTarget, root), ['-p', 'JSON.stringify(process.versions)'], {encoding: 'utf8'})
  const versions: Record<string, string> = JSON.parse(printed)
  return Object.entries(versions)
    .filter(([name, version]) => version !== '' && !notParts.includes(name))
    .map(([name, version]) => {
      const purl = genericPurl(name, version)
      return {type: 'library', 'bom-ref': purl, name, version, purl}
    })
}

function genericPurl(name: string, version: string): string {
  return `pkg:generic/${name}@${encodeURIComponent(version)}`
}
