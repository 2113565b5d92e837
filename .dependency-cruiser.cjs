'use strict'

/** Which folder below src/ may import which others, beside src/failure.ts and src/advice.ts. What is not here may import nothing else of ours. */
const may = {
  api: ['text'],
  cli: ['api', 'redaction', 'selection', 'storage', 'terminal', 'text', 'view'],
  commands: ['api', 'cli', 'credential', 'features', 'sandbox', 'text', 'upload', 'view'],
  credential: ['text'],
  features: ['api', 'cli', 'credential', 'redaction', 'selection', 'storage', 'terminal', 'text', 'upload', 'view'],
  redaction: [],
  sandbox: ['api', 'storage'],
  selection: ['api', 'text'],
  storage: ['text'],
  terminal: [],
  text: [],
  upload: ['api', 'selection', 'storage', 'text'],
  view: ['api', 'text'],
}

/** Packages that only some commands need: an import at the top of a file would load them at every start. */
const cold = [
  '@inquirer/core',
  '@inquirer/prompts',
  '@jmespath-community/jmespath',
  '@napi-rs/keyring',
  '@tus/server',
  'cli-table3',
  'conf',
  'csv-stringify',
  'node-forge',
  'proper-lockfile',
  'tus-js-client',
  'undici',
  'yaml',
]

const anyOf = (names) => `(${names.join('|')})`
const packages = (names) => `(^|/)node_modules/${anyOf(names)}/`

/** What a folder may import of another is narrower where the other has parts that never meet. */
const parts = [
  {from: 'selection', to: 'api', only: ['contract']},
  {from: 'sandbox', to: 'api', only: ['contract', 'http/route', 'http/server', 'http/wire']},
  {from: 'sandbox', to: 'storage', only: ['disk', 'document', 'log']},
  {from: 'upload', to: 'selection', only: ['run']},
  {from: 'view', to: 'api', only: ['contract']},
]

/** A view shows what other parts make: it may name their types, and runs none of their code. */
const typesOfOthers = ['view']

const folders = Object.entries(may).map(([folder, others]) => ({
  name: `${folder}-imports-only-${others.join('-') || 'itself'}`,
  severity: 'error',
  from: {path: `^src/${folder}/`},
  to: {
    path: '^src/',
    pathNot: `^src/(${anyOf([folder, ...others])}/|(failure|advice)\\.ts$)`,
    ...(typesOfOthers.includes(folder) ? {dependencyTypesNot: ['type-only']} : {}),
  },
}))

const narrower = parts.map(({from, to, only}) => ({
  name: `${from}-imports-only-${only.join('-')}-of-${to}`,
  severity: 'error',
  from: {path: `^src/${from}/`},
  to: {path: `^src/${to}/`, pathNot: `^src/${to}/${anyOf(only)}`},
}))

module.exports = {
  forbidden: [
    ...folders,
    ...narrower,
    {
      name: 'failure-imports-only-advice',
      severity: 'error',
      from: {path: '^src/(failure|advice)\\.ts$'},
      to: {path: '^src/', pathNot: '^src/advice\\.ts$'},
    },
    {
      name: 'every-folder-has-its-line-in-the-table',
      severity: 'error',
      from: {path: '^src/', pathNot: `^src/((main|failure|advice)\\.ts$|${anyOf(Object.keys(may))}/)`},
      to: {},
    },
    {name: 'no-cycles', severity: 'error', from: {}, to: {circular: true}},
    {name: 'no-cycles-between-folders', severity: 'error', scope: 'folder', from: {path: '^src'}, to: {circular: true}},
    {
      name: 'oclif-only-in-the-frame',
      severity: 'error',
      from: {path: '^src/', pathNot: '^src/(main\\.ts$|(cli|commands|features)/)'},
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
      name: 'zod-only-where-data-comes-in',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(api/contract|storage)/|^src/(features/completion/cache|sandbox/world/worldFile|upload/(download/partFolders|ledger/(entry|claims)))[.]ts$',
      },
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
    {
      name: 'scripts-know-no-bench',
      comment: 'the measurements use the tasks; `npm run bench` starts them by itself',
      severity: 'error',
      from: {path: '^scripts/'},
      to: {path: '^bench/'},
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
