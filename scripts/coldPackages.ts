/** A package that only some commands need, bundled into a file of its own. */
export interface ColdPackage {
  readonly name: string
  /**
   * The names imported from it, if it is an ES module: the rest of it is left out. `default` alone means
   * the default export. Without names the package is a CommonJS module, and taken whole.
   */
  readonly names?: readonly string[]
  /** It is imported statically, for one function: its file is opened at the first call. */
  readonly isCalled?: true
  /** Unused files, below its folder: an empty class replaces each. */
  readonly unused?: readonly string[]
  /** The file that is bundled, below the root, if not the package's own entry. */
  readonly entry?: string
  /** Packages that it imports for unused parts: an empty class replaces each. */
  readonly without?: readonly string[]
  /** The file of each used member, below the root, if its own entry loads many more. */
  readonly members?: Readonly<Record<string, string>>
}

// The ports that the tool replaces, and modules that only they need. The rest is a third in size, and loads in 4 ms
// instead of 18.
const tusPorts = ['fileReader', 'httpStack', 'sources/StreamSource', 'urlStorage']

export const coldPackages: readonly ColdPackage[] = [
  {
    name: '@inquirer/core',
    names: [
      'createPrompt',
      'isDownKey',
      'isEnterKey',
      'isSpaceKey',
      'isUpKey',
      'makeTheme',
      'useKeypress',
      'usePagination',
      'usePrefix',
      'useState',
    ],
  },
  {name: '@inquirer/prompts', names: ['confirm', 'input', 'password']},
  {name: '@jmespath-community/jmespath', names: ['TreeInterpreter', 'compile', 'search']},
  {name: '@tus/server', names: ['DataStore', 'Server', 'Upload']},
  {name: 'chalk', names: ['Chalk']},
  {name: 'cli-table3'},
  {name: 'conf', names: ['default'], without: ['ajv', 'ajv-formats', 'semver']},
  {name: 'cross-spawn'},
  {name: 'csv-stringify/sync', names: ['stringify']},
  {name: 'fast-string-width', names: ['default'], isCalled: true},
  {
    name: 'node-forge',
    members: Object.fromEntries(
      ['asn1', 'pkcs12', 'pki', 'rc2', 'util'].map((name) => [name, `./node_modules/node-forge/lib/${name}.js`]),
    ),
  },
  {name: 'proper-lockfile'},
  {
    name: 'tus-js-client',
    names: ['Upload', 'DetailedError'],
    unused: tusPorts.map((port) => `lib/node/${port}.js`),
    // Its source: the entry is the same for engines of 2009, and each upload takes 0.2 ms more there.
    entry: './node_modules/tus-js-client/lib/node/index.js',
  },
  {
    name: 'undici',
    members: {
      Agent: './node_modules/undici/lib/dispatcher/agent.js',
      buildConnector: './node_modules/undici/lib/core/connect.js',
    },
  },
  {name: 'yaml'},
]

/** The file of a cold package, seen from dist/. */
export function coldFile(name: string): string {
  return `cold/${name.replace(/^@/, '').replaceAll('/', '-')}.cjs`
}

/**
 * The text of the file. esbuild takes an importer in a package of type "module" for Node's ES module, which gets the
 * whole of a CommonJS file as the default export: so a file for a default export has to be that export.
 */
export function coldSource({name, names, entry = name, members}: ColdPackage): string {
  if (members)
    return Object.entries(members)
      .map(([one, file]) => `exports.${one} = require('${file}')`)
      .join('\n')
  if (names === undefined) return `module.exports = require('${name}')`
  if (names.includes('default')) return `module.exports = require('${name}').default`
  return `export {${names.join(', ')}} from '${entry}'`
}
