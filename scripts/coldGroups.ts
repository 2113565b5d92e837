import {existsSync, readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {type BuildOptions, build, type Plugin} from 'esbuild'
import * as z from 'zod/mini'

/** Folders of src/ that only some commands, or only failures, need, each bundled into a file of its own. */
export const coldFolders: readonly string[] = [
  'api/client/failures',
  'features/completion',
  'features/doctor',
  'features/watch',
  'cli/help',
  'sandbox',
  'upload',
]

/** The modules of every start, with their static imports, transitively. All others are bundled apart. */
export const hotModules: readonly string[] = ['main.ts', 'commands/room/list.ts']

/**
 * Commands that are bundled into a file of their own, with the modules that only they need: by the name of the file, the topics,
 * and the commands without one. `main`: the modules that main.ts needs for help and errors.
 */
export const coldTopics: Readonly<Record<string, readonly string[]>> = {
  asset: ['asset'],
  config: ['config'],
  main: ['main'],
  push: ['push'],
  rooms: ['attendee', 'record', 'room'],
  tools: ['api', 'complete', 'completion', 'doctor', 'explain', 'history', 'sandbox'],
}

/** For what the commands of several of these files need, and nothing else does. */
const commonTopics: readonly [string, readonly string[]] = ['common', Object.values(coldTopics).flat()]

/** The groups of modules that are left out of the hot bundle, by name. */
export const coldGroups: readonly string[] = [
  ...coldFolders.map(folderGroup),
  ...Object.keys(coldTopics).map(topicGroup),
  topicGroup(commonTopics[0]),
]

function topicGroup(name: string): string {
  return `topic-${name}`
}

/** The group of a cold folder: `src-features-doctor` for `features/doctor`. */
function folderGroup(folder: string): string {
  return `src-${folder.replaceAll('/', '-')}`
}

/** The file of a group, seen from dist/. */
export function groupFile(group: string): string {
  return `cold/${group}.cjs`
}

const zod = 'zod/mini'

/** Modules are called by their place below src/: `http/address.ts`. */
type Module = string

/** The group of each module that is in one. */
export type Groups = ReadonlyMap<Module, string>

/** The modules of src/: the group of each that is in one, and the names that each exports. */
export interface Modules {
  readonly groups: Groups
  readonly members: ReadonlyMap<Module, readonly string[]>
}

export async function modulesOf(root: string): Promise<Modules> {
  const [groups, members] = await Promise.all([groupModules(root), membersOf(root)])
  return {groups, members}
}

async function membersOf(root: string): Promise<Modules['members']> {
  const files = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'})
  const entryPoints = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file.replaceAll(path.sep, '/')}`)
  const {metafile} = await build({
    ...{absWorkingDir: root, entryPoints, outdir: '.', format: 'esm'},
    ...{metafile: true, write: false},
  })
  const outputs = Object.values(metafile.outputs)
  return new Map(outputs.map(({entryPoint = '', exports}) => [entryPoint.replace(/^src\//, ''), exports]))
}

/** Assigns modules to groups, by their imports. */
export async function groupModules(root: string): Promise<Groups> {
  const groups = new Map<Module, string>()
  for (const folder of coldFolders) {
    const files = readdirSync(path.join(root, 'src', folder), {recursive: true, encoding: 'utf8'})
    for (const file of files.filter((name) => name.endsWith('.ts')))
      groups.set(`${folder}/${file}`, folderGroup(folder))
  }
  const imports = await importsOf(root)
  const hot = hotOf(imports)
  for (const [module, topics] of topicsOf(imports)) {
    const own = [...Object.entries(coldTopics), commonTopics].find(([, named]) =>
      [...topics].every((topic) => named.includes(topic)),
    )
    if (own && !groups.has(module) && !hot.has(module)) groups.set(module, topicGroup(own[0]))
  }
  // By name: the order in which a folder is read is another one elsewhere.
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The hot modules, and their static imports. */
function hotOf(imports: Imports): ReadonlySet<Module> {
  const hot = new Set(hotModules)
  for (const module of hot) {
    for (const {name, isStatic} of imports.get(module) ?? []) if (isStatic && imports.has(name)) hot.add(name)
  }
  return hot
}

/** The topics whose commands need a module; what main.ts needs before any command has the topic `main` as well. */
function topicsOf(imports: Imports): ReadonlyMap<Module, ReadonlySet<string>> {
  const topics = new Map<Module, Set<string>>()
  for (const module of imports.keys()) {
    const topic = module === 'main.ts' ? 'main' : /^commands\/(\w+)/.exec(module)?.[1]
    if (topic !== undefined) mark(module, topic)
  }
  return topics

  function mark(module: Module, topic: string): void {
    const known = topics.get(module) ?? new Set()
    if (known.has(topic)) return
    topics.set(module, known.add(topic))
    for (const {name} of imports.get(module) ?? []) if (imports.has(name)) mark(name, topic)
  }
}

type Imports = ReadonlyMap<Module, readonly {readonly name: string; readonly isStatic: boolean}[]>

/** The imports of each module of src/, modules and packages, without the pattern in main.ts for all commands. */
async function importsOf(root: string): Promise<Imports> {
  const {metafile} = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  })
  const called = (file: string) => file.replace(/^src\//, '')
  return new Map(
    Object.entries(metafile.inputs).map(([file, {imports}]) => [
      called(file),
      imports.map((one) => ({name: called(one.path), isStatic: one.kind === 'import-statement'})),
    ]),
  )
}

/**
 * How a group is bundled. Its file is a function: it takes the modules that the group imports from others, since a class
 * such as Failure must exist only once, and returns those of the group. `shared` receives the names it takes, parts
 * of oclif among them.
 */
export function coldGroupOptions(
  root: string,
  group: string,
  {groups, members}: Modules,
  shared: Set<Module>,
): BuildOptions {
  const modules = [...groups].flatMap(([module, own]) => (own === group ? [module] : []))
  const contents = `module.exports = (modules) => {
    hot = modules
    return ${loaders(modules)}
  }`
  return {
    stdin: {contents, resolveDir: root, loader: 'js'},
    banner: {js: requireHot},
    plugins: [
      modulesFor({
        namespace: 'hot-module',
        root,
        isMeant: (module) => {
          const isOutside = groups.get(module) !== group
          if (isOutside) shared.add(module)
          return isOutside
        },
      }),
      membersAsked(root, members),
      packagesFromHot(root, shared),
    ],
  }
}

/** The name by which a group requires a module that is bundled elsewhere. */
const hotName = (name: string) => `hot:${name}`

/** A module of the hot bundle is required by a name, as one of Node is, and esbuild lets each use read the member. */
const requireHot = `let hot
const requireOutside = require
require = (id) => (id.startsWith('${hotName('')}') ? hot[id.slice(${hotName('').length})]() : requireOutside(id))`

/** Of zod the hot bundle holds the parts that a module of src/ names, wherever it is bundled. */
function zodParts(root: string): readonly string[] {
  const files = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'}).filter((file) =>
    file.endsWith('.ts'),
  )
  const texts = files.map((file) => readFileSync(path.join(root, 'src', file), 'utf8'))
  const named = texts.filter((text) => text.includes(`'${zod}'`)).flatMap((text) => [...text.matchAll(/\bz\.(\w+)/g)])
  const parts = [...new Set(named.map(([, name = '']) => name))]
  return parts.filter((name) => typeof Reflect.get(z, name) === 'function').toSorted()
}

/**
 * oclif and zod are taken from the hot bundle, too: their classes may be there only once. zod's exports are listed by name: each
 * `import * as z` would be given a copy. Small packages are bundled with the group that needs them.
 */
function packagesFromHot(root: string, shared: Set<string>): Plugin {
  const namespace = 'hot-package'
  return {
    name: namespace,
    setup({onResolve, onLoad}) {
      onResolve({filter: /^(@oclif|zod)\//}, ({path: name, namespace: importer}) => {
        shared.add(name)
        return name === zod && importer !== namespace ? {path: zod, namespace} : {path: hotName(name), external: true}
      })
      const contents = `export const {${zodParts(root).join(', ')}} = require('${zod}')`
      onLoad({filter: /./, namespace}, () => ({contents}))
    },
  }
}

/** Leaves the groups out of the hot bundle, which opens the file of each when a module of it is first needed. */
export function openColdGroups(
  root: string,
  {groups, members}: Modules,
  shared: ReadonlyMap<string, ReadonlySet<Module>>,
): Plugin[] {
  const files = coldGroups.map((group) => {
    // In an order of their own: that in which esbuild came by is another one each time.
    const modules = loaders([...(shared.get(group) ?? [])].toSorted(), (name) => groups.has(name)).replace(
      `require('${zod}')`,
      `require('parts-of-${zod}')`,
    )
    return standingFor(`cold/${group}`, `module.exports = require('./${groupFile(group)}')(${modules})`, root)
  })
  const opened = (module: Module) => `require('cold/${groups.get(module)}')['${module}']()`
  const modules = modulesFor({
    namespace: 'cold-module',
    root,
    isMeant: (module) => groups.has(module),
    contents: (module) => `module.exports = ${opened(module)}`,
  })
  const parts = standingFor(`parts-of-${zod}`, asObject(zodParts(root), zod), root)
  return [parts, ...files, modules, membersAsked(root, members), commandsFor(root, groups, opened)]
}

/** The commands that main.ts means by a pattern; no plugin is asked where those lie, so their text is another. */
function commandsFor(root: string, groups: Groups, opened: (module: Module) => string): Plugin {
  return {
    name: 'cold-commands',
    setup({onLoad}) {
      onLoad({filter: /[\\/]src[\\/]commands[\\/].*\.ts$/}, ({path: file}) => {
        const module = path.relative(path.join(root, 'src'), file).replaceAll(path.sep, '/')
        if (!groups.has(module)) return undefined
        return {contents: `export default ${opened(module)}.default`, resolveDir: root}
      })
    },
  }
}

/** `{'http/address.ts': () => require('members-of/http/address.ts'), ...}`: each is loaded when it is asked for. */
function loaders(names: readonly string[], isElsewhere: (name: Module) => boolean = () => false): string {
  const place = (name: string) =>
    isElsewhere(name) ? `./src/${name}` : name.endsWith('.ts') ? `${membersNamespace}/${name}` : name
  return `{${names.map((name) => `'${name}': () => require('${place(name)}')`).join(', ')}}`
}

const membersNamespace = 'members-of'

/**
 * A module as an object of its members, made when it is first asked for. If it were required itself, esbuild would define a getter for
 * each member at every start.
 */
function membersAsked(root: string, members: Modules['members']): Plugin {
  return {
    name: membersNamespace,
    setup({onResolve, onLoad}) {
      onResolve({filter: new RegExp(`^${membersNamespace}/`)}, ({path: name}) => ({
        path: name.slice(membersNamespace.length + 1),
        namespace: membersNamespace,
      }))
      onLoad({filter: /./, namespace: membersNamespace}, ({path: module}) => {
        return {contents: asObject(members.get(module) ?? [], `./src/${module}`), resolveDir: root}
      })
    },
  }
}

/** Gives a name that is required a text of its own. What the text requires below dist/cold stays outside. */
function standingFor(name: string, contents: string, resolveDir?: string): Plugin {
  return {
    name: `standing-for-${name}`,
    setup({onResolve, onLoad, resolve}) {
      onResolve({filter: new RegExp(`^${name}$`)}, () => ({path: name, namespace: name}))
      onResolve({filter: /^\.\/cold\//, namespace: name}, ({path: file}) => ({path: file, external: true}))
      // As the source imports it: some packages are there twice, and require() would find the other one.
      onResolve({filter: /^[^.]/, namespace: name}, ({path: imported}) =>
        resolve(imported, {kind: 'import-statement', resolveDir: resolveDir ?? ''}),
      )
      onLoad({filter: /./, namespace: name}, () => ({contents, ...(resolveDir === undefined ? {} : {resolveDir})}))
    },
  }
}

/** A CommonJS module of some members of another one. */
function asObject(names: readonly string[], from: string): string {
  const imported = names.map((name, n) => `${name} as member${n}`)
  const listed = names.map((name, n) => `${name}: member${n}`)
  return `import {${imported.join(', ')}} from '${from}'\nmodule.exports = {${listed.join(', ')}}`
}

interface Replacement {
  readonly namespace: string
  readonly root: string
  readonly isMeant: (module: Module) => boolean
  /** Absent: it is outside the bundle. */
  readonly contents?: (module: Module) => string
}

/** Replaces the text of modules of src/, for all their importers. */
function modulesFor({namespace, root, isMeant, contents}: Replacement): Plugin {
  const src = path.join(root, 'src')
  return {
    name: namespace,
    setup({onResolve, onLoad}) {
      onResolve({filter: /^\..*\.[jt]s$/}, ({path: name, resolveDir}) => {
        const module = path.relative(src, path.join(resolveDir, name)).replace(/\.js$/, '.ts')
        if (module.startsWith('..') || !existsSync(path.join(src, module)) || !isMeant(module)) return undefined
        return contents ? {path: module, namespace} : {path: hotName(module), external: true}
      })
      if (contents) onLoad({filter: /./, namespace}, ({path: module}) => ({contents: contents(module)}))
    },
  }
}
