'use strict'

/** Which folder below src/ may import which others. What is not here may import nothing of ours. */
const may = {
  bulk: ['spelling'],
  cli: [
    'bulk',
    'client',
    'contract',
    'disk',
    'help',
    'http',
    'journal',
    'profile',
    'spelling',
    'terminal',
    'view',
    'watch',
  ],
  client: ['contract', 'http', 'spelling'],
  commands: ['bulk', 'cli', 'completion', 'contract', 'credential', 'doctor', 'sandbox', 'upload', 'view'],
  completion: ['cli', 'client', 'contract', 'disk', 'help', 'http', 'journal', 'profile', 'spelling', 'upload', 'view'],
  contract: [],
  credential: [],
  disk: [],
  doctor: ['cli', 'client', 'contract', 'disk', 'http', 'profile', 'view'],
  help: ['bulk', 'contract', 'profile', 'view'],
  http: [],
  journal: ['disk'],
  profile: ['disk', 'spelling'],
  sandbox: ['contract', 'disk', 'http'],
  spelling: [],
  terminal: [],
  upload: ['client', 'contract', 'disk', 'http'],
  view: ['contract'],
  watch: ['contract'],
}

/** Packages that only some commands need: an import at the top of a file would load them at every start. */
const cold = [
  '@fastify/busboy',
  '@inquirer/prompts',
  '@jmespath-community/jmespath',
  '@napi-rs/keyring',
  '@tus/file-store',
  '@tus/server',
  'cli-table3',
  'conf',
  'csv-stringify',
  'node-forge',
  'proper-lockfile',
  're2js',
  'tus-js-client',
  'undici',
  'yaml',
]

const anyOf = (names) => `(${names.join('|')})`
const packages = (names) => `(^|/)node_modules/${anyOf(names)}/`

const folders = Object.entries(may).map(([folder, others]) => ({
  name: `${folder}-imports-only-${others.join('-') || 'itself'}`,
  severity: 'error',
  from: {path: `^src/${folder}/`},
  to: {path: '^src/', pathNot: `^src/${anyOf([folder, ...others])}/`},
}))

module.exports = {
  forbidden: [
    ...folders,
    {
      name: 'every-folder-has-its-line-in-the-table',
      severity: 'error',
      from: {path: '^src/', pathNot: `^src/(main\\.ts$|${anyOf(Object.keys(may))}/)`},
      to: {},
    },
    {name: 'no-cycles', severity: 'error', from: {}, to: {circular: true}},
    {
      name: 'oclif-only-in-cli-and-commands',
      severity: 'error',
      from: {path: '^src/', pathNot: '^src/(main\\.ts$|(cli|commands)/)'},
      to: {path: packages(['@oclif/[^/]+'])},
    },
    {
      name: 'oclif-by-deep-import',
      comment: "oclif's index loads all of it: @oclif/core/command, /flags, /args",
      severity: 'error',
      from: {path: '^src/'},
      to: {path: '@oclif/core/lib/index', dependencyTypesNot: ['type-only']},
    },
    {
      name: 'zod-only-in-contract-and-profile',
      severity: 'error',
      from: {path: '^src/', pathNot: '^src/(contract|profile)/'},
      to: {path: packages(['zod'])},
    },
    {
      name: 'cold-packages-only-where-they-are-needed',
      comment: "await import('name') inside the function that needs it",
      severity: 'error',
      from: {path: '^src/'},
      to: {path: packages(cold), dynamic: false, dependencyTypesNot: ['type-only']},
    },
    {
      name: 'published-code-stays-in-src',
      severity: 'error',
      from: {path: '^src/'},
      to: {path: '^(bench|scripts|test)/'},
    },
    {name: 'imports-resolve', severity: 'error', from: {}, to: {couldNotResolve: true}},
  ],
  options: {
    doNotFollow: {path: 'node_modules'},
    tsPreCompilationDeps: true,
    tsConfig: {fileName: 'tsconfig.json'},
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
