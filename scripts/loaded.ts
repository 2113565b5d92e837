import {spawn} from 'node:child_process'
import {generateKeyPairSync} from 'node:crypto'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {pathToFileURL} from 'node:url'
import {serve} from '../src/api/http/server/serve.js'
import {assetPrefix} from '../src/sandbox/asset/operations.js'
import {seedSandbox} from '../src/sandbox/demo/scenarios.js'
import {pushPrefix} from '../src/sandbox/push/operations.js'
import {mediaPrefix} from '../src/sandbox/room/operations.js'
import {createSandbox, servedToken} from '../src/sandbox/sandbox.js'
import {memoryStore} from './memoryStore.js'

/** Each asks no question: modules that are loaded only to ask or to explain an error do not count. */
export const countedLines: readonly string[] = [
  'room end r-standup --yes',
  'asset sync games/puzzle build --platform ios',
  'push ios AuthKey_KEY1234567.p8 --application-id app-2 --bundle-id com.example.rooms --team-id TEAM123456 --allow-assumed --confirm app-2',
]

/** The files of src/ that one command line needs; paths below the root. */
export interface LoadedFiles {
  readonly line: string
  readonly exit: number
  /** Files that call at least one of their functions for the command, beyond what loading them calls. */
  readonly run: readonly string[]
  /** All files that the process loads, including those that run, without files of types alone. */
  readonly loaded: readonly string[]
}

/**
 * Runs each command line from the source against a sandbox that is served on a port, and reads V8's coverage of its process. The
 * built tool evaluates the same modules: the bundler separates dynamic imports. dist/ has the lists of
 * the commands, without which oclif would load every command.
 */
export async function loadedFiles(root: string, lines: readonly string[]): Promise<LoadedFiles[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-size-'))
  const {env, close} = await serveSandbox(folder)
  try {
    writeSamples(folder)
    const counted: LoadedFiles[] = []
    for (const line of lines) counted.push(await countLine(root, folder, line, env))
    return counted
  } finally {
    await close()
    rmSync(folder, {recursive: true, force: true})
  }
}

/** The demonstration world on a port, and the environment that leads to it. */
async function serveSandbox(folder: string) {
  const store = memoryStore()
  await seedSandbox(store, new Date())
  const token = await servedToken(store)
  const files = path.join(folder, 'uploads')
  const {url, close} = await serve(createSandbox({store, now: () => new Date(), token, files}), {port: 0})
  const services = {ROOM: mediaPrefix, ASSET: assetPrefix.service, PUSH: pushPrefix}
  const env = Object.entries(services).flatMap(([name, prefix]) => [
    [`ROOMCTL_${name}_URL`, new URL(prefix, url).href],
    [`ROOMCTL_${name}_TOKEN`, token],
  ])
  return {env: Object.fromEntries(env) as Readonly<Record<string, string>>, close}
}

/** Files named by the counted lines: a folder with an asset, a catalog and a bundle, and a key. */
function writeSamples(folder: string): void {
  mkdirSync(path.join(folder, 'build'))
  for (const name of ['map.png', 'catalog.json', 'map.bundle']) writeFileSync(path.join(folder, 'build', name), name)
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  writeFileSync(path.join(folder, 'AuthKey_KEY1234567.p8'), privateKey.export({type: 'pkcs8', format: 'pem'}))
}

/** Runs the line, then loads the same files without running it: a function that was called more often in the run did its work. */
async function countLine(
  root: string,
  folder: string,
  line: string,
  env: Readonly<Record<string, string>>,
): Promise<LoadedFiles> {
  const urlOf = (file: string) => JSON.stringify(pathToFileURL(path.join(root, file)).href)
  const main = `import {main, published} from ${urlOf('src/main.ts')}
    import run from ${urlOf('bin/run.cjs')}
    const files = run.filesBelow(${JSON.stringify(root)})
    process.exitCode = await main(process.argv.slice(1), published(files))`
  const ran = await callsOf(root, {folder, env, script: main, argv: line.split(' ')})
  const loaded = [...ran.calls.keys()].sort()
  const loading = await callsOf(root, {folder, script: loaded.map((file) => `import ${urlOf(file)}`).join('\n')})
  const run = loaded.filter((file) => {
    const whenLoaded = loading.calls.get(file)
    return [...(ran.calls.get(file) ?? [])].some(([called, count]) => count > (whenLoaded?.get(called) ?? 0))
  })
  return {line, exit: ran.exit, run, loaded}
}

interface Process {
  readonly folder: string
  readonly script: string
  readonly argv?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** How often a process called each function of the files of src/: by file, then by name and place. */
async function callsOf(root: string, {folder, script, argv = [], env = {}}: Process) {
  const coverage = mkdtempSync(path.join(folder, 'coverage-'))
  const words = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', script, '--', ...argv]
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: {PATH: process.env.PATH, HOME: folder, CI: '1', ...env, NODE_V8_COVERAGE: coverage},
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const [exit] = (await once(child, 'close')) as [number]
  const src = pathToFileURL(`${root}/src/`).href
  const calls = new Map<string, Map<string, number>>()
  for (const file of readdirSync(coverage)) {
    const {result} = JSON.parse(readFileSync(path.join(coverage, file), 'utf8')) as {result: CoveredScript[]}
    for (const {url, functions} of result.filter((one) => one.url.startsWith(src))) {
      const name = `src/${url.slice(src.length).replace(/\?.*$/u, '')}`
      calls.set(
        name,
        new Map(
          functions.map(({functionName, ranges: [whole]}) => [`${functionName} ${whole.startOffset}`, whole.count]),
        ),
      )
    }
  }
  return {exit, calls}
}

/** A script in a report of V8's coverage. */
interface CoveredScript {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly [{readonly startOffset: number; readonly count: number}]
  }[]
}
