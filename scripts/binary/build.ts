import {execFileSync, type StdioOptions, spawnSync} from 'node:child_process'
import {chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {build} from 'esbuild'
import {stagePackage} from '../pack.js'
import {executableName, nodeOf, ownTarget, targetNamed} from './targets.js'

/** The files of the package that the program reads. */
const isRead = (file: string) =>
  file === 'package.json' ||
  /^docs\/[a-z-]+\.(?:md|json)$/u.test(file) ||
  (/^dist\/.*\.(?:cjs|json)$/u.test(file) && file !== 'dist/bom.json')

/**
 * Writes the single file of the build into `folder`, and returns its path: Node's executable with the files of the package as
 * assets (Node's single executable applications). One source makes one file, byte by byte: so there is no code cache of V8 in it,
 * which --version and the own cache of bin/run.cjs do not need.
 */
export async function buildExecutable(root: string, target: string, folder: string): Promise<string> {
  const work = mkdtempSync(path.join(tmpdir(), 'roomctl-binary-'))
  try {
    const executable = path.join(work, 'node')
    writeNode(root, target, executable)
    const main = path.join(work, 'main.cjs')
    const entryPoints = [path.join(root, 'bin/single.cjs')]
    await build({entryPoints, outfile: main, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error'})
    const staged = path.join(work, 'package')
    const assets = stagePackage(root, staged).filter(isRead)
    const output = path.join(work, 'output')
    const settings = {
      // Relative: Node puts this path into the file, and the folder has another name each time.
      main: path.basename(main),
      mainFormat: 'commonjs',
      executable,
      output,
      disableExperimentalSEAWarning: true,
      useCodeCache: false,
      // NODE_OPTIONS is for the Node of this machine, which is another one.
      execArgvExtension: 'none',
      assets: Object.fromEntries(assets.map((file) => [file, path.join(staged, file)])),
    }
    writeFileSync(path.join(work, 'config.json'), JSON.stringify(settings))
    const stdio: StdioOptions = ['ignore', 'ignore', 'inherit']
    execFileSync(nodeOf(ownTarget, root), ['--build-sea', 'config.json'], {cwd: work, stdio})
    if (target.startsWith('darwin-')) execFileSync('codesign', ['--sign', '-', output], {stdio: 'inherit'})
    return put(output, folder, executableName(target))
  } finally {
    rmSync(work, {recursive: true})
  }
}

/** Node as it goes into the single file: without symbols, and without the signature that the assets would break. */
function writeNode(root: string, target: string, file: string): void {
  const node = nodeOf(target, root)
  const {gnu} = targetNamed(target)
  if (gnu !== undefined) strip(`${gnu}-strip`, `binutils-${gnu.replaceAll('_', '-')}`, ['-o', file, node])
  else if (target.startsWith('win-')) writeFileSync(file, withoutSignature(readFileSync(node)))
  else {
    copyFileSync(node, file)
    execFileSync('codesign', ['--remove-signature', file], {stdio: 'inherit'})
    strip('strip', 'the command line tools of Xcode', ['-S', '-x', file])
  }
}

function strip(program: string, source: string, words: readonly string[]): void {
  const {error, status} = spawnSync(program, words, {stdio: ['ignore', 'ignore', 'inherit']})
  if (error) throw new Error(`${program} is missing, which makes the file smaller by a fifth: install ${source}`)
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
}

/** A Windows program without its certificate table, which is at its end (PE format, data directory 4 of PE32+). */
function withoutSignature(bytes: Buffer): Buffer {
  const header = bytes.readUInt32LE(0x3c)
  const entry = header + 24 + 112 + 4 * 8
  const at = bytes.readUInt32LE(entry)
  if (at === 0) return bytes
  bytes.fill(0, entry, entry + 8)
  return bytes.subarray(0, at)
}

/** Puts a file into a folder in one step: the one that it replaces may be running. */
function put(file: string, folder: string, name: string): string {
  mkdirSync(folder, {recursive: true})
  const placed = path.join(folder, name)
  const part = `${placed}.${process.pid}`
  copyFileSync(file, part)
  chmodSync(part, 0o755)
  renameSync(part, placed)
  return placed
}
