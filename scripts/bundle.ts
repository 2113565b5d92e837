import {createHash} from 'node:crypto'
import path from 'node:path'
import {type BuildOptions, build, type Metafile, type Plugin} from 'esbuild'
import {coldGroupOptions, coldGroups, groupFile, type Modules, modulesOf, openColdGroups} from './coldGroups.js'
import {type ColdPackage, coldFile, coldPackages, coldSource} from './coldPackages.js'
import {leaveOut, useStandIns} from './standIns.js'

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  minify: true,
  metafile: true,
  write: false,
  legalComments: 'none',
  // A script that was loaded from a code cache cannot import() on Node 20: it becomes require().
  supported: {'dynamic-import': false},
  logOverride: {'empty-import-meta': 'silent'},
} as const satisfies BuildOptions

export interface Bundle {
  /** Its place below dist/. */
  readonly file: string
  readonly text: string
  readonly metafile: Metafile
}

/** A native module, an optional peer. */
const keyring = '@napi-rs/keyring'

/**
 * Bundles the published files: main.cjs, which every start loads, and a file in cold/ for each folder, topic and package
 * that only some commands need. The hot one comes first; nothing is written.
 */
export async function bundleAll(root: string): Promise<Bundle[]> {
  const modules = await modulesOf(root)
  const shared = new Map(coldGroups.map((group) => [group, new Set<string>()]))
  const parts = await Promise.all([...shared].map(([group, names]) => bundleGroup(root, group, modules, names)))
  const hot: BuildOptions = {
    entryPoints: ['src/main.ts'],
    external: ['typescript', keyring],
    plugins: [requireCold(), ...openColdGroups(root, modules, shared), useStandIns()],
  }
  const {text, ...main} = await bundle(root, 'main.cjs', hot)
  const packages = coldPackages.map((one) => bundle(root, coldFile(one.name), coldOptions(root, one)))
  return loadable([{...main, text}, ...parts, ...(await Promise.all(packages))])
}

async function bundleGroup(root: string, group: string, modules: Modules, shared: Set<string>): Promise<Bundle> {
  const {plugins = [], ...options} = coldGroupOptions(root, group, modules, shared)
  const external = [...(options.external ?? []), keyring]
  return bundle(root, groupFile(group), {...options, external, plugins: [requireCold('cold'), ...plugins]})
}

function coldOptions(root: string, one: ColdPackage): BuildOptions {
  return {
    stdin: {contents: coldSource(one), resolveDir: root, loader: 'js'},
    // Of a package that has both, the ES module: esbuild can leave out the rest of it.
    ...(one.names ? {mainFields: ['module', 'main']} : {}),
    plugins: [leaveOut(one)],
  }
}

async function bundle(root: string, file: string, options: BuildOptions): Promise<Bundle> {
  const {metafile, outputFiles} = await build({...options, ...common, absWorkingDir: root, outfile: `dist/${file}`})
  const [output] = outputFiles
  if (!output) throw new Error(`esbuild made nothing for ${file}`)
  return {file, text: output.text, metafile}
}

/**
 * Leaves the cold packages out of a bundle, which then requires the file of each when it is first needed. `folder` is where
 * the bundle is, below dist/.
 */
function requireCold(folder = ''): Plugin {
  const packages = new Map(coldPackages.map((one) => [one.name, one]))
  const namespace = 'cold-function'
  return {
    name: 'require-cold',
    setup({onResolve, onLoad}) {
      onResolve({filter: /./, namespace}, ({path: file}) => ({path: file, external: true}))
      // Only src/ means these by their names: packages have other versions of some.
      onResolve({filter: /^[^.]/}, ({path: name, resolveDir}) => {
        const found = resolveDir.includes('node_modules') ? undefined : packages.get(name)
        if (!found) return undefined
        const file = `./${path.relative(folder, coldFile(name))}`
        return found.isCalled ? {path: file, namespace} : {path: file, external: true}
      })
      onLoad({filter: /./, namespace}, ({path: file}) => ({
        contents: `let called\nmodule.exports = (...given) => (called ??= require('${file}'))(...given)`,
      }))
    },
  }
}

/**
 * esbuild escapes non-ASCII characters except in regular expressions. The loader of the bundle reads raw bytes, and one
 * such character makes any text take twice its memory.
 */
function asciiOnly(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** For bin/run.cjs: functions of the parameters of a CommonJS module. The first line identifies the build. */
function loadable(bundles: readonly Bundle[]): Bundle[] {
  const hash = createHash('sha256')
  for (const {text} of bundles) hash.update(text)
  const build = hash.digest('hex').slice(0, 16)
  return bundles.map(({text, ...one}) => {
    return {
      ...one,
      text: `//${build}\n(function (exports, require, module, __filename, __dirname) {${asciiOnly(text)}\n})`,
    }
  })
}
