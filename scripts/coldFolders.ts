import {readdirSync} from 'node:fs'
import path from 'node:path'
import type {BuildOptions, Plugin} from 'esbuild'

/** Folders of src/ that only some commands need, each bundled into a file of its own. */
export const coldFolders: readonly string[] = ['completion', 'doctor', 'sandbox', 'upload']

/** The file of a cold folder, seen from dist/. */
export function folderFile(folder: string): string {
  return `cold/src-${folder}.cjs`
}

/** Modules are called by their place below src/: `http/address.ts`. */
type Module = string

/**
 * How a cold folder is bundled. Its file is a function: it takes the modules that the folder imports from others, since a class
 * such as Failure may be there only once, and gives back those of the folder. `shared` gets the names of what it takes.
 */
export function coldFolderOptions(root: string, folder: string, shared: Set<Module>): BuildOptions {
  const files = readdirSync(path.join(root, 'src', folder), {recursive: true, encoding: 'utf8'})
  const modules = files.filter((file) => file.endsWith('.ts')).map((file) => `${folder}/${file}`)
  const contents = `module.exports = (modules) => {
    require('hot').modules = modules
    return ${loaders(modules)}
  }`
  return {
    stdin: {contents, resolveDir: root, loader: 'js'},
    plugins: [
      standingFor('hot', 'module.exports = {}'),
      modulesFor({
        namespace: 'hot-module',
        root,
        isMeant: (module) => {
          const isOutside = folderOf(module) !== folder
          if (isOutside) shared.add(module)
          return isOutside
        },
        contents: (module) => `module.exports = require('hot').modules['${module}']()`,
      }),
    ],
  }
}

/** Leaves the cold folders out of the hot bundle, which opens the file of each when a module of it is first needed. */
export function openColdFolders(root: string, shared: ReadonlyMap<string, ReadonlySet<Module>>): Plugin[] {
  const files = coldFolders.map((folder) => {
    const modules = loaders([...(shared.get(folder) ?? [])])
    return standingFor(`cold/${folder}`, `module.exports = require('./${folderFile(folder)}')(${modules})`, root)
  })
  const modules = modulesFor({
    namespace: 'cold-module',
    root,
    isMeant: (module) => coldFolders.includes(folderOf(module)),
    contents: (module) => `module.exports = require('cold/${folderOf(module)}')['${module}']()`,
  })
  return [...files, modules]
}

/** `{'http/address.ts': () => require('./src/http/address.ts'), ...}`: each is loaded when it is asked for. */
function loaders(modules: readonly Module[]): string {
  return `{${modules.map((module) => `'${module}': () => require('./src/${module}')`).join(', ')}}`
}

function folderOf(module: Module): string {
  return module.split('/')[0] ?? ''
}

/** Gives a name that is required a text of its own. What the text requires below dist/cold stays outside. */
function standingFor(name: string, contents: string, resolveDir?: string): Plugin {
  return {
    name: `standing-for-${name}`,
    setup({onResolve, onLoad}) {
      onResolve({filter: new RegExp(`^${name}$`)}, () => ({path: name, namespace: name}))
      onResolve({filter: /^\.\/cold\//, namespace: name}, ({path: file}) => ({path: file, external: true}))
      onLoad({filter: /./, namespace: name}, () => ({contents, ...(resolveDir === undefined ? {} : {resolveDir})}))
    },
  }
}

interface Modules {
  readonly namespace: string
  readonly root: string
  readonly isMeant: (module: Module) => boolean
  readonly contents: (module: Module) => string
}

/** Gives modules of src/ another text, wherever a file of src/ imports them. */
function modulesFor({namespace, root, isMeant, contents}: Modules): Plugin {
  const src = path.join(root, 'src')
  return {
    name: namespace,
    setup({onResolve, onLoad}) {
      onResolve({filter: /^\..*\.js$/}, ({path: name, resolveDir}) => {
        const module = path.relative(src, path.join(resolveDir, name)).replace(/\.js$/, '.ts')
        if (module.startsWith('..') || !isMeant(module)) return undefined
        return {path: module, namespace}
      })
      onLoad({filter: /./, namespace}, ({path: module}) => ({contents: contents(module)}))
    },
  }
}
