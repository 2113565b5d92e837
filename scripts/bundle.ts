import {createHash} from 'node:crypto'
import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {type BuildOptions, build, type Metafile, type Plugin} from 'esbuild'
import {type ColdPackage, coldFile, coldPackages} from './coldPackages.js'
import {useStandIns} from './standIns.js'

const shared = {
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

/**
 * Builds what is published into `dist` below `root`: main.cjs, which every start loads, and a file in cold/ for each
 * package that only some commands need. Gives back the metafiles: the hot one first.
 */
export async function bundleAll(root: string): Promise<Metafile[]> {
  const hot = await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outfile: 'dist/main.cjs',
    external: ['typescript', '@napi-rs/keyring'],
    plugins: [requireCold(), useStandIns()],
  })
  writeFileSync(path.join(root, 'dist/main.cjs'), withHash(textOf(hot.outputFiles)))
  const cold = await Promise.all(coldPackages.map((one) => bundleCold(root, one)))
  return [hot.metafile, ...cold]
}

async function bundleCold(root: string, {name, exported}: ColdPackage): Promise<Metafile> {
  const {metafile, outputFiles} = await build({
    ...shared,
    absWorkingDir: root,
    stdin: {contents: `module.exports = require('${name}')${exported}`, resolveDir: root, loader: 'js'},
    outfile: path.join('dist', coldFile(name)),
  })
  writeFileSync(path.join(root, 'dist', coldFile(name)), textOf(outputFiles))
  return metafile
}

/** Leaves the cold packages out of the hot bundle, which then requires the file of each when it is first needed. */
function requireCold(): Plugin {
  const names = new Set(coldPackages.map(({name}) => name))
  return {
    name: 'require-cold',
    setup({onResolve}) {
      onResolve({filter: /^[^.]/}, ({path: name}) =>
        names.has(name) ? {path: `./${coldFile(name)}`, external: true} : undefined,
      )
    },
  }
}

/** The first line tells one build from another: the code cache goes by it (bin/codeCache.cjs). */
function withHash(text: string): string {
  return `//${createHash('sha256').update(text).digest('hex').slice(0, 16)}\n${text}`
}

function textOf([file]: readonly {text: string}[]): string {
  if (!file) throw new Error('esbuild made no file')
  return file.text
}
